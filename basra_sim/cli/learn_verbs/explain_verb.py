"""`basra-sim explain`: what each card of a position is worth and what strategies would play there."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from basra_sim.cli.console import console, make_streams_safe, print_json
from basra_sim.cli.shared_options import folders_option, form_option, rules_option, set_option
from basra_sim.errors import BadInput

if TYPE_CHECKING:
    from rich.table import Table

    from basra_sim.workshop.position_advice import Advice, Choice

# the library is imported when a verb is called: --help is click alone


@click.command()
@click.argument("position")
@rules_option
@set_option
@click.option("--strategy", "names", multiple=True, metavar="NAME", help="Ask this strategy; may be repeated.")
@folders_option
@form_option("table", "json")
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
    from basra_sim.game.rule_files import load_rules
    from basra_sim.players.position import read_position
    from basra_sim.workshop.position_advice import advise_with

    make_streams_safe()
    advice = advise_with(read_position(_text(position), load_rules(rules, set_)), names, folders)
    if form == "json":
        print_json(advice.to_dict())
    else:
        _print(advice)


def _text(given: str) -> str:
    if given == "-":
        return sys.stdin.read()
    if ":" in given:
        return given
    try:
        return Path(given).read_text()
    except OSError as error:
        raise BadInput(f"position file {given} cannot be read: {error.strerror}") from None


def _print(advice: Advice) -> None:
    from basra_sim.game.cards import card_text

    out = console()
    out.print(advice.position.to_text())
    out.print("")
    out.print(_cards_table(advice))
    for choice in advice.choices:
        if choice.played_by:
            out.print(f"{card_text(choice.card)} is played by {', '.join(choice.played_by)}.")
    out.print("The other holds " + ", ".join(f"{what} {100 * chance:.0f} %" for what, chance in advice.holds.items()) + ".")
    exact = "; exact, regret: the final difference with best play of both, for the last deal hides nothing."
    out.print(
        "expects: points of the round that the player then expects over the other's, majority included, after his best answer"
        + (exact if advice.best_exact is not None else ".")
    )
    for note in advice.notes:
        out.print(f"note: {note}")


def _cards_table(advice: Advice) -> Table:
    """A row for each card of the hand."""
    from rich.table import Table

    table = Table(title="Each card of the hand", title_justify="left")
    for column in ("card", "does", "leaves", "he clears", "he scores", "expects"):
        table.add_column(column)
    if advice.best_exact is not None:
        for column in ("exact", "regret", "wins"):
            table.add_column(column, justify="right")
    for choice in advice.choices:
        table.add_row(*_cells(choice, advice.best_exact))
    return table


def _cells(choice: Choice, best: float | None) -> list[str]:
    """What a card does and leaves, and what it is worth; exactly where the best card's exact worth is known."""
    from basra_sim.game.cards import card_text, set_text

    does = choice.kind.text.replace("_", " ")
    if choice.takes:
        does += f" {set_text(choice.takes)}"
    if choice.points:
        does += f" for {choice.points}"
    row = [card_text(choice.card), does, set_text(choice.leaves) or "nothing"]
    row += [f"{100 * choice.clears:.0f} %", f"{100 * choice.basra:.0f} %", f"{choice.expected:+.1f}"]
    if best is not None and choice.exact_points is not None and choice.exact_win is not None:
        row += [f"{choice.exact_points:+.0f}", f"{best - choice.exact_points:.0f}", f"{100 * choice.exact_win:.0f} %"]
    return row
