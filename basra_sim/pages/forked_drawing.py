"""Work that comes in many independent pieces, done by two processes where that is safe: the pictures of a report."""

from __future__ import annotations

import contextlib
import os
import pickle
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Sequence

FEWEST = 4  # pieces: for fewer a second process is not worth its start
PATIENCE, PATIENCE_SECONDS = 3.0, 5.0  # the other half may take so many times as long as ours, and so much more


def _can_fork() -> bool:
    return sys.platform == "linux" and (os.cpu_count() or 1) > 1  # elsewhere libraries do not stand being forked


class _Fork:
    """A fork of this process that does the jobs; closing it kills what is still there."""

    def __init__(self, jobs: Sequence[Callable[[], str]]) -> None:
        self._file = tempfile.TemporaryFile()  # noqa: SIM115
        self.child = os.fork()
        if not self.child:
            code = 1
            try:
                pickle.dump([job() for job in jobs], self._file)
                self._file.flush()
                code = 0
            finally:
                os._exit(code)  # nothing of the parent's is flushed or cleaned up twice

    def results(self, seconds: float) -> list[str]:
        """What the jobs returned; nothing when they failed or take more than so many seconds."""
        until = time.monotonic() + seconds
        while self.child and time.monotonic() < until:
            done, status = os.waitpid(self.child, os.WNOHANG)
            if done:
                self.child = 0
                self._file.seek(0)
                return pickle.load(self._file) if status == 0 else []
            time.sleep(0.002)
        return []

    def close(self) -> None:
        if self.child:
            os.kill(self.child, signal.SIGKILL)
            os.waitpid(self.child, 0)
        self._file.close()


def in_halves(jobs: Sequence[Callable[[], str]], told: Callable[[int], None] = lambda done: None) -> list[str]:
    """What the jobs return, in their order. Every second one is done by a fork of this process; what it fails at is done here."""
    results: dict[int, str] = {}

    def work(places: Sequence[int]) -> None:
        for place in places:
            told(place + 1)
            results[place] = jobs[place]()

    if len(jobs) >= FEWEST and _can_fork():
        mine, other = range(0, len(jobs), 2), range(1, len(jobs), 2)
        with contextlib.suppress(OSError):  # no room for another process
            fork = _Fork([jobs[place] for place in other])
            with contextlib.closing(fork):
                begun = time.monotonic()
                work(mine)
                results.update(zip(other, fork.results(PATIENCE * (time.monotonic() - begun) + PATIENCE_SECONDS), strict=False))
    work([place for place in range(len(jobs)) if place not in results])
    return [results[place] for place in range(len(jobs))]
