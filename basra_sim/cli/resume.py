"""`basra-sim resume`: go on with a run that was stopped."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-j", "--jobs", type=click.IntRange(min=1), default=None, help="Workers; default: the cores of this machine.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True,
              help="What is printed.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar and no notes.")
def resume(folder: Path, jobs: int | None, form: str, quiet: bool) -> int:
    """Go on with the run in FOLDER that was stopped: by Ctrl-C, a kill, a full disk or a power cut.

    It ends with the same tables, files and digest as a run that was never stopped. Where that cannot be promised, because a
    strategy file, the rules or the program changed since, the run is refused and the reason said.
    """
    from ..resuming import resume as go_on
    from .run import Bar, tell

    with Bar(quiet) as bar:
        outcome = go_on(folder, jobs=jobs or os.cpu_count() or 1, progress=bar.progress, on_plan=bar.plan)
    return tell(outcome, folder, form)
