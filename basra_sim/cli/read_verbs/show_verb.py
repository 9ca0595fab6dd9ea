"""`basra-sim show`: one game of a run as text, ply by ply."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .one_game import game_options, of_run, tell


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@game_options
def show(run: Path, **options: Any) -> None:
    """Replay one game of the run folder RUN from its seed and print it ply by ply.

    Nothing was stored of the game: it is played again, and refused where a strategy file or the packs have changed since.
    The text can be kept, and read by `basra-sim replay` and by basra_sim.notation. With --explain every play is weighed.
    """
    tell(of_run(run, options), **options)
