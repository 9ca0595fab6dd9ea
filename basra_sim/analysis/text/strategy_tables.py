"""The tables of a run that have a row a strategy: ranking, points and basras, leader and dealer."""

from __future__ import annotations

import math

from basra_sim.analysis.statistics.intervals import estimate_of
from basra_sim.analysis.statistics.ranking import ROLES

from .number_words import (
    NA,
    count,
    decimals_for,
    fixed,
    number,
    number_span,
    percent,
    percent_half,
    plural,
    span,
)
from .summary_view import View


def ranking(view: View) -> None:
    """Results and score of each strategy, best first."""
    if not view.rows:
        return
    draws = any(row["draws"] for row in view.rows)
    head = ["won", "drawn", "lost"] if draws else ["won", "lost"]
    table = view.table(
        f"Ranking by score (share of {view.game}s won, a draw counting half)", 2,
        "#", "strategy", *head, "score", "95 % interval", "points a round",
    )  # fmt: skip
    for row in view.s["ranking"]:
        if not row["games"]:
            table.add_row("-", row["strategy"], *["-"] * len(head), NA, "no opponent", NA)
            continue
        results = [row["wins"], row["draws"], row["losses"]] if draws else [row["wins"], row["losses"]]
        score = estimate_of(row, "score")
        table.add_row(
            str(row["rank"] or "-"), row["strategy"], *map(count, results), percent(score),
            span(score, scale=100).strip("()"), number(estimate_of(row, "points_per_round")),
        )  # fmt: skip
    games = {row["games"] for row in view.rows}
    each = f"Of {plural(games.pop(), view.game)} each" if len(games) == 1 else f"Of all its {view.game}s"
    note = f"{each}, against other strategies only."
    if len(view.rows) > 2:
        note += " Matches share their packs: intervals over several are combined for the worst case."
    if view.form == "gauntlet":
        note += " The others met the first one only: nothing here compares them with each other."
    elif view.form != "round-robin":
        note += " Not all met the same opponents, or as often: scores of two rows are not comparable."
    view.show(table, note)


def points(view: View) -> None:
    """Points, basras and cards a round."""
    if not view.rows:
        return
    table = view.table(
        "Points, basras and captured cards a round", 1,
        "strategy", "points", "basras\nplain", "basras\nkomi", "basras\njack", "basras\nall", "cards\nof 52",
    )  # fmt: skip
    for row in view.rows:
        rates = ("points", "plain_basras", "komi_basras", "jack_basras", "basras", "cards")
        table.add_row(row["strategy"], *(view.with_half(estimate_of(row, f"{rate}_per_round")) for rate in rates))
    view.show(table, f"{plural(view.s['rounds'], 'round')} in all; below each figure its 95 % interval.")


def roles(view: View) -> None:
    """Each strategy as leader and as dealer."""
    if not view.rows:
        return
    table = view.table(
        f"As leader and as dealer (a round); score of the {view.game}s begun so", 1,
        "strategy", "points\nleader", "points\ndealer", "cards\nleader", "cards\ndealer",
        "basras\nleader", "basras\ndealer", "score %\nleader", "score %\ndealer",
    )  # fmt: skip
    for row in view.rows:
        cells = []
        for rate in ("points", "cards", "basras"):
            half = estimate_of(row, f"{rate}_per_round").half
            digits = 1 if half is None else min(decimals_for(half * math.sqrt(2)), 3)
            cells += [fixed(row["roles"][role][f"{rate}_per_round"], digits) for role in ROLES]
        for role in ROLES:
            score = estimate_of(row["roles"][role], "score")
            cells.append(f"{percent(score).removesuffix(' %')}\n{percent_half(score, view.plus_minus)}")
        table.add_row(row["strategy"], *cells)
    effect = estimate_of(view.s, "seat_effect")
    text = f"Leader minus dealer, all matches: {number_span(effect, signed=True)} points a round."
    view.show(table, f"The leader plays first in each deal of a round. {text}")
