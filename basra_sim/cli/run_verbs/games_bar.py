"""Progress of the verbs that play: a bar on a terminal, else a line from time to time; and the notes of a run."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from basra_sim.cli.console import console, echo

LINE_SECONDS = 60.0  # between two lines of progress where there is no terminal for a bar
BAR_SECONDS = 0.1  # between two looks of the bar
# the library is imported when a verb is called: --help is click alone


class Bar:
    """Progress on stderr: a bar on a terminal, else a line from time to time; and the notes, one line each."""

    def __init__(self, quiet: bool) -> None:
        from basra_sim.workers.chunks import Progress

        self.progress = Progress()
        self.quiet = quiet
        self._shown: Any = None
        self._done = threading.Event()
        self._watcher: threading.Thread | None = None

    def plan(self, prepared: Any) -> None:
        """Called when all is loaded: print the notes, start the bar."""
        if self.quiet:
            return
        for note in prepared.notes:
            echo(f"note: {note}", err=True)
        total = 2 * prepared.form.expected_pairs()
        if sys.stderr.isatty():
            self._every(BAR_SECONDS, self._bar(total))
        else:
            self._every(LINE_SECONDS, self._lines(total))

    def _every(self, seconds: float, tell: Callable[[], None]) -> None:
        """Tell every so many seconds how far it is, until all is done."""

        def watch() -> None:
            while not self._done.wait(seconds):
                tell()

        self._watcher = threading.Thread(target=watch, daemon=True)
        self._watcher.start()

    def _lines(self, total: int) -> Callable[[], None]:
        """What says it in lines: for a long run whose output goes to a file."""
        from basra_sim.game.phrases import count_of

        started, before = time.perf_counter(), self.progress.games

        def tell() -> None:
            played = self.progress.games
            rate = (played - before) / (time.perf_counter() - started)
            minutes = max(1, round((total - played) / rate / 60)) if rate > 0 else 0
            left = f", about {count_of(minutes, 'minute')} to go" if minutes else ""
            with contextlib.suppress(OSError):
                echo(f"{played:,} of {total:,} games, {rate:,.0f} a second{left}", err=True)

        return tell

    def _bar(self, total: int) -> Callable[[], None]:
        """What moves a bar, which is shown from now on."""
        from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

        self._shown = Progress(
            TextColumn("{task.completed:,.0f} of {task.total:,.0f} games"),
            BarColumn(),
            TextColumn("{task.fields[rate]} a second"),
            TimeRemainingColumn(),
            TextColumn("{task.fields[live]}"),
            console=console(stderr=True),
            transient=True,
        )
        task = self._shown.add_task("", total=total, rate="", live="")
        self._shown.start()
        started = time.perf_counter()

        def move() -> None:
            played = self.progress.games
            rate = f"{(played - self.progress.before) / (time.perf_counter() - started):,.0f}"
            self._shown.update(task, completed=played, rate=rate, live=self.progress.live)

        return move

    def __enter__(self) -> Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._watcher:
            self._done.set()
            self._watcher.join()
        if self._shown:
            self._shown.stop()
