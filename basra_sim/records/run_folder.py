"""The folder of a run: its name, its JSON files, reading it back. Knows no engine and no statistics.

docs/files.md describes every file. What depends on time is in timing.json and summary.json alone; all other files of
the same run are the same bytes.
"""

from __future__ import annotations

import contextlib
import datetime
import importlib.metadata
import platform
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from basra_sim.errors import BadInput, BasraError

from .counters import FORMAT_VERSION, SUMS, MatchTotals, RunTotals
from .disk import read_json, write_bytes, write_json

MANIFEST, SUMMARY, MATCHES, COUNTS, TOTALS, TIMING = (
    "manifest.json", "summary.json", "matches.csv", "counts.parquet", "totals.json", "timing.json",
)  # fmt: skip
GAMES, ROUNDS = "games.parquet", "rounds.parquet"
UNFINISHED = "unfinished"  # the folder with what a run that stopped needs to go on: spool.py
REPORTS = Path("reports")
LIBRARIES = ("numpy", "numba", "pyarrow")


# --- writing -----------------------------------------------------------------------------------------------------


def versions_of(program: str) -> dict[str, str]:
    """The versions that a run depends on: of this program as given, of Python and of the libraries as they are here."""
    versions = {"basra-sim": program, "python": platform.python_version()}
    for library in LIBRARIES:
        with contextlib.suppress(importlib.metadata.PackageNotFoundError):
            versions[library] = importlib.metadata.version(library)
    return versions


def manifest_of(run: RunTotals) -> dict[str, Any]:
    """What was asked and by which versions it was answered: everything to play the run again."""
    return {
        "format_version": FORMAT_VERSION,
        "program": "basra-sim",
        "version": run.version,
        "versions": versions_of(run.version),
        "command": run.command,
        "seed": run.seed,
        "unit": run.unit,
        "games_per_match": run.games_per_match,
        "rules_name": run.rules_name,
        "rules": run.rules,
        "strategies": run.strategies,
        "matches": _manifest_matches(run),
        "design": run.design,
        "settings": run.settings,
        "complete": run.complete,
        "digest": run.digest,
        "notes": run.notes,
    }


def _manifest_matches(run: RunTotals) -> list[dict[str, Any]]:
    """The matches with their own digests, which do not depend on what else was played."""
    digests = run.match_digests or [""] * len(run.matches)
    return [
        {"match": m.name, "a": m.a, "b": m.b, "games": int(m.games), "digest": digest}
        for m, digest in zip(run.matches, digests, strict=True)
    ]


def totals_of(run: RunTotals) -> dict[str, Any]:
    """The exact sums that intervals need, as integers of any size (the tables are in counts.parquet)."""
    matches = [m.sums() for m in run.matches]
    for entry, chain in zip(matches, run.chains, strict=False):  # older runs have no chains
        entry["chain"] = chain
    return {"format_version": FORMAT_VERSION, "matches": matches}


def write_manifest(folder: Path, run: RunTotals) -> None:
    """Write manifest.json."""
    write_json(folder / MANIFEST, manifest_of(run))


def write_totals(folder: Path, run: RunTotals) -> None:
    """Write totals.json and counts.parquet: together with the manifest all that `read_run` needs."""
    from .counts_table import counts_bytes  # pyarrow: a fifth of a second that reading a manifest does not need

    write_json(folder / TOTALS, totals_of(run))
    write_bytes(folder / COUNTS, counts_bytes(run.matches))


def write_summary(folder: Path, summary: dict[str, Any]) -> None:
    """Write summary.json, as `--format json` prints it."""
    write_json(folder / SUMMARY, summary)


def write_matches_csv(folder: Path, text: str) -> None:
    """Write matches.csv, as `--format csv` prints it."""
    write_bytes(folder / MATCHES, text.encode("utf-8"))


def write_timing(folder: Path, run: RunTotals, **more: Any) -> None:
    """Write timing.json: when, how long, how fast. `more` may hold jobs, cpu, phases; it must be JSON."""
    games = sum(m.games for m in run.matches)
    speed = games / run.seconds if run.seconds > 0 else None
    now = datetime.datetime.now().astimezone().isoformat(timespec="seconds")
    data = {"format_version": FORMAT_VERSION, "finished": now, "seconds": run.seconds, "games_per_second": speed}
    write_json(folder / TIMING, data | more)


# --- the folder --------------------------------------------------------------------------------------------------


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9.]+", "-", name.lower().replace("#", "-")).strip("-.")[:24] or "x"


def folder_name(strategies: Sequence[str], seed: int, day: datetime.date) -> str:
    """``2026-11-30-random-vs-greedy-seed7``; three or more are joined by "-", more than four counted."""
    slugs = [_slug(name) for name in strategies]
    if len(slugs) == 2:
        field = f"{slugs[0]}-vs-{slugs[1]}"
    elif len(slugs) <= 4:
        field = "-".join(slugs)
    else:
        field = f"{slugs[0]}-{slugs[1]}-and-{len(slugs) - 2}-more"
    return f"{day.isoformat()}-{field}-seed{seed}"


