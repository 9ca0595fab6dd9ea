"""Some consecutive pairs of one match, played by one worker, and what came of them. Writes no file and prints nothing."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

import numpy as np

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.records.counters import MatchTotals
from basra_sim.records.digest import BLOCK_PAIRS, block_digests

from .plan import Plan
from .worker import Fault, Worker

SLICE_SECONDS = 0.02  # a worker looks up from the engine about so often: for progress, and to stop when asked


@dataclass
class Chunk:
    """The exact results of some consecutive pairs of one match."""

    match: int
    first_pair: int
    games: np.ndarray  # GAME_DTYPE (pairs, 2)
    rounds: np.ndarray  # ROUND_DTYPE, empty unless asked for
    totals: MatchTotals
    fault: Fault | None = None
    seconds: float = 0.0
    forfeits: dict[tuple[int, int], tuple[int, int]] = field(default_factory=dict)  # (pair, game): side at fault, why
    blocks: bytes | None = None  # digest.block_digests of the games, if the chunk begins with a block


@dataclass
class Progress:
    """What the workers have done so far, for a progress bar; and the way to stop them."""

    games: int = 0
    before: int = 0  # of them those that an earlier process played
    stop: bool = False
    sizes: dict[int, int] = field(default_factory=dict)  # pairs that a worker plays between two looks up, by match
    live: str = ""  # what is known so far, in words that may be watched
    lock: threading.Lock = field(default_factory=threading.Lock)

    def add(self, games: int) -> None:
        """Called by the workers."""
        with self.lock:
            self.games += games


def play_chunk(
    plan: Plan,
    match: int,
    first_pair: int,
    pairs: int,
    *,
    want_rounds: bool = False,
    progress: Progress | None = None,
) -> Chunk:
    """Play consecutive pairs of a match. Stops early at a fault, or (with what is done) when progress.stop is set."""
    started = time.perf_counter()
    worker = Worker(plan, match, load_table(plan.rules), pairs, want_rounds)
    sizes = progress.sizes if progress else {}
    done, size, fault = 0, sizes.get(match, 1), None
    while done < pairs and fault is None and not (progress and progress.stop):
        before = time.perf_counter()
        asked = min(size, pairs - done)
        finished, fault = worker.play(first_pair, asked, done)
        took = time.perf_counter() - before
        done += finished
        if progress:
            progress.add(2 * finished)
        if took < SLICE_SECONDS and asked == size:
            size = sizes[match] = size * 8 if took < SLICE_SECONDS / 8 else size * 2
        elif took > 2 * SLICE_SECONDS:
            size = sizes[match] = max(1, size // 2)
    worker.memory.set("first_pair", first_pair)
    games = worker.memory.games[:done]
    rounds = worker.rounds(done)
    blocks = block_digests(games) if first_pair % BLOCK_PAIRS == 0 else None
    seconds = time.perf_counter() - started
    return Chunk(match, first_pair, games, rounds, worker.totals(done), fault, seconds, blocks=blocks)
