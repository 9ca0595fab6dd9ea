"""A run while it is played: stage by stage, chunks in schedule order into its state, an eye on the clock and on Ctrl-C."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from basra_sim.analysis.statistics.sequential import anytime_interval
from basra_sim.errors import BasraError
from basra_sim.records.counters import MatchTotals
from basra_sim.workers.chunks import Chunk, Progress, play_chunk
from basra_sim.workers.fault_words import fault_error
from basra_sim.workers.plan import Plan
from basra_sim.workers.threads import CHUNK_PAIRS, make_ready, play

from .run_state import RunState
from .stopping import Watcher
from .tournament import Form, Stage

CHUNK_SECONDS = 0.25  # a chunk is at most about so long: what a kill loses, and how often the live line changes
FIRST_CHUNK = 256
LIVE_SECONDS = 0.25


@contextmanager
def held() -> Iterator[None]:
    """Keep a Ctrl-C that comes inside for the end, where it is raised as KeyboardInterrupt.

    Python alone would raise it between any two instructions. Elsewhere than in the main thread, or where the program has a
    handler of its own, nothing is changed.
    """
    usual = signal.default_int_handler
    if threading.current_thread() is not threading.main_thread() or signal.getsignal(signal.SIGINT) is not usual:
        yield
        return
    pressed = False

    def wait(*_: Any) -> None:
        nonlocal pressed
        pressed = True

    signal.signal(signal.SIGINT, wait)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
    if pressed:
        raise KeyboardInterrupt


class Playing:
    """Plays a plan in the form of a tournament; what was played is in its `state`."""

    def __init__(
        self,
        plan: Plan,
        form: Form,
        watcher: Watcher,
        *,
        jobs: int = 1,
        records: str = "none",
        folder: Path | None = None,
        chunk_pairs: int | None = None,
        progress: Progress | None = None,
        player: Callable[..., Chunk] | None = None,
        cluster: Callable[..., Iterator[Chunk]] | None = None,
    ) -> None:
        self.plan, self.watcher = plan, watcher
        self.jobs, self.records, self.chunk_pairs = jobs, records, chunk_pairs
        self.progress = progress or Progress()
        self.player, self.cluster = player or play_chunk, cluster
        self.state = RunState(plan, form, watcher, self.progress, records, folder)
        self._pace: dict[int, float] = {}  # seconds a pair
        self._live = 0.0

    def go(self) -> BaseException | None:
        """Play to the end; what stopped it before that, if anything did. The records hold all that was played, or are absent."""
        make_ready(self.plan)  # compiling and building tables is not playing
        state, started = self.state, time.perf_counter()
        before = state.seconds
        error: BaseException | None = None
        with ExitStack() as stack:
            try:
                if state.recorder is not None:
                    state.recorder.open(stack, self.progress)
                while error is None and self._next_stage():
                    error = self._play_stage(started, before)
            except (KeyboardInterrupt, BasraError) as stop:
                error = stop
                self.progress.stop = True
            try:
                if state.recorder is not None:
                    state.recorder.finish()
            except BasraError as full:
                error = error or full
        state.seconds = before + time.perf_counter() - started
        return error

    def _next_stage(self) -> bool:
        with held():  # the turns of all its matches come together
            return self.state.next_stage()

    def _tasks(self, stage: Stage) -> Iterator[tuple[int, int, int]]:
        """Chunks of a stage, as long as CHUNK_SECONDS once it is known how fast the match goes."""
        for match, at, stop in list(self.state.left(stage)):
            while at < stop and match not in self.state.stopped:
                size = min(self._size(match), stop - at)
                yield match, at, size
                at += size

    def _size(self, match: int) -> int:
        if self.chunk_pairs is not None:
            return self.chunk_pairs
        pace = self._pace.get(match)
        if pace is None:
            return FIRST_CHUNK if self.plan.is_compiled(match) else 16
        size = int(min(CHUNK_PAIRS, max(1, CHUNK_SECONDS / max(pace, 1e-9))))
        return size // 64 * 64 if size >= 64 else size

    def _play_stage(self, started: float, before: float) -> BaseException | None:
        state = self.state
        assert state.stage is not None
        self.progress.stop = False  # the last stage's generator has set it
        tasks, want_rounds = self._tasks(state.stage), self.records == "rounds"
        if self.cluster is not None:
            chunks = self.cluster(tasks, want_rounds, self.progress)
        else:
            chunks = play(
                self.plan, jobs=self.jobs, want_rounds=want_rounds, progress=self.progress, tasks=tasks, player=self.player
            )
        for chunk in chunks:
            if chunk.match in state.stopped:
                continue  # it was under way when the match was decided
            with held():  # half a chunk in the counters, the digest or the records would be wrong for good
                self._absorb(chunk)
                state.seconds = before + time.perf_counter() - started
                state.save()
            if chunk.fault is not None:
                return fault_error(self.plan, chunk.match, chunk.fault)
        return None

    def _absorb(self, chunk: Chunk) -> None:
        match = self.state.matches[chunk.match]
        if len(chunk.games):
            self._pace[chunk.match] = chunk.seconds / len(chunk.games)
        if self.watcher:
            cut = self.watcher.cut(match.pair_scores, chunk.games)
            if cut is not None:
                self.state.stopped.add(chunk.match)
                if cut < len(chunk.games):
                    want_rounds = self.records == "rounds"
                    chunk = self.player(self.plan, chunk.match, chunk.first_pair, cut, want_rounds=want_rounds)
        self.state.add(chunk)
        self._tell(match)

    def _tell(self, match: MatchTotals) -> None:
        """The live line of the progress bar: an interval that may be watched."""
        now = time.monotonic()
        if now - self._live < LIVE_SECONDS or not match.pairs:
            return
        self._live = now
        e = anytime_interval([int(c) for c in match.pair_scores])
        if e.value is not None and e.low is not None and e.high is not None:
            self.progress.live = f"{match.name}: {e.value:.1%} ({e.low:.1%} to {e.high:.1%})"
