"""`basra-sim extend`: more games or more strategies for a run that is complete."""

from __future__ import annotations

import os
from pathlib import Path

import click


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("-n", "--games", type=click.IntRange(min=1), default=None, help="Games a match in all: the new total.")
@click.option("--add", multiple=True, metavar="STRATEGY", help="A strategy that joins the field; may be repeated.")
@click.option("-j", "--jobs", type=click.IntRange(min=1), default=None, help="Workers; default: the cores of this machine.")
@click.option("--format", "form", type=click.Choice(["table", "json", "csv"]), default="table", show_default=True,
              help="What is printed.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar and no notes.")
def extend(folder: Path, games: int | None, add: tuple[str, ...], jobs: int | None, form: str, quiet: bool) -> int:
    """Play more games of the run in FOLDER, or let more strategies join, on the same packs; only what is missing is played.

    The tables become those of a run that was asked for all of it at once. The digest is then that of the matches, which such
    a run has in its manifest as "matches_digest".
    """
    from ..resuming import extend as more
    from .run import Bar, tell

    with Bar(quiet) as bar:
        outcome = more(folder, games=games, add=add, jobs=jobs or os.cpu_count() or 1, progress=bar.progress, on_plan=bar.plan)
    return tell(outcome, folder, form)
