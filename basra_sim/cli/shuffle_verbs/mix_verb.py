"""`basra-sim shuffle mix`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from .shuffle_options import print_json, print_lines

if TYPE_CHECKING:
    from basra_sim.shuffles.generators.mixing import Mixing


@click.command()
@click.argument("kind", metavar="riffle|overhand|top")
@click.option("-k", "counts", default="1..12", show_default=True, help="Numbers of shuffles: 7, 1..12, 50,100 or 0..300/50.")
@click.option(
    "--chance", default=0.5, show_default=True, type=click.FloatRange(0, 1, min_open=True), help="Overhand: cut at each gap."
)
@click.option(
    "-n", "--decks", default=20_000, show_default=True, type=click.IntRange(100, 10_000_000), help="Overhand: decks simulated."
)
@click.option("--seed", default=0, show_default=True, type=click.IntRange(0), help="Overhand: seed of the simulation.")
@click.option("--deck-size", default=52, show_default=True, type=click.IntRange(2, 52), help="Cards in a deck.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON (exact fractions included).")
def mix(kind: str, counts: str, chance: float, decks: int, seed: int, deck_size: int, as_json: bool) -> None:
    """How well k riffles, overhand passes or top-to-random moves mix a sorted deck.

    Riffles and top-to-random are exact (rational arithmetic); overhand has no exact law, so a lower bound is simulated.
    """
    from basra_sim.shuffles.generators.mixing import mixing, parse_counts

    rows = mixing(kind, parse_counts(counts), n=deck_size, chance=chance, decks=decks, seed=seed)
    if as_json:
        print_json([_mix_json(row) for row in rows], ensure_ascii=False)
    elif kind == "overhand":
        _overhand_table(rows, chance, decks)
    else:
        _exact_table(kind, rows, deck_size)


def _mix_json(row: Mixing) -> dict[str, Any]:
    return {
        "k": row.k,
        "total_variation": None if row.tv is None else float(row.tv),
        "total_variation_exact": None if row.tv is None else f"{row.tv.numerator}/{row.tv.denominator}",
        "separation": None if row.separation is None else float(row.separation),
        "missing_bits": row.missing_bits,
        "mean_rising_sequences": row.rising,
        "top_card_total_variation": None if row.top_card is None else float(row.top_card),
        "total_variation_at_least": None if row.bound is None else row.bound[0],
        "interval_95": None if row.bound is None else list(row.bound[1:]),
        "by": row.feature or None,
    }


def _exact_table(kind: str, rows: list[Mixing], n: int) -> None:
    from rich.table import Table

    from basra_sim.cli.console import console
    from basra_sim.shuffles.generators.mixing import exact_decimal
    from basra_sim.shuffles.laws.riffles import order_bits

    table = Table(box=None, pad_edge=False)
    heads = ["k", "total variation", "separation", "missing bits"]
    for name in [*heads, *(["rising seq.", "top card's TV"] if kind == "riffle" else [])]:
        table.add_column(name, justify="right")
    for row in rows:
        assert row.tv is not None and row.separation is not None and row.missing_bits is not None
        cells = [str(row.k), exact_decimal(row.tv, 3), exact_decimal(row.separation, 6), f"{row.missing_bits:.3f}"]
        if kind == "riffle":
            cells += [f"{row.rising:.3f}", exact_decimal(row.top_card, 4) if row.top_card is not None else "-"]
        table.add_row(*cells)
    console().print(table)
    what = "Gilbert-Shannon-Reeds riffles" if kind == "riffle" else "Moves of the top card to a random place"
    told = "Total variation 0 would be perfect: no bet can win more than that share."
    print_lines("", f"{what} of {n} cards, exact. {told} A perfect order has {order_bits(n):.1f} bits.")


def _overhand_table(rows: list[Mixing], chance: float, decks: int) -> None:
    from rich.table import Table

    from basra_sim.cli.console import console

    table = Table(box=None, pad_edge=False)
    for name in ("k", "TV at least", "95 % interval", "seen in", "rising seq."):
        table.add_column(name, justify="left" if name == "seen in" else "right")
    for row in rows:
        assert row.bound is not None
        value, low, high = row.bound
        table.add_row(
            str(row.k), f"{max(0.0, value):.3f}", f"{max(0.0, low):.3f} to {max(0.0, high):.3f}", row.feature, f"{row.rising:.2f}"
        )
    console().print(table)
    print_lines(
        "",
        f"Overhand passes that cut at each gap with chance {chance:g}; {decks:,} decks to choose the feature, as many to "
        "measure it. No exact law is known here: the true distance may be larger; 0 says only that these features show nothing.",
    )
