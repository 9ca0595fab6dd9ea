"""`basra-sim replay` and `show`: a game ply by ply, from a run folder or from its text, and what each play cost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from basra_sim.game.notation import GameScript

PLACES = ("pair", "game", "match", "packs")


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
        click.option("--format", "form", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True,
                     help="What is printed."),
        click.option("-q", "--quiet", is_flag=True, help="No progress bar."),
    )):  # fmt: skip
        command = option(command)
    return command


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
    from basra_sim.errors import BadInput
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


def of_run(run: Path, options: dict[str, Any]) -> GameScript:
    """The game of a run folder that the options name."""
    from basra_sim.cli.waiting import Waiting

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
    import csv
    import io
    import json

    from basra_sim.cli.console import echo, make_streams_safe
    from basra_sim.errors import BadInput

    make_streams_safe()
    if not explained and (names or rounds):
        raise BadInput(f"--{'with' if names else 'round'} goes with --explain")
    if explained:
        from basra_sim.workshop.play_review import COLUMNS, csv_rows
        from basra_sim.workshop.review_text import review_lines

        found = _reviewed(script, names, rounds, folders, quiet)
        if form == "text":
            for line in review_lines(found):
                echo(line)
            return
        columns: Sequence[str] = COLUMNS
        rows, content = (csv_rows(found), {}) if form == "csv" else ([], found.to_dict())
    else:
        from basra_sim.game.notation import PLY_COLUMNS, game_dict, ply_rows, write_game

        if form == "text":
            echo(write_game(script), nl=False)
            return
        columns = PLY_COLUMNS
        rows, content = (ply_rows(script), {}) if form == "csv" else ([], game_dict(script))
    if form == "json":
        echo(json.dumps(content, indent=1))
        return
    file = io.StringIO()
    writer = csv.DictWriter(file, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    echo(file.getvalue(), nl=False)


def _reviewed(script: GameScript, names: Sequence[str], rounds: Sequence[int], folders: Sequence[str], quiet: bool) -> Any:
    """The game weighed; who waits sees how far it is."""
    from basra_sim.cli.waiting import Waiting

    with Waiting("weighing plays", quiet) as waiting:
        from basra_sim.players.loading import load
        from basra_sim.players.ready import prepare
        from basra_sim.workers.value_counts import ensure
        from basra_sim.workshop.play_review import DEFAULT_WITH, review

        players = [prepare(load(name, folders)) for name in (names or (DEFAULT_WITH,))]
        ensure(script.rules)
        return review(script, players, rounds or None, lambda done, of: waiting(done, of, "weighing plays"))
