"""The sections of a report about results: ranking, cross-table, seats, margins, and what pairing saved."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import pandas as pd

from basra_sim import plots
from basra_sim.analysis.statistics.intervals import Estimate, estimate_of, variance
from basra_sim.analysis.statistics.ranking import score_of
from basra_sim.analysis.statistics.shares import Table
from basra_sim.analysis.tables.game_lengths import mean_and_spread
from basra_sim.analysis.text.number_words import count, fixed, number_span, plural
from basra_sim.analysis.text.table_words import LEVEL_NOTE
from basra_sim.pages.page_parts import Grid, Picture, Section, Text
from basra_sim.records.counters import MatchTotals, RunTotals

from .finding import unit_of
from .ranked_rows import best_matches_first, each, headline_match, interval_frame, ranked, rounds_each
from .result_grids import elo_grid, grid_of, matches_grid, pairing_grid, ranking_grid

Tables = dict[str, Table]


def ranking(summary: dict[str, Any]) -> Section:
    """Forest plot and table; ratings where the summary has them."""
    unit = unit_of(summary)
    section = Section("ranking", "Ranking")
    rows = [row for row in summary["ranking"] if row["games"]]
    if not rows:
        return section.add(LEVEL_NOTE if any(m["level"] for m in summary["matches"]) else "No strategy met another one.")
    frame = interval_frame([row["strategy"] for row in rows], [estimate_of(row, "score") for row in rows])
    size = each([row["games"] for row in rows], unit)
    best, last = rows[0]["strategy"], rows[-1]["strategy"]
    section.add(
        Picture("ranking", f"Scores with intervals: {best} first, {last} last",
                f"The further right, the more {unit} won. A hollow dot's interval contains 50 %. {size}, against others only.",
                partial(plots.forest, frame, unit=f"score, % of its {unit} (a draw counts half)", size=size)),
        ranking_grid(summary, unit),
    )  # fmt: skip
    if len(rows) > 2:
        section.add(Text(
            "All matches share their packs, so the intervals over several matches are combined for the worst case: two of them "
            "may overlap although the match between the two is decided. For that, see the cross-table.", "note"))  # fmt: skip
    rated = [row for row in (summary.get("ratings") or {}).get("rows") or [] if row.get("elo") is not None]
    if len(rated) > 2:
        ratings = interval_frame([row["strategy"] for row in rated], [estimate_of(row, "elo") for row in rated])
        ratings = ratings.sort_values("value", ascending=False, kind="stable").reset_index(drop=True)
        section.add(Picture(
            "ratings", f"Ratings with intervals: {ratings['label'].iloc[0]} first",
            "One number a strategy, from all results together (Bradley-Terry): 100 points more mean a score of 64 %. The "
            "intervals come from resampling game pairs in all matches at once.",
            partial(plots.rating, ratings, size=size)))  # fmt: skip
    return section


def cross(summary: dict[str, Any]) -> Section:
    """Heat map and table of matches."""
    unit = unit_of(summary)
    section = Section("matches", "Who beat whom")
    order = [row["strategy"] for row in summary["ranking"]]
    cells = []
    for m in summary["matches"]:
        if m["a"] == m["b"] or not m["games"]:
            continue
        for side, row, column in (("a", m["a"], m["b"]), ("b", m["b"], m["a"])):
            score = score_of(m, side)
            cells.append({"row": row, "column": column, "value": score.value, "low": score.low, "high": score.high,
                          "level": m["level"], "decided": m.get("decided")})  # fmt: skip
    if len(order) > 2 and cells:
        frame = pd.DataFrame(cells).astype({"value": float, "low": float, "high": float})
        frame["place"] = frame["row"].map(order.index)
        frame = frame.sort_values("place", kind="stable").drop(columns="place")
        size = each([m["games"] for m in summary["matches"] if m["games"]], unit).replace("each", "a match")
        section.add(Picture(
            "cross-table", f"Heat map of the score of each strategy against each, {order[0]} first",
            f"Read along a row: in how many of 100 {unit} that strategy beat the one above the column. Orange: more than half, "
            "purple: less. Bold numbers are decided, all comparisons together (Holm); italics in a dotted frame may be chance.",
            partial(plots.cross_table, frame, size=size, unit=unit)))  # fmt: skip
    section.add(matches_grid(summary, unit), elo_grid(summary))
    if any(m["level"] for m in summary["matches"]):
        section.add(Text(LEVEL_NOTE, "note"))
    return section


def seats(summary: dict[str, Any], tables: Tables) -> Section:
    """Leader and dealer: what the seat is worth."""
    effect = estimate_of(summary, "seat_effect")
    section = Section("seats", "Leader and dealer")
    if effect.value is not None:
        who, gain = ("dealer", -effect.value) if effect.value < 0 else ("leader", effect.value)
        decided = effect.low is not None and effect.high is not None and (effect.low > 0 or effect.high < 0)
        more = number_span(_flipped(effect) if who == "dealer" else effect)
        text = f"The {who} scored {more} points a round more than the other seat"
        section.add(text + ("." if decided else ", which may be chance.") if gain else "Both seats scored the same.")
    won = tables.get("rounds_won")
    if won is not None:
        frame = ranked(won.frame[won.frame["outcome"] == "won"], [row["strategy"] for row in summary["ranking"]])
        section.add(Picture(
            "seats", "Share of rounds won as leader and as dealer",
            "Where the square lies right of the dot, dealing is better than leading. Lines are 95 % intervals; the rest of the "
            "rounds were lost or level.",
            partial(plots.basras_by_seat, frame, title="Rounds won as leader and as dealer", percent=True,
                    unit="rounds won, % of those in that role", size=rounds_each(frame))))  # fmt: skip
        section.add(grid_of(won, "Rounds won and level, by role"), grid_of(tables["games_won"]))
    return section


def _flipped(e: Any) -> Any:
    return Estimate(-e.value, None if e.high is None else -e.high, None if e.low is None else -e.low)


def _unpaired_spread(m: MatchTotals) -> float | None:
    """The standard deviation of the margins of two games on separate packs, added up."""
    game = variance(m.games, int(m.game_margin_sum), int(m.game_margin_squares))
    return math.sqrt(2 * game) if game else None


def margins(run: RunTotals, summary: dict[str, Any], tables: Tables) -> Section:
    """Margins of pairs, paired and unpaired; lengths of games."""
    section = Section("margins", "Margins and lengths")
    chosen = headline_match(run, summary)
    pairs = tables.get("pair_margins")
    if chosen and pairs is not None:
        m, s = chosen
        frame = pairs.frame[pairs.frame["match"] == s["match"]].reset_index(drop=True)
        one, other = m.a, m.b
        if s["score_a"] is not None and s["score_a"] < 0.5:  # the better one first
            frame, one, other = frame.assign(points=-frame["points"]), m.b, m.a
        mean, spread = mean_and_spread(frame, "points")
        apart = _unpaired_spread(m)
        text = f"{one} is ahead of {other} by {fixed(mean, 0)} points after a pair of games on average, with a spread "
        text += f"(standard deviation) of {fixed(spread, 0)}"
        text += f"; two games on separate packs: {fixed(apart, 0)}." if apart else "."
        size = plural(m.pairs, "pair")
        section.add(text, Picture(
            "margins", f"Distribution of the margins of game pairs in {s['match']}",
            f"Bars right of the dashed line are pairs that {one} won on points against {other}. Where the bars are narrower than "
            f"the dashed curve, the luck of the cards was shared out by swapping the seats. {size}.",
            partial(plots.margins, frame, unpaired_spread=apart, size=size,
                    unit=f"points of {plots.style.short(one)} minus {plots.style.short(other)}, both games added")))  # fmt: skip
    games = tables.get("lengths")
    if games is not None and run.unit == "game" and len(games.frame):
        best = best_matches_first(games.frame, summary)
        rows = [[m.a + " vs " + m.b, count(m.games), fixed(m.rounds / m.games, 2)] for m in run.matches if m.games]
        section.add(Picture(
            "lengths", "Share of games by their number of rounds",
            f"How many rounds it took until somebody had the target. {count(summary['games'])} games in all.",
            partial(plots.lengths, best)))  # fmt: skip
        section.add(Grid("Rounds a game, mean", ["match", "games", "rounds a game"], rows, folded=len(rows) > 6))
    return section


def pairing(summary: dict[str, Any]) -> Section:
    """What swapping seats saved."""
    section = Section("pairing", "What playing in pairs saved")
    grid = pairing_grid(summary)
    if not grid.rows:
        return section.add("A strategy against itself: every pair is level by construction, so nothing was left to measure.")
    gains = [m["variance_reduction"]["score"] for m in summary["matches"] if m["variance_reduction"]["score"] is not None]
    if gains:
        low, high = 100 * min(gains), 100 * max(gains)
        span_ = f"{fixed(low, 0)} %" if round(low) == round(high) else f"{fixed(low, 0)} to {fixed(high, 0)} %"
        section.add(
            f"Two games on the same packs with the seats swapped share out the luck of the cards. That took away {span_} of the "
            "variance of the score, compared with as many games on separate packs; a negative number means that it cost."
        )
    return section.add(grid)
