"""What watches one process that plays chunks, and kills it when a play does not end. Knows marks and clocks, nothing of cards.

What the process is doing lies in memory that both see: which pair, which game, and for each side a mark that is odd while its
strategy is at work. So whoever does not come back is known, and nobody else is blamed.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import queue
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from basra_sim.engine.layouts import CONTEXT, DESK, ROOM_BYTES
from basra_sim.errors import BasraError

from .chunks import Chunk, Progress
from .forfeits import EXITED, TIMEOUT
from .guarded_process import receive, send
from .portable_plan import PortablePlan

POLL_SECONDS = 0.05
START_SECONDS = 600.0  # to load and compile the strategies
GONE_SECONDS = 5.0  # for a process that can no longer be understood to end by itself
WALL_FACTOR, WALL_SECONDS = 10.0, 5.0  # a strategy that waits uses no CPU time: it has so much by the clock


def cpu_seconds(process: int) -> float | None:
    """CPU time of another process, all its threads; None where the system does not say."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError, ValueError):
        return None


class Trouble(Exception):
    """A process that did not answer: the side at work (None: neither), the place, and why."""

    def __init__(self, side: int | None, pair: int, game: int, why: int | None) -> None:
        super().__init__(f"side {side} in pair {pair}, game {game}")
        self.side, self.pair, self.game, self.why = side, pair, game, why


class Guard:
    """One process, and what it is asked."""

    def __init__(self, plan: PortablePlan, timeout: float) -> None:
        self.timeout = timeout
        self.usable = True
        self._measures = cpu_seconds(os.getpid()) is not None  # whether this system tells CPU times at all
        handle, self._path = tempfile.mkstemp(prefix="basra-sim-guard-")
        os.truncate(handle, -(-ROOM_BYTES // mmap.PAGESIZE) * mmap.PAGESIZE)
        self._map = mmap.mmap(handle, 0)
        os.close(handle)
        self._room = np.frombuffer(self._map, np.uint8)
        self._context = self._room[: CONTEXT.itemsize].view(CONTEXT)
        self.process = subprocess.Popen(
            [sys.executable, "-m", "basra_sim.workers.guarded_process"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True,
        )  # fmt: skip
        self._answers: queue.Queue[Any] = queue.Queue()
        self.child = 0  # the process that plays: a fork of the one that loaded the strategies
        for pipe in (self.process.stdout, self.process.stderr):
            threading.Thread(target=self._read, args=(pipe,), daemon=True).start()
        try:
            send(self.process.stdin, (plan, self._path))  # type: ignore[arg-type]
            answer = self._answers.get(timeout=START_SECONDS)
        except (queue.Empty, OSError):
            answer = None
        if answer != "ready":
            self.close()
            raise BasraError("a process for strategies that are not built in could not be started; --on-fault stop needs none")

    def _read(self, pipe: Any) -> None:
        try:
            while True:
                message = receive(pipe)
                if isinstance(message, tuple) and message[0] == "begun":
                    self.child = message[1]
                else:
                    self._answers.put(message)
        except Exception:  # the process is gone, or what came is no message
            self._answers.put(("gone", None))

    def marks(self) -> tuple[int, int, int, int]:
        """(mark of a, mark of b, pair, game) as they are now."""
        context = self._context[0]
        start = int(context["desks_at"])
        one, other = self._room[start : start + 2 * DESK.itemsize].view(DESK)["mark"]
        return int(one), int(other), int(context["now_pair"]), int(context["now_game"])

    def ask(self, task: tuple[int, int, int], known: dict[Any, Any], want_rounds: bool, progress: Progress) -> Chunk | None:
        """A chunk, or None when the run is stopped; Trouble if the process had to be killed or died."""
        try:
            send(self.process.stdin, (task, known, want_rounds))  # type: ignore[arg-type]
        except OSError:
            raise self._died("gone", None) from None
        seen: tuple[Any, ...] = ()
        cpu = wall = 0.0
        while True:
            with contextlib.suppress(queue.Empty):
                answer = self._answers.get(timeout=POLL_SECONDS)
                if isinstance(answer, tuple):
                    raise self._died(*answer)
                return answer
            if progress.stop:
                return None
            now, clock = self.marks(), time.monotonic()
            told = cpu_seconds(self.child or self.process.pid)
            # nothing is told of a process that has just ended: that is no time, and its end is announced in a moment
            spent = told if told is not None else cpu if self._measures else clock
            if now != seen:
                seen, cpu, wall = now, spent, clock
            elif self._at_work(now) is not None and (
                spent - cpu > self.timeout or clock - wall > WALL_FACTOR * self.timeout + WALL_SECONDS
            ):
                raise self._stop(now)

    @staticmethod
    def _at_work(marks: tuple[int, int, int, int]) -> int | None:
        return 0 if marks[0] % 2 else 1 if marks[1] % 2 else None

    def _stop(self, marks: tuple[int, int, int, int]) -> Trouble:
        """Kill the process of a play that takes too long."""
        with contextlib.suppress(OSError):
            os.kill(self.child, signal.SIGKILL)
        answer = self._answers.get()
        if isinstance(answer, tuple) and answer[1] not in (None, -signal.SIGKILL):
            return self._died(*answer)  # it had ended by itself just before
        self.usable = isinstance(answer, tuple) and answer[0] == "died"  # another has taken its place
        return Trouble(self._at_work(marks), marks[2], marks[3], TIMEOUT)

    def _died(self, word: str, code: int | None) -> Trouble:
        marks = self.marks()
        if word == "gone":
            with contextlib.suppress(subprocess.TimeoutExpired):  # it may have said what is no answer, and be there still
                code = self.process.wait(GONE_SECONDS)
        outside = code in (-signal.SIGKILL, -signal.SIGTERM)  # the system, or somebody, and not the strategy itself
        # half an answer may lie in the pipe where nobody can say at what moment it was
        self.usable = word == "died" and not outside and self._at_work(marks) is not None
        return Trouble(self._at_work(marks), marks[2], marks[3], None if outside else EXITED)

    def close(self) -> None:
        """End the process, and what it may have started."""
        with contextlib.suppress(OSError):
            if os.name == "posix":
                os.killpg(self.process.pid, signal.SIGKILL)
            else:
                self.process.kill()
        self.process.wait()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            with contextlib.suppress(OSError):
                pipe.close()  # type: ignore[union-attr]
        Path(self._path).unlink(missing_ok=True)
