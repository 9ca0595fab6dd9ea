"""What `show` and `replay` share: the options that say which game of a run, and how a game is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from basra_sim.cli.console import echo, make_streams_safe
from basra_sim.cli.shared_options import form_option, quiet_option
from basra_sim.cli.waiting import Waiting
from basra_sim.errors import BadInput

if TYPE_CHECKING:
    from basra_sim.game.notation import GameScript

# the library is imported when a verb is called: --help is click alone


def game_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say which game of a run, and how it is told."""
    for option in reversed((
        click.option("--pair", type=int, default=None,
                     help="The game pair, from 0 (or the line of the pack, from 0).  [default: 0]"),
        click.option("--game", type=int, default=None, help="0 or 1: the first or the second game of the pair.  [default: 0]"),
        click.option("--match", default=None, metavar="MATCH",
                     help="The match, by name or by number from 0; needed if there are several."),
        click.option("--packs", default=None, metavar="FILE", help="Where the pack file of the run lies now."),
        click.option("--strategies", "folders", multiple=True, metavar="DIR", help="A folder with the strategies as they were."),
        click.option("--explain", "explained", is_flag=True,
                     help="Weigh every play: what each card could do, what others would have played, what the choice cost."),
        click.option("--with", "names", multiple=True, metavar="STRATEGY",
                     help="With --explain: ask this strategy; may be repeated.  [default: tuned-endgame]"),
        click.option("--round", "rounds", multiple=True, type=int, metavar="N",
                     help="With --explain: only this round of the game, from 0; may be repeated."),
        form_option("text", "json", "csv"),
        quiet_option,
    )):  # fmt: skip
        command = option(command)
    return command


def of_run(run: Path, options: dict[str, Any]) -> GameScript:
    """The game of a run folder that the options name."""
    with Waiting("replaying", options["quiet"]):
        from basra_sim.runs.replaying import replay_game

        return replay_game(
            run, options["pair"] or 0, options["game"] or 0, options["match"], packs=options["packs"], folders=options["folders"]
        )


def tell(
    script: GameScript, *, explained: bool, names: Sequence[str], rounds: Sequence[int], form: str, folders: Sequence[str],
    quiet: bool, **_: Any,
) -> None:  # fmt: skip
    """Print a game, or what its plays were worth."""
    make_streams_safe()
    if not explained and (names or rounds):
        raise BadInput(f"--{'with' if names else 'round'} goes with --explain")
    if explained:
        echo(_weighed(script, form, names, rounds, folders, quiet), nl=False)
    else:
        echo(_plies(script, form), nl=False)


def _plies(script: GameScript, form: str) -> str:
    """A game ply by ply, as text, JSON or CSV."""
    from basra_sim.analysis.tables.csv_text import csv_text
    from basra_sim.game.notation import PLY_COLUMNS, game_dict, ply_rows, write_game

    if form == "text":
        return write_game(script)
    return csv_text(PLY_COLUMNS, ply_rows(script)) if form == "csv" else json.dumps(game_dict(script), indent=1) + "\n"


def _weighed(
    script: GameScript, form: str, names: Sequence[str], rounds: Sequence[int], folders: Sequence[str], quiet: bool
) -> str:
    """A game with what each play was worth, as text, JSON or CSV; who waits sees how far it is."""
    with Waiting("weighing plays", quiet) as waiting:
        from basra_sim.workshop.play_review import plays_csv, review_with
        from basra_sim.workshop.review_text import review_lines

        found = review_with(script, names, folders, rounds or None, lambda done, of: waiting(done, of, "weighing plays"))
    if form == "text":
        return "".join(f"{line}\n" for line in review_lines(found))
    return plays_csv(found) if form == "csv" else json.dumps(found.to_dict(), indent=1) + "\n"
