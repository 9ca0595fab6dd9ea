"""Small runs for the tests of tournaments: folders compared byte for byte, runs in a child that can be killed."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path

TIMED = ("summary.json", "timing.json")  # what says how long it took


def bytes_of(folder: Path) -> dict[str, bytes]:
    """Every file of a run that does not depend on time."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file() and path.name not in TIMED}


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


def wait_for(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait until something is so."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.002)
