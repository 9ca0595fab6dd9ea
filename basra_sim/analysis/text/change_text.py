"""What changed between two runs, in the terminal: a row a match, and how the two runs were compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from basra_sim.analysis.statistics.intervals import Estimate, estimate_of

from .number_words import NA, number, percent_half, span
from .ruled_tables import headed_table

if TYPE_CHECKING:
    from rich.console import Console


def print_changes(found: dict[str, Any], one: str, other: str, out: Console) -> None:
    """Print what `compare` found between the runs named `one` and `other`."""
    out.print(f"From {one} to {other}", soft_wrap=True, style="bold")
    for line in found["changes"] or ["nothing that was asked differs"]:
        out.print(f"  {line}", soft_wrap=True)
    table = headed_table(("match", "score\nbefore", "score\nafter", "change", "95 % interval", "points\na round"))
    for row in found["matches"]:
        table.add_row(row["match"], *_cells(row))
    out.print(table)
    if all(row["paired"] for row in found["matches"]):
        out.print("Scores of the first named in % of its games; changes pair by pair, on the same packs.", soft_wrap=True)
    else:
        why = found["why_not"] or "they have not as many games"
        out.print(f"Scores of the first named in % of its games. Independent runs, not the same packs: {why}.", soft_wrap=True)
    out.print("*: stands at 95 % together with all other changes so marked (Holm).", soft_wrap=True)
    if found["swapped"]:
        out.print(f"Not compared, since named the other way round: {', '.join(found['swapped'])}.", soft_wrap=True)


def _cells(row: dict[str, Any]) -> Iterable[str]:
    """Scores before and after, the change with its interval, and the change in points."""
    before, after = (f"{100 * row[key]:.1f}" for key in ("score_before", "score_after"))
    if row["identical"]:
        return before, before, "none", "identical play", "none"
    change, points = estimate_of(row, "score_change"), estimate_of(row, "points_change")
    scaled = Estimate(*(None if x is None else 100 * x for x in change))
    mark = "*" if row["score_changed"] and percent_half(change) != NA else ""
    points_mark = "*" if row["points_changed"] else ""
    return before, after, number(scaled, True) + mark, span(change, True, 100).strip("()"), number(points, True) + points_mark
