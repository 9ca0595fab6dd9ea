"""Small runs for the tests of tournaments: folders compared byte for byte, runs in a child that can be killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from basra_sim.runs.playing import Playing
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run
from basra_sim.workers.chunks import Chunk

TIMED = ("summary.json", "timing.json")  # what says how long it took


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file of a run that does not depend on time."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file() and path.name not in TIMED}


def fresh(root: Path, name: str, field: Sequence[str], **asked: Any) -> Path:
    """Play a run into a new folder; returns the folder."""
    folder = root / name
    folder.mkdir()
    assert run(field, Settings(**asked), folder=folder).error is None
    return folder


@contextmanager
def pressed_at(chunk: int) -> Iterator[None]:
    """Inside, Ctrl-C comes with the so many'th chunk of a run, before it is counted."""
    absorb, count = Playing._absorb, [0]

    def interrupted(self: Playing, one: Chunk) -> None:
        count[0] += 1
        if count[0] == chunk:
            raise KeyboardInterrupt
        absorb(self, one)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Playing, "_absorb", interrupted)
        yield


def in_child(work: Callable[[], object]) -> int:
    """Start `work` in a fork of this process, in a group of its own; returns its process id."""
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


def kill(child: int) -> bool:
    """kill -9; whether it was still at work."""
    done, _ = os.waitpid(child, os.WNOHANG)
    if done:
        return False
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return True


def ended(child: int) -> int:
    """Wait until a child has ended by itself; its exit code, or less than 0 the signal that ended it."""
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)
