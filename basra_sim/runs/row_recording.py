"""The optional records of a run while it is played: rows into the Parquet file and into the state, in schedule order.

A run that is extended has rows already. Its file is put aside into the state, and its rows are copied in where the longer run
would have them; a mark among the state's own records says where, so that a run killed on the way does it again alike.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.records.counters import GAME_DTYPE, ROUND_DTYPE, MatchTotals
from basra_sim.records.disk import disk_errors, sync_folder
from basra_sim.records.run_folder import GAMES, ROUNDS
from basra_sim.records.spool import Spool
from basra_sim.workers.chunks import Chunk, Progress

FILES = {"games": GAMES, "rounds": ROUNDS}
DTYPES = {"games": GAME_DTYPE, "rounds": ROUND_DTYPE}
EARLIER = "earlier.parquet"  # the file of the run before it was extended, in its unfinished folder
COPIED = -1  # in the place of a first pair: here come the rows that the match had before
EVERY = -1  # in the place of a match: all of them, in the order of the file


class Recorder:
    """Writes the rows of every chunk. `length` and `due` belong to the state of a run, and are given back to go on."""

    def __init__(
        self, kind: str, folder: Path, spool: Spool, matches: Sequence[MatchTotals], strategies: Sequence[str]
    ) -> None:
        self.kind, self.path, self.spool = kind, folder / FILES[kind], spool
        self._names = [match.name for match in matches]
        self._sides = [(match.a, match.b) for match in matches]
        self._strategies = strategies
        self._writer: Any = None
        self._reader: Any = None
        self.length = 0  # bytes of the state's records
        self.extends = False  # whether there are earlier rows
        self.due: list[tuple[int, bool]] = []  # matches in the order of the schedule, and whether they have earlier rows

    def open(self, stack: ExitStack, progress: Progress) -> None:
        """Open the Parquet file, and fill it with what was played before."""
        from basra_sim.records.row_writers import GamesWriter, RoundsWriter  # pyarrow: a fifth of a second, for some runs

        if self.extends:
            self._put_aside()
        if self.kind == "games":
            self._writer = stack.enter_context(GamesWriter(self.path, self._names))
        else:
            self._writer = stack.enter_context(RoundsWriter(self.path, self._names, self._strategies))
        for match, first, rows in self.spool.records(self.length, DTYPES[self.kind]):
            if first == COPIED:
                self._copy(match)
            else:
                self._write(match, first, rows)
            progress.live = f"{self._writer.rows:,} records read back"

    def _put_aside(self) -> None:
        from basra_sim.records.row_readers import RowReader  # as above

        aside = self.spool.place / EARLIER
        if not aside.exists():
            with disk_errors(aside):
                os.replace(self.path, aside)
                sync_folder(aside.parent)
        self._reader = RowReader(aside, self.kind, {n: a for n, (a, _) in zip(self._names, self._sides, strict=True)})

    def put_back(self) -> None:
        """The file of the run before it was extended takes its place again."""
        aside = self.spool.place / EARLIER
        if aside.exists():
            os.replace(aside, self.path)
            sync_folder(self.path.parent)

    def schedule(self, match: int, earlier: bool) -> None:
        """This match comes next in the schedule, with or without earlier rows."""
        if self.extends:
            self.due.append((match, earlier))

    def add(self, chunk: Chunk) -> None:
        """The rows of a chunk, after those that come before it."""
        while any(match == chunk.match for match, _ in self.due):
            self._next_due()
        rows = chunk.games.reshape(-1) if self.kind == "games" else chunk.rounds
        self._write(chunk.match, chunk.first_pair, rows)
        self.length = self.spool.append_records(chunk.match, chunk.first_pair, rows)

    def _next_due(self) -> None:
        match, earlier = self.due.pop(0)
        if earlier:
            self._copy(match)
            self.length = self.spool.append_records(match, COPIED, np.zeros(0, DTYPES[self.kind]))

    def _copy(self, match: int) -> None:
        if match == EVERY:
            numbers = {name: index for index, name in enumerate(self._names)}
            for name, first, rows in self._reader.all():
                self._write(numbers[name], first, rows)
        else:
            for first, rows in self._reader.of(self._names[match]):
                self._write(match, first, rows)

    def _write(self, match: int, first_pair: int, rows: np.ndarray) -> None:
        if self.kind == "games":
            self._writer.append(self._names[match], first_pair, rows)
        else:
            self._writer.append(self._names[match], *self._sides[match], rows)

    def finish(self) -> None:
        """The run ends here, whole or not: the file holds every game that is counted, and appears, if the disk took it all."""
        if self._writer is not None and self._writer.is_open:
            for match, earlier in self.due:
                if earlier:
                    self._copy(match)
            self._writer.close()
        if self._reader is not None:
            self._reader.close()
