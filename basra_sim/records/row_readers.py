"""Rows of games.parquet and rounds.parquet as they were before they were written, match by match. Knows dtypes, no engine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .arrow_columns import word_places
from .counters import GAME_DTYPE, ROUND_DTYPE, SIDES, WINNERS


def rows_in(path: Path) -> int:
    """How many rows a file of records has; -1 for one that is missing or damaged."""
    try:
        return int(pq.read_metadata(path).num_rows)
    except (OSError, pa.ArrowInvalid):
        return -1


def game_row(path: Path, match: str, pair: int, game: int) -> dict[str, Any] | None:
    """The fields of GAME_DTYPE of one game of games.parquet as numbers; None if it is not there once."""
    rows = pq.read_table(path, filters=[("match", "=", match), ("pair", "=", pair), ("game", "=", game)]).to_pylist()
    if len(rows) != 1:
        return None
    row = rows[0]
    row["first_dealer"], row["winner"] = SIDES.index(row["first_dealer"]), WINNERS.index(row["winner"])
    return {name: row[name] for name in GAME_DTYPE.names or ()}


class RowReader:
    """Reads a file of records, `kind` "games" or "rounds"; a row group at a time, so memory is flat.

    `firsts` are the first strategies of matches by name: who leads a round is told by sides.
    """

    def __init__(self, path: Path, kind: str, firsts: Mapping[str, str]) -> None:
        self._dtype, self._firsts = GAME_DTYPE if kind == "games" else ROUND_DTYPE, firsts
        self._file = pq.ParquetFile(path)
        self._runs: list[tuple[str, int, int, int]] = []  # match, row group, first row, the row after the last
        for group in range(self._file.num_row_groups):
            numbers, words = word_places(self._file.read_row_group(group, columns=["match"])["match"])
            edges = [0, *(np.flatnonzero(np.diff(numbers)) + 1).tolist(), len(numbers)]
            for start, stop in pairwise(edges):
                self._runs.append((words[int(numbers[start])], group, start, stop))

    def of(self, match: str) -> Iterator[tuple[int, np.ndarray]]:
        """(first pair, rows) of one match by name, in the order of its pairs."""
        for name, group, start, stop in self._runs:
            if name == match:
                yield self._rows(self._file.read_row_group(group).slice(start, stop - start), name)

    def all(self) -> Iterator[tuple[str, int, np.ndarray]]:
        """(match, first pair, rows) of the whole file in its order."""
        now, table = -1, pa.table({})
        for name, group, start, stop in self._runs:
            if group != now:
                now, table = group, self._file.read_row_group(group)
            yield name, *self._rows(table.slice(start, stop - start), name)

    def _rows(self, table: Any, match: str) -> tuple[int, np.ndarray]:
        rows = np.zeros(len(table), self._dtype)
        for name in self._dtype.names or ():
            if name == "leader":
                numbers, words = word_places(table[name])
                rows[name] = np.array([word != self._firsts[match] for word in words])[numbers]
            elif name in ("first_dealer", "winner"):
                numbers, words = word_places(table[name])
                places = SIDES if name == "first_dealer" else WINNERS
                rows[name] = np.array([places.index(word) for word in words])[numbers]
            else:
                rows[name] = table[name].to_numpy()
        return int(table["pair"][0].as_py()), rows

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
