"""The ratings of a field in the terminal: Elo, who is above whom, and circles where they were asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from basra_sim.analysis.statistics.intervals import estimate_of

from .number_words import number, probability, span
from .ruled_tables import headed_table

if TYPE_CHECKING:
    from rich.console import Console


def print_ratings(found: dict[str, Any], out: Console) -> None:
    """Print the ratings of a summary; with `circles` what is left where strategies beat each other in a circle."""
    _print_elo(found["rows"], out)
    _print_superiority(found["rows"], found["superiority"], out)
    if "circles" in found:
        _print_circles(found["circles"], out)


def _print_elo(rows: list[dict[str, Any]], out: Console) -> None:
    out.print("Elo of the field (Bradley-Terry; 0 is the mean)", style="bold")
    shown = headed_table(("#", "strategy", "Elo", "95 % interval"), (1,))
    for index, row in enumerate(rows):
        e = estimate_of(row, "elo")
        shown.add_row(str(index + 1), row["strategy"], number(e, True, 0), span(e, True).strip("()"))
    out.print(shown)


def _print_superiority(rows: list[dict[str, Any]], superiority: list[list[float | None]], out: Console) -> None:
    out.print("\nLikelihood that the row is stronger than the column, by these ratings", style="bold")
    shown = headed_table(("#", "strategy", *(str(i + 1) for i in range(len(rows)))), (1,))
    for index, (row, above) in enumerate(zip(rows, superiority, strict=True)):
        cells = ["-" if i == index else probability(p).removesuffix(" %") for i, p in enumerate(above)]
        shown.add_row(str(index + 1), row["strategy"], *cells)
    out.print(shown)
    out.print("In %. Intervals and likelihoods by resampling pair indices in all matches at once.")


def _print_circles(rows: list[dict[str, Any]], out: Console) -> None:
    out.print("\nWhere there may be circles", style="bold")
    shown = headed_table(("#", "strategy", "Nash weight %", "log odds against it", "alpha-rank %"), (1,))
    for index, row in enumerate(rows):
        nash, alpha_rank = (f"{100 * row[key]:.1f}" for key in ("nash", "alpha_rank"))
        shown.add_row(str(index + 1), row["strategy"], nash, f"{row['value'] + 0.0:+.3f}", alpha_rank)
    out.print(shown)
    out.print(
        "Nash weight: the mix of strategies that none beats on average, most even where there are several. One strategy "
        "with all the weight: it beats or equals every other. No interval is given for these."
    )
