"""Streaming Parquet writers of the optional records: a row a game, a row a round. Knows dtypes, no engine.

Rows are buffered into row groups of 65,536 rows whatever the size of the chunks that bring them, and nothing in a file
depends on time, machine or order of work: the same rows give the same bytes.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from .arrow_columns import numbers, schema_of, words
from .counters import GAME_DTYPE, ROUND_DTYPE, SIDES, WINNERS
from .disk import disk_errors, sync_folder

ROW_GROUP = 65_536


class _RowWriter:
    """Buffers columns of rows and writes full row groups to `path`, which appears only when `close` is called."""

    holds = ""
    names: tuple[str, ...] = ()

    def __init__(self, path: Path | str, dictionaries: dict[str, Sequence[str]]) -> None:
        self.path = Path(path)
        self.rows = 0
        self._words = {column: words(texts) for column, texts in dictionaries.items()}
        self._temporary = self.path.with_name(self.path.name + ".part")
        self._columns = {name: np.zeros(ROW_GROUP, np.int64 if name == "pair" else np.int32) for name in self.names}
        self._filled = 0
        self._schema = schema_of([(name, self._kind(name)) for name in self.names], self.holds)
        try:
            with disk_errors(self.path):
                self._writer: pq.ParquetWriter | None = self._open()
        except BaseException:
            self._temporary.unlink(missing_ok=True)
            raise

    def _open(self) -> pq.ParquetWriter:
        return pq.ParquetWriter(
            str(self._temporary),
            self._schema,
            use_dictionary=[name for name in self.names if name != "pair"],
            column_encoding={"pair": "DELTA_BINARY_PACKED"},
            write_statistics=["match", "pair"],
            compression="zstd",
            compression_level=1,
        )

    def _kind(self, name: str) -> pa.DataType:
        if name in self._words:
            return pa.dictionary(pa.int32(), pa.string())
        return pa.int64() if name == "pair" else pa.int32()

    def _put(self, rows: np.ndarray, more: Callable[[int, int], dict[str, Any]]) -> None:
        """Add structured rows to the buffers; `more(start, stop)` gives the columns that the rows do not have."""
        start = 0
        while start < len(rows):
            stop = min(start + ROW_GROUP - self._filled, len(rows))
            part = slice(self._filled, self._filled + stop - start)
            given = more(start, stop)
            for name, column in self._columns.items():
                column[part] = given[name] if name in given else rows[name][start:stop]
            self._filled = part.stop
            start = stop
            if self._filled == ROW_GROUP:
                self._flush()

    def _flush(self) -> None:
        assert self._writer is not None
        arrays = []
        for name, column in self._columns.items():
            values, texts = numbers(column[: self._filled]), self._words.get(name)
            arrays.append(values if texts is None else pa.DictionaryArray.from_arrays(values, texts))
        try:
            with disk_errors(self.path):
                self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema), row_group_size=ROW_GROUP)
        except BaseException:
            self.abort()  # half a row group cannot be gone on from
            raise
        self.rows += self._filled
        self._filled = 0

    @property
    def is_open(self) -> bool:
        """Whether rows can be added: neither closed nor given up."""
        return self._writer is not None

    def close(self) -> None:
        """Write what is left and let the file appear under its name. Closing twice does nothing."""
        if self._writer is None:
            return
        with disk_errors(self.path):
            if self._filled:
                self._flush()
            self._writer.close()
            self._writer = None
            with self._temporary.open("rb") as file:
                os.fsync(file.fileno())
            os.replace(self._temporary, self.path)
            sync_folder(self.path.parent)

    def abort(self) -> None:
        """Drop everything written: no file appears."""
        writer, self._writer = self._writer, None
        if writer is not None:
            with contextlib.suppress(OSError):  # the disk may be full: the file goes away all the same
                writer.close()
            self._temporary.unlink(missing_ok=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()


class GamesWriter(_RowWriter):
    """`games.parquet`: match, pair, game (0 or 1 in the pair), then the fields of GAME_DTYPE.

    `matches` are the names of all matches of the run, in schedule order. First_dealer is "a" or "b", winner "a", "b"
    or "draw". At most 6 bytes a game.
    """

    holds = "games"
    names = ("match", "pair", "game", *(GAME_DTYPE.names or ()))

    def __init__(self, path: Path | str, matches: Sequence[str]) -> None:
        self._matches = {name: index for index, name in enumerate(matches)}
        super().__init__(path, {"match": matches, "first_dealer": SIDES, "winner": WINNERS})

    def append(self, match: str, first_pair: int, games: np.ndarray) -> None:
        """Add games of one match, ordered (pair, game 0 and 1) without gaps from pair `first_pair` on."""
        number = self._matches[match]

        def more(start: int, stop: int) -> dict[str, Any]:
            index = np.arange(start, stop)
            return {"match": number, "pair": first_pair + (index >> 1), "game": index & 1}

        self._put(games, more)


class RoundsWriter(_RowWriter):
    """`rounds.parquet`: match, pair, game, round, leader and dealer (strategies as named in the run), then counts."""

    holds = "rounds"
    names = ("match", *(name for name in ROUND_DTYPE.names or () if name != "leader"))
    names = (*names[:4], "leader", "dealer", *names[4:])

    def __init__(self, path: Path | str, matches: Sequence[str], strategies: Sequence[str]) -> None:
        self._matches = {name: index for index, name in enumerate(matches)}
        self._strategies = {name: index for index, name in enumerate(strategies)}
        super().__init__(path, {"match": matches, "leader": strategies, "dealer": strategies})

    def append(self, match: str, a: str, b: str, rounds: np.ndarray) -> None:
        """Add rounds of one match between strategies a and b, in schedule order; `rounds` of ROUND_DTYPE."""
        number = self._matches[match]
        sides = np.array([self._strategies[a], self._strategies[b]], np.int32)

        def more(start: int, stop: int) -> dict[str, Any]:
            leader = rounds["leader"][start:stop]
            return {"match": number, "leader": sides[leader], "dealer": sides[1 - leader]}

        self._put(rounds, more)
