"""The sections of a report about results: what was played, ranking, cross-table, seats, margins, pairing, faults, method."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import pandas as pd

from basra_sim.analysis.statistics.intervals import variance
from basra_sim.analysis.statistics.ranking import score_of
from basra_sim.analysis.statistics.shares import Table
from basra_sim.analysis.text.match_tables import LEVEL_NOTE, estimate
from basra_sim.analysis.text.number_words import count, fixed, number, number_span, plural
from basra_sim.pages.page_parts import Bullets, Code, Grid, Picture, Section, Text
from basra_sim.records.counters import MatchTotals, RunTotals

from .finding import unit_of
from .result_grids import elo_grid, grid_of, matches_grid, pairing_grid, ranking_grid

Tables = dict[str, Table]


def _differences(run: RunTotals) -> str:
    from basra_sim.game.rules import PRESETS, RuleSet

    try:
        rules = RuleSet(**{**run.rules, "single_round": False})
        base = PRESETS.get(run.rules_name)
        same = base is not None and not rules.differences(base)
    except Exception:  # rules of another version: the name must do
        return run.rules_name
    return run.rules_name if same or not rules.name.startswith(run.rules_name) else rules.name


def played(run: RunTotals, summary: dict[str, Any], versions: dict[str, str]) -> Section:
    """Rules, packs, seed, versions, strategies."""
    unit = unit_of(summary)
    what = {
        "game": f"games to {run.rules.get('target', '?')} points",
        "round": "single rounds, one a pack",
        "packs": "single rounds with given packs",
    }[run.unit]
    upto = "up to " if any(m.games != run.games_per_match for m in run.matches) else ""
    packs = {"packs": "given by the user, each played twice with the seats swapped"}.get(
        run.unit, "shuffled from the seed; every match got the same ones, each played twice with the seats swapped"
    )
    facts = [
        ("rules", _differences(run)),
        ("played", f"{plural(len(run.matches), 'match')} of {upto}{count(run.games_per_match)} {what}"),
        ("in all", f"{count(summary['games'])} {unit}" + (f", {count(summary['rounds'])} rounds" if unit == "games" else "")),
        ("packs", packs),
        ("seed", str(run.seed)),
        ("made by", ", ".join(f"{name} {version}" for name, version in versions.items())),
    ]
    modes = [
        [entry["name"], _described(entry), str(entry.get("sha256") or "")[:12] or "–", str(entry.get("mode") or "–")]
        for entry in run.strategies
    ]
    section = Section("played", "What was played").add(
        Grid("The run", ["", ""], [list(fact) for fact in facts], words=2),
        Grid("The strategies", ["strategy", "what it does", "file (hash)", "plays"], modes, words=4),
    )
    if not run.complete:
        section.add(Text("Incomplete: the run stopped before its end. All numbers are those of what was played.", "warning"))
    return section


def _described(entry: dict[str, Any]) -> str:
    text = str(entry.get("summary") or "")
    told = ", ".join(str(entry.get("spec") or "").partition(":")[2].split(","))
    return (f"{text} ({told})" if text and told else text or told) or "–"


def _each(numbers: list[int], unit: str) -> str:
    if not numbers:
        return ""
    if len(set(numbers)) == 1:
        return f"{count(numbers[0])} {unit} each"
    return f"{count(min(numbers))} to {count(max(numbers))} {unit} each"


def ranking(summary: dict[str, Any]) -> Section:
    """Forest plot and table; ratings where the summary has them."""
    from basra_sim import plots

    unit = unit_of(summary)
    section = Section("ranking", "Ranking")
    rows = [row for row in summary["ranking"] if row["games"]]
    if not rows:
        return section.add(LEVEL_NOTE if any(m["level"] for m in summary["matches"]) else "No strategy met another one.")
    frame = pd.DataFrame(
        [{"label": row["strategy"], "value": row["score"], "low": row["score_low"], "high": row["score_high"]} for row in rows]
    ).astype({"value": float, "low": float, "high": float})
    size = _each([row["games"] for row in rows], unit)
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
        ratings = pd.DataFrame(
            [{"label": r["strategy"], "value": r["elo"], "low": r["elo_low"], "high": r["elo_high"]} for r in rated]
        ).astype({"value": float, "low": float, "high": float})
        ratings = ratings.sort_values("value", ascending=False, kind="stable").reset_index(drop=True)
        section.add(Picture(
            "ratings", f"Ratings with intervals: {ratings['label'].iloc[0]} first",
            "One number a strategy, from all results together (Bradley-Terry): 100 points more mean a score of 64 %. The "
            "intervals come from resampling game pairs in all matches at once.",
            partial(plots.rating, ratings, size=size)))  # fmt: skip
    return section


def cross(summary: dict[str, Any]) -> Section:
    """Heat map and table of matches."""
    from basra_sim import plots

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
        size = _each([m["games"] for m in summary["matches"] if m["games"]], unit).replace("each", "a match")
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
    from basra_sim import plots

    effect = estimate(summary, "seat_effect")
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


def rounds_each(frame: pd.DataFrame) -> str:
    """"145,554 rounds each": the denominators of each strategy, the smallest and the largest."""
    sizes = frame.groupby("strategy", sort=False)["of"].max()
    return _each([int(size) for size in sizes], "rounds")


def ranked(frame: pd.DataFrame, order: list[str]) -> pd.DataFrame:
    """Rows in the order of the ranking."""
    place = frame["strategy"].map({name: index for index, name in enumerate(order)})
    return frame.assign(_place=place).sort_values("_place", kind="stable").drop(columns="_place").reset_index(drop=True)


def _best_matches_first(frame: pd.DataFrame, summary: dict[str, Any]) -> pd.DataFrame:
    """Rows of a frame by match, the matches of the best strategies first."""
    rank = {row["strategy"]: index for index, row in enumerate(summary["ranking"])}
    weight = {m["match"]: max(rank[m["a"]], rank[m["b"]]) + min(rank[m["a"]], rank[m["b"]]) / 1000 for m in summary["matches"]}
    place = frame["match"].map(weight)
    return frame.assign(_place=place).sort_values("_place", kind="stable").drop(columns="_place").reset_index(drop=True)


def _flipped(e: Any) -> Any:
    from basra_sim.analysis.statistics.intervals import Estimate

    return Estimate(-e.value, None if e.high is None else -e.high, None if e.low is None else -e.low)


def headline_match(run: RunTotals, summary: dict[str, Any]) -> tuple[MatchTotals, dict[str, Any]] | None:
    """The match of the two best, or the first one."""
    order = [row["strategy"] for row in summary["ranking"] if row["games"]][:2]
    both = [(m, s) for m, s in zip(run.matches, summary["matches"], strict=True) if m.games]
    for m, s in both:
        if {m.a, m.b} == set(order):
            return m, s
    return both[0] if both else None


def _unpaired_spread(m: MatchTotals) -> float | None:
    """The standard deviation of the margins of two games on separate packs, added up."""
    game = variance(m.games, int(m.game_margin_sum), int(m.game_margin_squares))
    return math.sqrt(2 * game) if game else None


def margins(run: RunTotals, summary: dict[str, Any], tables: Tables) -> Section:
    """Margins of pairs, paired and unpaired; lengths of games."""
    from basra_sim import plots
    from basra_sim.analysis.tables.game_lengths import mean_and_spread

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
        best = _best_matches_first(games.frame, summary)
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


def faults(run: RunTotals) -> Section:
    """Forfeits by strategy and kind, notes of the run."""
    from basra_sim.records.counters import FORFEITS

    section = Section("faults", "Faults and notes")
    rows = []
    for m in run.matches:
        for side, name in enumerate((m.a, m.b)):
            for kind, games in zip(FORFEITS, m.forfeits[side], strict=True):
                if games:
                    rows.append([name, f"{m.a} vs {m.b}", kind.replace("_", " "), count(int(games))])
    if rows:
        head = ["strategy", "match", "why", "games"]
        section.add("A forfeited game counts as lost and is in no average of points.")
        section.add(Grid("Forfeited games, by the strategy at fault", head, rows, words=3))
    elif run.complete:
        section.add("No play was at fault: every card played was checked by the engine.")
    else:
        section.add(Text("The run stopped before its end: it was interrupted, or a strategy was at fault.", "warning"))
    if run.notes:
        section.add(Bullets(list(run.notes)))
    return section


METHOD = (
    "The unit is the game pair: the same packs played twice with the seats swapped. The two games of a pair depend on each "
    "other, pairs do not; every interval is computed on pairs, or on rounds in one role, of which each pair "
    "has one with the same pack.",
    "All intervals are 95 %: of many runs like this one, 95 % of such intervals hold the true value. They say nothing about a "
    "difference that is too small to matter.",
    "Scores: Agresti and Coull's adjusted interval (The American Statistician 52, 1998), carried over to bounded pair scores; it "
    "is never of no width. Points and cards a round: the ratio estimator (Cochran, Sampling Techniques, 1977, section 6.4).",
    "Basras, captures and other counts of plays: the same adjusted interval with 1.5 times the binomial variance, because plays "
    "of one round depend on each other (measured: at most 1.40 times). Several matches: ends averaged, "
    "right whatever the dependence.",
    "Elo: +100 means a score of 64 %. The likelihood of being stronger is that of a true score above one half; it is not the "
    "probability that the difference matters.",
    "Of twenty comparisons without any true difference, one passes a 95 % interval on average: look at the size as well.",
)


FIXED = (
    "They are for a run whose length was fixed beforehand; who looks again and again and stops when the result pleases is "
    "fooled by any of them."
)
WATCHED = (
    "How long this run lasted depended on what it showed, so scores have intervals that may be watched and stopped at any time "
    "(betting confidence sequences); they are wider."
)


def method(summary: dict[str, Any]) -> Section:
    """Notes on method in plain words, with sources."""
    notes = list(METHOD)
    notes.insert(2, WATCHED if summary.get("anytime") else FIXED)
    return Section("method", "How the numbers were made").add(Bullets(notes))


def repeat(run: RunTotals) -> Section:
    """Command and digest."""
    return Section("repeat", "To repeat it").add(
        "The same versions and the same command play the same games, on any machine and with any number of workers:",
        Code(run.command),
        "The digest covers the seed, the rules, the strategies' files and every result. If yours is the same, so are all games:",
        Code(run.digest),
    )


def points_text(summary: dict[str, Any]) -> str:
    """Who scores most, for the head of the sources."""
    rows = [row for row in summary["ranking"] if row["games"]]
    if not rows:
        return ""
    most = max(rows, key=lambda row: row["points_per_round"])
    return f"{most['strategy']} scores most: {number(estimate(most, 'points_per_round'))} points a round."