def new_run_folder(
    strategies: Sequence[str], seed: int, root: Path = REPORTS, day: datetime.date | None = None
) -> Path:
    """Make and return a new folder under `root`, with -2, -3 ... behind its name where that exists already."""
    name = folder_name(strategies, seed, day or datetime.date.today())
    try:
        root.mkdir(parents=True, exist_ok=True)
        for number in range(1, 1_000_000):
            path = root / (name if number == 1 else f"{name}-{number}")
            with contextlib.suppress(FileExistsError):
                path.mkdir()  # fails when it exists: two runs at once never share one
                return path
    except OSError as error:
        raise BadInput(f"cannot make a folder under {root}: {error.strerror}; choose a place with --out DIR") from error
    raise BadInput(f"too many runs named {name} under {root}; remove some or use --out DIR")


def prepare_folder(path: Path) -> Path:
    """Make the folder that --out names; one that exists and is not empty is refused, nothing is ever overwritten."""
    try:
        if path.exists() and not path.is_dir():
            raise BadInput(f"--out {path} is a file; name a new or empty folder")
        path.mkdir(parents=True, exist_ok=True)
        if any(path.iterdir()):
            raise BadInput(f"--out {path} exists and is not empty; name a new or empty folder, or remove it")
    except OSError as error:
        raise BadInput(f"--out {path} cannot be used: {error.strerror}; name a folder that can be written") from error
    return path


# --- reading -----------------------------------------------------------------------------------------------------


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest of a run folder. Raises BadInput (one line) for what is none, is damaged or is newer."""
    return read_json(Path(folder) / MANIFEST)


def read_summary(folder: Path) -> dict[str, Any]:
    """The summary of a run folder, as `--format json` printed it."""
    return read_json(Path(folder) / SUMMARY)


def read_run(folder: Path) -> RunTotals:
    """Everything that was counted in a run, from manifest.json, totals.json, counts.parquet and timing.json."""
    from .counts_table import read_counts  # pyarrow, as above

    folder = Path(folder)
    manifest = read_manifest(folder)
    if not manifest["complete"] and not (folder / TOTALS).exists():
        raise BadInput(f"the run in {folder} is unfinished and has no tables yet: basra-sim resume {folder}")
    totals = read_json(folder / TOTALS)
    try:
        matches = [MatchTotals(**{name: entry[name] for name in SUMS}) for entry in totals["matches"]]
        read_counts(folder / COUNTS, matches)
        keys = ("rules", "rules_name", "seed", "unit", "games_per_match", "strategies", "digest", "command")
        run = RunTotals(matches=matches, **{key: manifest[key] for key in keys})
    except KeyError as error:
        raise BadInput(f"{folder} cannot be read: {error} is missing; was a file changed by hand?") from error
    run.complete, run.version, run.notes = manifest["complete"], manifest["version"], manifest["notes"]
    run.design, run.settings = manifest.get("design", {}), manifest.get("settings", {})  # new in 0.1: older runs lack them
    run.chains = [entry["chain"] for entry in totals["matches"] if "chain" in entry]
    digests = [str(entry.get("digest", "")) for entry in manifest["matches"]]
    run.match_digests = digests if any(digests) else []
    if (folder / TIMING).exists():
        run.seconds = float(read_json(folder / TIMING).get("seconds") or 0.0)
    return run


def is_unfinished(folder: Path) -> bool:
    """Whether a folder holds the state of a run that can go on."""
    return (folder / UNFINISHED).is_dir()


def list_runs(root: Path = REPORTS) -> list[dict[str, Any]]:
    """The run folders directly under `root`, by name: what was asked, how many games, whether complete, the digest.

    A folder whose files cannot be read has `problem` with the reason; folders without a manifest are no runs.
    """
    rows = []
    for folder in sorted(path.parent for path in Path(root).glob(f"*/{MANIFEST}")):
        row: dict[str, Any] = {"folder": str(folder), "problem": None}
        try:
            manifest = read_manifest(folder)
            timing = read_json(folder / TIMING) if (folder / TIMING).exists() else {}
            totals = read_json(folder / TOTALS)["matches"] if (folder / TOTALS).exists() else []
            row |= {key: manifest.get(key) for key in ("rules_name", "seed", "unit", "complete", "digest", "command")}
            row["strategies"] = [entry.get("name") for entry in manifest.get("strategies", [])]
            row["games"] = sum(entry["games"] for entry in totals)
            row["finished"] = timing.get("finished")
            row["resumable"] = not row["complete"] and is_unfinished(folder)
        except (BasraError, KeyError, TypeError) as error:
            row["problem"] = str(error)
        rows.append(row)
    return rows
