"""Chunks in which a fault is a forfeit, those with strategies that nobody vouches for in processes under guard.

Each worker thread has a guard of its own, and is told whom to blame when its process did not come back.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import Any

from basra_sim.errors import BasraError

from .chunks import Chunk, Progress
from .forfeits import MEMORY, play_forgiving
from .guard import Guard, Trouble
from .plan import Plan
from .portable_plan import is_builtin, portable


def _without_objects(plan: Plan) -> Plan:
    """The plan with another strategy in the place of each object: one that is not asked for in any guarded match."""
    other = next(player for player in plan.players if player.strategy.path is not None)
    players = [
        p if p.strategy.path is not None else replace(other, strategy=replace(other.strategy, name=p.strategy.name))
        for p in plan.players
    ]
    return replace(plan, players=players)


class GuardedMatches:
    """Plays chunks with faults as forfeits; matches with strategies that are not built in, under guard.

    Called as `play_chunk` is. A process that dies from outside is replaced and its chunk played again; one in which a
    strategy ended the process, or did not come back in `timeout` seconds of CPU time, costs that strategy the game.
    """

    def __init__(self, plan: Plan, folders: Any, interpret: bool, timeout: float) -> None:
        self.timeout = timeout
        objects = [player.strategy.path is None for player in plan.players]  # of this program: they cannot be sent
        strange = [not gone and not is_builtin(p.strategy) for gone, p in zip(objects, plan.players, strict=True)]
        self.guarded = {
            match for match, (i, j) in enumerate(plan.matches)
            if (strange[i] or strange[j]) and not (objects[i] or objects[j])
        }  # fmt: skip
        self._sent = portable(_without_objects(plan), folders, interpret) if self.guarded else None
        self._own = threading.local()
        self._all: list[Guard] = []
        self._lock = threading.Lock()
        self.replaced = 0

    def __call__(
        self, plan: Plan, match: int, first_pair: int, pairs: int, *, want_rounds: bool = False, progress: Progress | None = None
    ) -> Chunk:
        """A chunk of a match."""
        progress = progress or Progress()
        if match not in self.guarded:
            return play_forgiving(plan, match, first_pair, pairs, want_rounds=want_rounds, progress=progress)
        known: dict[tuple[int, int], tuple[int, int]] = {}
        last: Trouble | None = None
        tries = 0
        while True:
            try:
                chunk = self._guard().ask((match, first_pair, pairs), known, want_rounds, progress)
            except Trouble as trouble:
                if not self._own.guard.usable:
                    self._drop()
                again = last is not None and (trouble.pair, trouble.game, trouble.side) == (last.pair, last.game, last.side)
                tries = tries + 1 if again else 0
                last = trouble
                self._blame(plan, match, known, trouble, tries)
                continue
            if chunk is None:
                self._drop()
                return play_forgiving(plan, match, first_pair, 0, progress=progress)
            progress.add(2 * len(chunk.games))
            return chunk

    def _blame(self, plan: Plan, match: int, known: dict[Any, Any], trouble: Trouble, tries: int) -> None:
        if trouble.why is None and tries < 2:
            self.replaced += 1
            return  # killed from outside: played again, and not the strategy's fault unless it happens again and again there
        if trouble.side is None:
            if tries < 2:
                return
            names = plan.names(match)
            raise BasraError(
                f"the process of match {names[0]} - {names[1]} ended again and again while neither strategy was at work "
                f"(pair {trouble.pair}, game {trouble.game}); play that match with --on-fault stop to see more"
            )
        known[trouble.pair, trouble.game] = (trouble.side, MEMORY if trouble.why is None else trouble.why)

    def _guard(self) -> Guard:
        guard: Guard | None = getattr(self._own, "guard", None)
        if guard is None:
            assert self._sent is not None
            guard = self._own.guard = Guard(self._sent, self.timeout)
            with self._lock:
                self._all.append(guard)
        return guard

    def _drop(self) -> None:
        guard = self._own.guard
        self._own.guard = None
        with self._lock:
            self._all.remove(guard)
        guard.close()

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            for guard in self._all:
                guard.close()
            self._all.clear()
