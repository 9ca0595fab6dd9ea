"""Ctrl-C that waits until a piece of work is whole: counters, digest and records are added to together or not at all."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


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
