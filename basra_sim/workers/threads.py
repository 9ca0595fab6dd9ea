"""A plan played on this machine: chunks to threads, their results back in schedule order, whatever the threads do.

So digests and files do not depend on how many there are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sized
from concurrent.futures import Future, ThreadPoolExecutor

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.kernels.games import play_pairs
from basra_sim.engine.memory import Memory

from .chunks import Chunk, Progress, play_chunk
from .plan import Plan
from .value_counts import ensure

CHUNK_PAIRS = 4096


def make_ready(plan: Plan) -> None:
    """Load or build the table and compile the engine, once, before the workers ask for them and before the clock runs."""
    memory = Memory(plan.rules, load_table(plan.rules), 1)
    memory.start(plan.seed, 0, 0)
    play_pairs(0, 0, memory.context.ctypes.data)


def play(
    plan: Plan,
    *,
    jobs: int = 1,
    chunk_pairs: int = CHUNK_PAIRS,
    want_rounds: bool = False,
    progress: Progress | None = None,
    tasks: Iterable[tuple[int, int, int]] | None = None,
    player: Callable[..., Chunk] | None = None,
) -> Iterator[Chunk]:
    """Play a plan; chunks come in schedule order. The last one may carry a fault, after which nothing follows.

    `tasks` (match, first pair, pairs) are played in the place of every pair of every match; they may be made on the way.
    `player` plays a chunk, with the arguments of `play_chunk`, in its place.
    """
    make_ready(plan)
    if any(strategy.strategy.uses_values for strategy in plan.players):
        ensure(plan.rules)
    if tasks is None:
        tasks = [
            (match, first, min(chunk_pairs, plan.pairs - first))
            for match in range(len(plan.matches)) for first in range(0, plan.pairs, chunk_pairs)
        ]  # fmt: skip
    for chunk in _ordered(plan, tasks, jobs, want_rounds, progress or Progress(), player or play_chunk):
        yield chunk
        if chunk.fault is not None:
            return


def _ordered(
    plan: Plan, tasks: Iterable[tuple[int, int, int]], jobs: int, want_rounds: bool, progress: Progress,
    player: Callable[..., Chunk],
) -> Iterator[Chunk]:  # fmt: skip
    def run(task: tuple[int, int, int]) -> Chunk:
        return player(plan, *task, want_rounds=want_rounds, progress=progress)

    if jobs == 1 or (isinstance(tasks, Sized) and len(tasks) == 1):
        for task in tasks:
            yield run(task)
        return
    # threads: kernels release the GIL, compiled functions need not travel, and nothing is compiled twice. Results wait for
    # the reader in a window of fixed length: memory stays flat, and nobody plays far beyond where a match may end.
    pool = ThreadPoolExecutor(jobs)
    window: deque[Future[Chunk]] = deque()
    try:
        for task in tasks:
            window.append(pool.submit(run, task))
            if len(window) > 2 * jobs:
                yield window.popleft().result()
        while window:
            yield window.popleft().result()
    finally:
        progress.stop = True
        pool.shutdown(wait=True, cancel_futures=True)
