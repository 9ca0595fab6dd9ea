"""`basra-sim extend`: more games or more strategies for a run that is complete."""

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
@click.option("-n", "--games", type=click.IntRange(min=1), default=None, help="Games a match in all: the new total.")
@click.option("--add", multiple=True, metavar="STRATEGY", help="A strategy that joins the field; may be repeated.")
@taken_up
def extend(folder: Path, games: int | None, add: tuple[str, ...], form: str, quiet: bool, **where: Any) -> int:
    """Play more games of the run in FOLDER, or let more strategies join, on the same packs; only what is missing is played.

    Digest, tables and files become those of a run that was asked for all of it at once. With --sprt or --until, --games raises
    the most that is played of matches that ended undecided; an adaptive run goes on with a larger budget; a Swiss tournament
    or a knockout takes of what it has what its longer matches need. A field can grow in a round robin and in a gauntlet.
    """
    from basra_sim.runs.extending import extend as more

    with Bar(quiet) as bar:
        outcome = more(folder, games=games, add=add, progress=bar.progress, on_plan=bar.plan, **where)
    return tell(outcome, folder, form)
