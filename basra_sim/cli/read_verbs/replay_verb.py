"""`basra-sim replay`: a game ply by ply, from a run folder or from its text, and what each play cost."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basra_sim.errors import BadInput

from .one_game import game_options, of_run, tell

if TYPE_CHECKING:
    from basra_sim.game.notation import GameScript

PLACES = ("pair", "game", "match", "packs")  # options that name a game of a run
# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("game_or_run", metavar="GAME")
@game_options
def replay(game_or_run: str, **options: Any) -> None:
    """Play GAME again ply by ply: a run folder, a file that `show` or `replay` wrote, or - for standard input.

    \b
    basra-sim replay reports/RUN --pair 3 --explain
    basra-sim replay game.txt --explain --with pimc --with ./mine.py --format csv

    A written game is checked: every line must be what the rules make of it. With --explain each play is weighed as by
    `basra-sim explain`, and the end says what either side lost and which plays lost most: in last deals exactly, before
    them as an estimate.
    """
    tell(_game(game_or_run, options), **options)


def _game(given: str, options: dict[str, Any]) -> GameScript:
    """The game that is named or written."""
    from basra_sim.game.notation import replay as check

    if given != "-" and Path(given).is_dir():
        return of_run(Path(given), options)
    for name in PLACES:
        if options[name] is not None:
            raise BadInput(f"--{name} goes with a run folder; {given} is one game")
    try:
        text = sys.stdin.read() if given == "-" else Path(given).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", error)
        raise BadInput(f"{given} is no run folder, and no game can be read from it: {why}") from None
    try:
        return check(text)
    except BadInput as error:
        raise BadInput(f"{'standard input' if given == '-' else given}: {error}") from None
