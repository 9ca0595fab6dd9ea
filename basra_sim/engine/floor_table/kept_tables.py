"""Where a rule set's floor table comes from: memory, the cache folder, the shipped file, or built and kept."""

from __future__ import annotations

import hashlib
import lzma
import os
import zipfile
from pathlib import Path

import numpy as np

from basra_sim.engine.jit.cache_folder import cache_folder
from basra_sim.engine.layouts import CLASSES, PAIRS_OF_CLASSES
from basra_sim.game.rules import RuleSet

from .floors import TABLE_OPTIONS, FloorTable, aligned_rows, floor_classes, pair_numbers, ready, table_rows


def table_key(rules: RuleSet) -> str:
    """A name for the table of a rule set, equal for rule sets that share it: points, target and the like do not matter."""
    text = ",".join(f"{name}={getattr(rules, name)}" for name in TABLE_OPTIONS) + f",first floor={floor_classes(rules)}"
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def load_table(rules: RuleSet) -> FloorTable:
    """The automaton of a rule set: from memory, from the cache folder, or built and kept."""
    return _load(table_key(rules), rules)


_TABLES: dict[str, FloorTable] = {}


def _load(key: str, rules: RuleSet) -> FloorTable:
    if key not in _TABLES:
        path = cache_folder() / f"floors-{key}.npz"
        table = _read(path)
        if table is None:
            table = read_shipped(key) or _build(rules)
            _keep(path, table)
        _TABLES[key] = ready(table)
    return _TABLES[key]


def _build(rules: RuleSet) -> FloorTable:
    from .floor_builder import build_table  # only here: most runs never need it, and importing it declares its kernels

    return build_table(rules)


def _read(path: Path) -> FloorTable | None:
    try:
        with np.load(path) as kept:
            return FloorTable(aligned_rows(kept["rows"]), kept["codes"], kept["starts"], kept["pairs"])
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile):
        return None  # not there, or cut short: it is built again


# The default table is shipped, so that the first run need not compile the builder: about two seconds.
SHIPPED = Path(__file__).parents[1] / "data" / "floors.xz"


def read_shipped(key: str) -> FloorTable | None:
    """The shipped table, if it is the one with this key. A test builds it anew and compares."""
    try:
        with lzma.open(SHIPPED) as file:
            if file.read(16).decode() != key:
                return None
            count = int.from_bytes(file.read(8), "little")
            codes = np.frombuffer(file.read(8 * count), np.int64)
            entries = np.frombuffer(file.read(4 * CLASSES * count), np.uint32).reshape(CLASSES, count).T
            starts = np.frombuffer(file.read(4 * PAIRS_OF_CLASSES**2), np.uint32)
            header = np.frombuffer(file.read(8), np.uint32)
    except (OSError, ValueError, lzma.LZMAError):
        return None
    return FloorTable(table_rows(entries, codes, header), codes, starts, pair_numbers())


def write_shipped(rules: RuleSet, path: Path = SHIPPED) -> None:
    """Build a rule set's table and write it in the shipped form (2.3 MB): `make floor-table`."""
    table = _build(rules)
    parts = [
        table_key(rules).encode(),
        len(table.codes).to_bytes(8, "little"),
        table.codes.tobytes(),
        np.ascontiguousarray(table.rows[1:, :CLASSES].T).tobytes(),
        table.starts.tobytes(),
        table.rows[0, :2].tobytes(),
    ]
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(lzma.compress(b"".join(parts), preset=9 | lzma.PRESET_EXTREME))


def _keep(path: Path, table: FloorTable) -> None:
    """Write to a name of our own, then rename: two processes may build at once. Nothing is lost where it cannot be kept."""
    own = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        with open(own, "wb") as file:
            np.savez(file, rows=table.rows, codes=table.codes, starts=table.starts, pairs=table.pairs)
        os.replace(own, path)
    except OSError:
        own.unlink(missing_ok=True)


if __name__ == "__main__":
    write_shipped(RuleSet())
