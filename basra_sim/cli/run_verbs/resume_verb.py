"""`basra-sim resume`: go on with a run that was stopped."""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

_OPTIONS = (
    click.option("-j", "--jobs", type=click.IntRange(min=1), default=None, help="Workers; default: the cores of this machine."),
    click.option("--backend", type=click.Choice(["threads", "dask"]), default="threads", show_default=True,
                 help="Where chunks are played: on this machine, or on a Dask cluster (see docs/cluster.md)."),
    click.option("--scheduler", metavar="ADDRESS", default=None, help="The Dask scheduler, such as tcp://127.0.0.1:8786."),
    click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True,
                 help="What is printed."),
    click.option("-q", "--quiet", is_flag=True, help="No progress bar and no notes."),
)  # fmt: skip


def taken_up(command: Callable[..., int]) -> Callable[..., int]:
    """The options of a verb that plays on in a run folder."""

    @functools.wraps(command)
    def call(*, jobs: int | None, **given: Any) -> int:
        return command(jobs=jobs or os.cpu_count() or 1, **given)

    for option in reversed(_OPTIONS):
        call = option(call)
    return call


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@taken_up
def resume(folder: Path, form: str, quiet: bool, **where: Any) -> int:
    """Go on with the run in FOLDER that was stopped: by Ctrl-C, a kill, a full disk or a power cut.

    It ends with the same tables, files and digest as a run that was never stopped. Where that cannot be promised, because a
    strategy file, the rules or the program changed since, the run is refused and the reason said.
    """
    from basra_sim.runs.resuming import resume as go_on

    from .run_verb import Bar, tell

    with Bar(quiet) as bar:
        outcome = go_on(folder, progress=bar.progress, on_plan=bar.plan, **where)
    return tell(outcome, folder, form)
