"""`basra-sim show`: one game of a run as text, ply by ply."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--pair", type=int, default=0, show_default=True, help="The game pair, from 0 (or the line of the pack, from 0).")
@click.option("--game", type=int, default=0, show_default=True, help="0 or 1: the first or the second game of the pair.")
@click.option("--match", default=None, metavar="MATCH",
              help="The match, by name or by number from 0; needed if there are several.")
@click.option("--packs", default=None, metavar="FILE", help="Where the pack file of the run lies now.")
@click.option("--strategies", "folders", multiple=True, metavar="DIR", help="A folder with the strategies as they were.")
@click.option("-q", "--quiet", is_flag=True, help="No progress bar.")
def show(
    run: Path, pair: int, game: int, match: str | None, packs: str | None, folders: tuple[str, ...], quiet: bool
) -> None:
    """Replay one game of the run folder RUN from its seed and print it ply by ply.

    Nothing was stored of the game: it is played again, and refused where a strategy file or the packs have changed since.
    The text can be kept, and read by basra_sim.notation.
    """
    from .console import echo
    from .waiting import Waiting

    with Waiting("replaying", quiet):
        from ..notation import write_game
        from ..replay import replay_game

        script = replay_game(run, pair, game, match, packs=packs, folders=folders)
    echo(write_game(script), nl=False)
