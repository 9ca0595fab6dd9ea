"""Writing reports from verbs: a report.html into a run folder, and few looks for garbage while it is made."""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator
from pathlib import Path

from .console import echo
from .waiting import Waiting

# the library is imported when a verb is called: --help is click alone


@contextlib.contextmanager
def collecting_rarely() -> Iterator[None]:
    """Look for garbage seldom: what libraries and figures make stays, and looking through it was a tenth of the time.

    Only while the report is made: whoever goes on in this process would otherwise keep what refers to itself in a circle.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def write_into(folder: Path, form: str = "table", quiet: bool = False) -> None:
    """Write report.html into a run folder and say where; on stderr where stdout holds data. Not for a run without files."""
    from basra_sim.records.run_folder import MANIFEST

    if (folder / MANIFEST).exists():
        with collecting_rarely(), Waiting("report", quiet) as waiting:
            from basra_sim.report import build, write_html

            write_html(build([folder], waiting), folder / "report.html", progress=waiting)
        echo(f"Report: {folder / 'report.html'}", err=form != "table")
