"""`basra-sim explain`: what each card of a position is worth and what strategies would play there."""

from __future__ import annotations

import sys
from typing import Any

import click


@click.command()
@click.argument("position")
@click.option("--rules", default="egyptian-v2", show_default=True, metavar="PRESET|FILE.toml", help="The rule set.")
@click.option("--set", "set_", multiple=True, metavar="OPTION=VALUE", help="Change one option of the rules; may be repeated.")
@click.option("--strategy", "names", multiple=True, metavar="NAME", help="Ask this strategy; may be repeated.")
@click.option("--strategies", "folders", multiple=True, metavar="DIR", help="A folder with more strategies; may be repeated.")
@click.option("--format", "form", type=click.Choice(["table", "json"]), default="table", show_default=True,
              help="What is printed.")
def explain(
    position: str, rules: str, set_: tuple[str, ...], names: tuple[str, ...], folders: tuple[str, ...], form: str
) -> None:
    """Weigh every card of POSITION: what it takes, what the other may do then, and, in the last deal, its exact value.

    POSITION is text as in 'hand: 7d Jc; floor: 5c 6d; unseen: 2c Kh; deal: 5; piles: 23 21; leading: yes', a file with
    one such word a line, or - for standard input. Words: rules, set, hand, floor, gone or unseen, deal (0..5), leading
    (yes, no), piles, scores, points (mine, then the other's), last (me, other, nobody: who captured last), mine (cards in
    my pile), stake (points for more cards, if some were carried), buried (cards put back under the stock), played (the
    cards played in this round, in their order), seed.
    """
    import json

    from basra_sim.cli.console import echo, make_streams_safe
    from basra_sim.game.rule_files import load_rules
    from basra_sim.players.loading import load
    from basra_sim.players.position import read_position
    from basra_sim.players.ready import prepare
    from basra_sim.runs.running import fallback_notes
    from basra_sim.workers.value_counts import ensure
    from basra_sim.workshop.position_advice import STRATEGIES, advise

    make_streams_safe()
    found = read_position(_text(position), load_rules(rules, set_))
    players = [prepare(load(name, folders)) for name in (names or STRATEGIES)]
    ensure(found.rules)
    advice = advise(found, players)
    advice.notes += fallback_notes([player.strategy for player in players], found.rules)
    if form == "json":
        echo(json.dumps(advice.to_dict(), indent=2))
        return
    _print(advice)


def _text(given: str) -> str:
    from pathlib import Path

    from basra_sim.errors import BadInput

    if given == "-":
        return sys.stdin.read()
    if ":" in given:
        return given
    try:
        return Path(given).read_text()
    except OSError as error:
        raise BadInput(f"position file {given} cannot be read: {error.strerror}") from None


def _print(advice: Any) -> None:
    from rich.table import Table

    from basra_sim.cli.console import console
    from basra_sim.game.cards import card_text, set_text

    position = advice.position
    out = console()
    out.print(position.to_text())
    out.print("")
    table = Table(title="Each card of the hand", title_justify="left")
    exact = advice.best_exact is not None
    for column in ("card", "does", "leaves", "he clears", "he scores", "expects"):
        table.add_column(column)
    if exact:
        for column in ("exact", "regret", "wins"):
            table.add_column(column, justify="right")
    for choice in advice.choices:
        does = choice.kind.text.replace("_", " ")
        if choice.takes:
            does += f" {set_text(choice.takes)}"
        if choice.points:
            does += f" for {choice.points}"
        row = [card_text(choice.card), does, set_text(choice.leaves) or "nothing"]
        row += [f"{100 * choice.clears:.0f} %", f"{100 * choice.basra:.0f} %", f"{choice.expected:+.1f}"]
        if exact:
            row += [f"{choice.exact_points:+.0f}", f"{advice.best_exact - choice.exact_points:.0f}"]
            row.append(f"{100 * choice.exact_win:.0f} %")
        table.add_row(*row)
    out.print(table)
    for choice in advice.choices:
        if choice.played_by:
            out.print(f"{card_text(choice.card)} is played by {', '.join(choice.played_by)}.")
    out.print("The other holds " + ", ".join(f"{what} {100 * chance:.0f} %" for what, chance in advice.holds.items()) + ".")
    out.print(
        "expects: points of the round that the player then expects over the other's, majority included, after his best answer"
        + ("; exact, regret: the final difference with best play of both, for the last deal hides nothing." if exact else ".")
    )
    for note in advice.notes:
        out.print(f"note: {note}")
