"""What a command is at, for those that wait: a line on stderr, on a terminal only, gone when the work is done."""

from __future__ import annotations

import sys
import threading
from typing import Any

from .console import console

DELAY_SECONDS = 1.0  # what is done by then shows nothing


class Waiting:
    """A context; call it as (done, of) or (done, of, what) while the work goes on. Without numbers the bar only moves."""

    def __init__(self, what: str, quiet: bool = False) -> None:
        self._at: dict[str, Any] = {"description": what, "completed": 0, "total": None, "counted": ""}
        self._shown: Any = None
        self._lock = threading.Lock()
        self._timer = None if quiet or not sys.stderr.isatty() else threading.Timer(DELAY_SECONDS, self._show)

    def __call__(self, done: int, of: int, what: str | None = None) -> None:
        with self._lock:
            self._at |= {"completed": done, "total": of, "counted": f"{done:,} of {of:,}"}
            self._at["description"] = what or self._at["description"]
            if self._shown is not None:
                self._shown.update(0, **self._at)

    def _show(self) -> None:
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.fields[counted]}"), TimeRemainingColumn())
        with self._lock:
            if self._timer is None:
                return  # all is done
            self._shown = Progress(*columns, console=console(stderr=True), transient=True)
            self._shown.add_task(**self._at)
            self._shown.start()

    def __enter__(self) -> Waiting:
        if self._timer is not None:
            self._timer.daemon = True
            self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._timer = None
            if self._shown is not None:
                self._shown.stop()
