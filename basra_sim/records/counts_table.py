"""counts.parquet: the counters of all matches as one long table, and back. Knows dtypes, no engine and no statistics.

One row a non-zero cell; the column `table` says of which counter, and columns that a counter has no use for are null.
docs/files.md explains each table.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from basra_sim.errors import BadInput

from .arrow_columns import file_metadata, integers, numbers, words
from .counters import CLASSES, GROUP_FIELDS, KINDS, MIDDLE, ROLES, WINNERS, MatchTotals
from .disk import check_version

TABLES = (
    "plays", "faced", "points", "cards", "winners", "majorities", "round_margins", "pair_margins", "pair_scores",
    "lengths", "group_half_points", "group_margins", "group_rounds", "forfeits",
)  # fmt: skip
INTEGERS = {"deal": np.int8, "ply": np.int8, "floor": np.int8}
COLUMNS = (
    "table", "match", "strategy", "role", "deal", "ply", "kind", "rank", "floor", "winner", "value", "count", "taken",
)  # fmt: skip

Block = dict[str, np.ndarray | int]


def _blocks(m: MatchTotals, a: int, b: int) -> Iterator[Block]:
    """The non-zero cells of every counter of a match; words as indices; a and b index the strategies."""
    sides = np.array([a, b])
    side, role, deal, own, kind = np.nonzero(m.plays | m.taken)
    cell = (side, role, deal, own, kind)
    yield {"table": 0, "strategy": sides[side], "role": role, "deal": deal, "ply": 2 * own + role, "kind": kind,
           "count": m.plays[cell], "taken": m.taken[cell]}  # fmt: skip
    side, floor, rank, kind = np.nonzero(m.faced)
    yield {"table": 1, "strategy": sides[side], "floor": floor, "rank": rank, "kind": kind,
           "count": m.faced[side, floor, rank, kind]}  # fmt: skip
    for table, array in ((2, m.role_points), (3, m.role_cards)):
        role, side = np.nonzero(array)  # role of a; the row has the role of the strategy itself
        yield {"table": table, "strategy": sides[side], "role": role ^ side, "count": array[role, side]}
    dealt, winner = np.nonzero(m.winners)
    yield {"table": 4, "strategy": a, "role": 1 - dealt, "winner": winner, "count": m.winners[dealt, winner]}
    role, winner = np.nonzero(m.majorities)
    yield {"table": 5, "strategy": a, "role": role, "winner": winner, "count": m.majorities[role, winner]}
    role, cell_ = np.nonzero(m.round_margins)
    yield {"table": 6, "strategy": a, "role": role, "value": (cell_ - MIDDLE) * m.margin_unit,
           "count": m.round_margins[role, cell_]}  # fmt: skip
    (cell_,) = np.nonzero(m.pair_margins)
    yield {"table": 7, "strategy": a, "value": (cell_ - MIDDLE) * m.margin_unit, "count": m.pair_margins[cell_]}
    (value,) = np.nonzero(m.pair_scores)
    yield {"table": 8, "strategy": a, "value": value, "count": m.pair_scores[value]}
    (value,) = np.nonzero(m.lengths)
    yield {"table": 9, "value": value, "count": m.lengths[value]}
    for column in range(len(GROUP_FIELDS)):
        (group,) = np.nonzero(m.group_sums[:, column])
        yield {"table": 10 + column, "strategy": a, "value": group, "count": m.group_sums[group, column]}
    side, why = np.nonzero(m.forfeits)
    yield {"table": 13, "strategy": sides[side], "value": why, "count": m.forfeits[side, why]}


def counts_table(matches: Sequence[MatchTotals]) -> pa.Table:
    """All counters of all matches as one Arrow table with the columns COLUMNS."""
    names = list(dict.fromkeys(name for m in matches for name in (m.a, m.b)))
    texts = {"table": TABLES, "match": [m.name for m in matches], "strategy": names, "role": ROLES,
             "kind": KINDS, "rank": CLASSES, "winner": WINNERS}  # fmt: skip
    blocks = [
        {"match": index, **block}
        for index, m in enumerate(matches)
        for block in _blocks(m, names.index(m.a), names.index(m.b))
    ]
    sizes = [len(np.atleast_1d(block["count"])) for block in blocks]
    columns = []
    for name in COLUMNS:
        parts = [np.broadcast_to(np.asarray(b.get(name, -1), np.int64), s) for b, s in zip(blocks, sizes, strict=True)]
        known = np.repeat([name in block for block in blocks], sizes)
        values = np.concatenate(parts) if parts else np.zeros(0, np.int64)
        array = numbers(values.astype(np.int32 if name in texts else INTEGERS.get(name, np.int64)), known)
        if name in texts:
            array = pa.DictionaryArray.from_arrays(array, words(texts[name]))
        columns.append(array)
    return pa.table(columns, names=list(COLUMNS)).replace_schema_metadata(file_metadata("counts"))


def counts_bytes(matches: Sequence[MatchTotals]) -> bytes:
    """The content of counts.parquet: the same counters give the same bytes."""
    file = io.BytesIO()
    pq.write_table(counts_table(matches), file, compression="zstd", compression_level=3, row_group_size=65_536)
    return file.getvalue()


def read_counts(path: Path, matches: Sequence[MatchTotals]) -> None:
    """Fill the arrays of `matches` (in the order of the run) from counts.parquet."""
    try:
        table = pq.read_table(path)
    except (OSError, pa.ArrowInvalid) as error:
        raise BadInput(f"{path} cannot be read: {getattr(error, 'strerror', None) or 'it is damaged'}") from error
    check_version((table.schema.metadata or {}).get(b"format_version"), path)
    columns = {name: integers(table.column(name)) for name in COLUMNS}
    names = list(dict.fromkeys(name for m in matches for name in (m.a, m.b)))  # as counts_table numbers them
    cells = columns["match"] * (len(TABLES) + 1) + columns["table"] + 1  # a row's match and counter; none is 0 of its match
    order = np.argsort(cells, kind="stable")
    columns, cells = {name: values[order] for name, values in columns.items()}, cells[order]
    for index, m in enumerate(matches):
        first = index * (len(TABLES) + 1) + 1
        ends = np.searchsorted(cells, np.arange(first, first + len(TABLES) + 1))
        for number in range(len(TABLES)):
            own = {name: values[ends[number] : ends[number + 1]] for name, values in columns.items()}
            _fill(m, number, own | {"side": (own["strategy"] == names.index(m.b)).astype(np.int64)})


def _fill(m: MatchTotals, number: int, c: dict[str, np.ndarray]) -> None:
    """The inverse of `_blocks` for one counter of one match."""
    count, role, side = c["count"], c["role"], c["side"]
    table = TABLES[number]
    if table == "plays":
        cell = (side, role, c["deal"], c["ply"] // 2, c["kind"])
        m.plays[cell], m.taken[cell] = count, c["taken"]
    elif table == "faced":
        m.faced[side, c["floor"], c["rank"], c["kind"]] = count
    elif table in ("points", "cards"):
        (m.role_points if table == "points" else m.role_cards)[role ^ side, side] = count
    elif table == "winners":
        m.winners[1 - role, c["winner"]] = count
    elif table == "majorities":
        m.majorities[role, c["winner"]] = count
    elif table == "round_margins":
        m.round_margins[role, c["value"] // m.margin_unit + MIDDLE] = count
    elif table == "pair_margins":
        m.pair_margins[c["value"] // m.margin_unit + MIDDLE] = count
    elif table.startswith("group_"):
        m.group_sums[c["value"], number - TABLES.index("group_half_points")] = count
    elif table == "forfeits":
        m.forfeits[side, c["value"]] = count
    else:
        (m.pair_scores if table == "pair_scores" else m.lengths)[c["value"]] = count
