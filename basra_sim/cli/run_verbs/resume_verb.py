"""`basra-sim resume`: go on with a run that was stopped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .games_bar import Bar
from .playing_on import taken_up
from .run_outcome import tell

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@taken_up
def resume(folder: Path, form: str, quiet: bool, **where: Any) -> int:
    """Go on with the run in FOLDER that was stopped: by Ctrl-C, a kill, a full disk or a power cut.

    It ends with the same tables, files and digest as a run that was never stopped. Where that cannot be promised, because a
    strategy file, the rules or the program changed since, the run is refused and the reason said.
    """
    from basra_sim.runs.resuming import resume as go_on

    with Bar(quiet) as bar:
        outcome = go_on(folder, progress=bar.progress, on_plan=bar.plan, **where)
    return tell(outcome, folder, form)
