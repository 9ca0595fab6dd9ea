"""`basra-sim shuffle game`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .shuffle_options import EXITS, format_option, json_option, map_option, print_json, print_lines

if TYPE_CHECKING:
    from basra_sim.shuffles.comparisons.game_effect import GameEffect


@click.command()
@click.argument("source", required=False)
@click.option("--algo", metavar="SHUFFLE", help="A built-in shuffle (see `shuffle list`).")
@click.option("--cmd", "program", metavar="PROGRAM", help="A program that prints decks.")
@click.option("--py", "function", metavar="MODULE:FUNCTION", help="A Python function that shuffles a list.")
@click.option("-n", "--decks", type=click.IntRange(20, 1_000_000), help="Packs to take [10,000; of a log all, at most 50,000].")
@click.option("--seed", default=1, show_default=True, type=click.IntRange(0), help="Of --algo, perfect packs and players.")
@click.option("--start", metavar="new|prev|ORDER",
              help="Order before each shuffle [new]. Given with --cmd, the program is told it, a line a deck, on standard input.")
@click.option("--players", default="greedy,greedy", show_default=True, metavar="A,B", help="Two strategies.")
@format_option
@map_option
@click.option("-j", "--jobs", default=2, show_default=True, type=click.IntRange(1, 256), help="Workers.")
@json_option
@click.pass_context
def game(ctx: click.Context, players: str, jobs: int, as_json: bool, **options: object) -> None:
    """What a shuffle does to Basra: jacks, the 7d, pairs, the leader's edge and basras against perfect packs.

    \b
    basra-sim shuffle game --algo naive -n 5000
    basra-sim shuffle game mydecks.txt --players greedy,basra-first

    Every pack is played twice, seats swapped; the same strategies play as many perfect packs (at least 20,000). Exit
    codes as for `shuffle test`.
    """
    from basra_sim.shuffles.comparisons.game_effect import game_of

    effect = game_of(players, jobs, **options)  # type: ignore[arg-type]
    if as_json:
        print_json(effect.to_dict())
    else:
        played = f"played by {' and '.join(effect.strategies)}, seats swapped; {effect.perfect_packs:,} perfect packs"
        print_lines(effect.sentence(), *(f"  {line}" for line in [*effect.read, played]), "")
        _show_table(effect)
        told = "could see: the smallest difference that so many packs show with 80 % power over all lines; p after Holm."
        print_lines("", told)
    ctx.exit(EXITS[effect.verdict])


def _show_table(effect: GameEffect) -> None:
    """One line an effect."""
    from rich.table import Table

    from basra_sim.cli.console import console
    from basra_sim.shuffles.verdict.verdict_words import p_text

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for name in ("in a round", "here", "perfect", "difference [95 %]", "could see", "p (Holm)", ""):
        table.add_column(name, justify="left" if name in ("in a round", "") else "right", no_wrap=True)
    for row in effect.lines:
        word = "" if row.verdict == "none found" else row.verdict
        gap = f"{row.low:+.2g} to {row.high:+.2g}"
        numbers = f"{row.here:.4g}", f"{row.perfect:.4g}", gap, f"{row.could_see:.2g}"
        table.add_row(row.what, *numbers, p_text(row.log10_holm), word)
    console().print(table)
