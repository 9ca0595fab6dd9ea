"""What the verbs that play say at the end: the tables of a run, what stopped it, and the exit code."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

from basra_sim.cli.console import console, echo, hush_stdout
from basra_sim.errors import INTERRUPTED, STRATEGY_FAULT, BasraError

# the library is imported when a verb is called: --help is click alone


def tell(outcome: Any, folder: Path, form: str) -> int:
    """Print what a run found, and what stopped it if anything did; returns the exit code."""
    if outcome.put_back:
        echo(f"basra-sim: {outcome.error}; nothing was added, {folder} is as it was", err=True)
        return int(outcome.error.exit_code)
    try:
        _print(outcome, folder, form)
        sys.stdout.flush()
    except BrokenPipeError:
        hush_stdout()  # the reader went away; what stopped the run is still said, and the code is that of the run
    go_on = f"; to go on: basra-sim resume {shlex.quote(str(folder))}" if outcome.resumable else ""
    if isinstance(outcome.error, KeyboardInterrupt):
        echo(f"basra-sim: interrupted; the tables and files hold the games played so far{go_on}", err=True)
        return INTERRUPTED
    if isinstance(outcome.error, BasraError):
        echo(f"basra-sim: {outcome.error}{go_on}", err=True)
        return outcome.error.exit_code
    for match in outcome.left_out:
        echo(f"note: {match} is no match of the longer tournament; what was played of it is left out", err=True)
    forfeits = sum(int(match.forfeits.sum()) for match in outcome.totals.matches)
    if forfeits:
        echo(f"basra-sim: {forfeits:,} games were forfeited by faults of strategies; the table says whose", err=True)
        return STRATEGY_FAULT
    return 0


def _print(outcome: Any, folder: Path, form: str) -> None:
    if form == "table":
        from basra_sim.analysis.text.summary_text import print_tables

        shown = console()
        print_tables(outcome.summary, shown)
        shown.print(f"Files: {folder}", soft_wrap=True)
    else:
        from basra_sim.analysis.text.rendering import render

        echo(render(outcome.summary, form), nl=False)
