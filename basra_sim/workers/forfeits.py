"""Chunks in which a faulty play costs its strategy the game, and nothing else. Knows the worker, no process and no file.

A forfeited game is 0-1, has no rounds and is in no average of points; the other game of its pair is played, and stands.
"""

from __future__ import annotations

import time
from collections.abc import Mapping

import numpy as np

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.jit.strategy_calls import RAISED
from basra_sim.engine.layouts import BAD_CARD
from basra_sim.records.counters import FORFEITS, MatchTotals
from basra_sim.records.digest import BLOCK_PAIRS, block_digests

from .chunks import SLICE_SECONDS, Chunk, Progress
from .plan import Plan
from .worker import Fault, Worker

ILLEGAL, NO_CARD, RAISES, TIMEOUT, EXITED, MEMORY = range(len(FORFEITS))

Forfeits = Mapping[tuple[int, int], tuple[int, int]]


def why_of(fault: Fault) -> int:
    """The kind of a fault, as a place in FORFEITS."""
    if isinstance(fault.error, MemoryError):
        return MEMORY
    if fault.error is not None or fault.card == RAISED:
        return RAISES
    return ILLEGAL if fault.answer is None and 0 <= fault.card <= 51 else NO_CARD


def play_forgiving(
    plan: Plan,
    match: int,
    first_pair: int,
    pairs: int,
    *,
    want_rounds: bool = False,
    progress: Progress | None = None,
    known: Forfeits | None = None,
    room: np.ndarray | None = None,
) -> Chunk:
    """As `play_chunk`, with faults as forfeits: `known` ones, whose games are not played, and those found on the way.

    A game without end, which is nobody's fault, is still returned as the chunk's fault.
    """
    made = _Forgiving(plan, match, first_pair, want_rounds, dict(known or {}), room)
    return made.play(pairs, progress or Progress())


class _Forgiving:
    def __init__(
        self, plan: Plan, match: int, first_pair: int, want_rounds: bool, known: dict[tuple[int, int], tuple[int, int]],
        room: np.ndarray | None,
    ) -> None:  # fmt: skip
        self.match, self.first, self.forfeits = match, first_pair, known
        self.capacity = 4096 if plan.is_compiled(match) else 64
        self.worker = Worker(plan, match, load_table(plan.rules), self.capacity, want_rounds, room)
        self.games: list[np.ndarray] = []
        self.rounds: list[np.ndarray] = []
        self.totals: MatchTotals = self.worker.totals(0)

    def play(self, pairs: int, progress: Progress) -> Chunk:
        started = time.perf_counter()
        done, size, fault = 0, 1, None
        while done < pairs and fault is None and not progress.stop:
            before = time.perf_counter()
            here = self.first + done
            clean = min([pair for pair, _ in self.forfeits if pair >= here], default=self.first + pairs) - here
            if clean == 0:
                fault = self._pair(here)
                finished = 0 if fault else 1
            else:
                finished, found = self.worker.play(here, min(size, clean, pairs - done, self.capacity))
                if finished:
                    self._keep(self.worker.totals(finished), finished)
                if found is not None:
                    fault = self._note(found)
                    size = 1
            done += finished
            progress.add(2 * finished)
            if time.perf_counter() - before < SLICE_SECONDS:
                size = min(self.capacity, 4 * size)
        return self._chunk(fault, time.perf_counter() - started)

    def _chunk(self, fault: Fault | None, seconds: float) -> Chunk:
        memory = self.worker.memory
        games = np.concatenate(self.games) if self.games else memory.games[:0].copy()
        rounds = np.concatenate(self.rounds) if self.rounds else memory.rounds[:0].copy()
        blocks = block_digests(games) if self.first % BLOCK_PAIRS == 0 else None
        return Chunk(self.match, self.first, games, rounds, self.totals, fault, seconds, self.forfeits, blocks)

    def _note(self, found: Fault) -> Fault | None:
        """Write a fault down as a forfeit; returned if it is none of a strategy's."""
        if found.code != BAD_CARD:
            return found
        self.forfeits[found.pair, found.game] = (found.side, why_of(found))
        return None

    def _keep(self, totals: MatchTotals, pairs: int) -> None:
        self.totals.add(totals)
        memory = self.worker.memory
        self.games.append(memory.games[:pairs].copy())
        self.rounds.append(self.worker.rounds(pairs).copy())

    def _pair(self, pair: int) -> Fault | None:
        """Play what can be played of a pair with a forfeit, and count it."""
        worker, memory = self.worker, self.worker.memory
        while True:
            left = [game for game in (0, 1) if (pair, game) not in self.forfeits]
            memory.games[:1] = 0
            memory.leader_points[:1] = 0
            memory.clear_counters()
            memory.set("rounds_played", 0)
            memory.set("first_pair", pair)
            if not left:
                break
            memory.set("only_game", left[0] + 1)
            finished, found = worker.play(pair, 1)
            memory.set("only_game", 0)
            if finished:
                break
            assert found is not None
            fault = self._note(found)
            if fault is not None:
                return fault
        # who dealt first: as in the other game, with the sides swapped; if neither was played, as if seat 0 had
        dealer = int(memory.games[0, left[0]]["first_dealer"]) ^ left[0] if left else 0
        for game in (0, 1):
            if game not in left:
                side, _ = self.forfeits[pair, game]
                record = memory.games[0, game]
                record["a_seat"], record["first_dealer"], record["winner"] = game, dealer ^ game, 1 - side
        totals = worker.totals(1)
        totals.pair_margins[...] = 0  # one game's margin is no pair's
        for game in (0, 1):
            if game not in left:
                totals.forfeits[self.forfeits[pair, game]] += 1
        self._keep(totals, 1)
        return None
