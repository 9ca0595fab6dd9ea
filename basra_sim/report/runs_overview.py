"""What stands above several runs of one field: scores side by side, what differs between them beyond chance, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from basra_sim.analysis.statistics.intervals import Estimate, estimate_of
from basra_sim.analysis.tables.run_changes import Change, score_changes, turned, why_not
from basra_sim.analysis.text.number_words import NA, count, decimals_for, fixed, number_span, percent_span, plural
from basra_sim.pages.page_parts import Bullets, Grid, Section
from basra_sim.records.counters import RunTotals

from .finding import unit_of

Summaries = Sequence[dict[str, Any]]
MOST = 3  # examples of one kind in the words


def overview(titles: Sequence[str], runs: Sequence[RunTotals], summaries: Summaries) -> tuple[str, list[Section]]:
    """(the finding over all runs, sections with words and tables)."""
    units = {unit_of(summary) for summary in summaries}
    what = units.pop() if len(units) == 1 else "games or rounds"
    section = Section("overview", "All runs side by side")
    told = [_top(titles, summaries)]
    comparable = why_not(runs)
    changes = [] if comparable else score_changes(runs)
    section.add(Bullets([text for text in (*_order(titles, summaries), *_moved(titles, changes), *_rounds(titles, summaries))
                         if text]))  # fmt: skip
    section.add(_scores(titles, summaries, what))
    if changes:
        section.add(_changes_grid(titles, summaries, changes))
    else:
        section.add(f"Changes between the runs are not worked out: {comparable}.")
    section.add(_games_grid(titles, summaries))
    return told[0], [section]


def _top(titles: Sequence[str], summaries: Summaries) -> str:
    """Who came first where."""
    first: dict[str, list[str]] = {}
    for title, summary in zip(titles, summaries, strict=True):
        rows = [row for row in summary["ranking"] if row["games"]]
        if rows:
            first.setdefault(rows[0]["strategy"], []).append(title)
    if not first:
        return "Nothing was played."
    if len(first) == 1:
        return f"{next(iter(first))} came first in all {len(titles)} runs."
    ranked = sorted(first.items(), key=lambda item: -len(item[1]))
    parts = [f"{name} in {len(where)} ({', '.join(where)})" for name, where in ranked]
    return f"Of {len(titles)} runs, {'; '.join(parts)} came first."


def _order(titles: Sequence[str], summaries: Summaries) -> list[str]:
    """Which orders are decided, and which are turned around."""
    decided = []
    level: dict[tuple[str, str], list[str]] = {}
    for title, summary in zip(titles, summaries, strict=True):
        own = {}
        for match in summary["matches"]:
            if match.get("decided"):
                one, other = sorted((match["a"], match["b"]))
                own[one, other] = (match["score_a"] > 0.5) == (one == match["a"])
        decided.append(own)
        rows = [row["strategy"] for row in summary["ranking"] if row["games"]]
        if len(rows) > 1 and tuple(sorted(rows[:2])) not in own:
            level.setdefault((rows[0], rows[1]), []).append(title)
    texts = []
    if level:
        told = [
            f"{one} and {other} ({'all runs' if len(where) == len(titles) else ', '.join(where)})"
            for (one, other), where in level.items()
        ]
        texts.append(f"First and second may be level: {'; '.join(told)}.")
    matches = sum(1 for summary in summaries for match in summary["matches"] if not match["self_match"])
    sure = sum(len(own) for own in decided)
    texts.append(
        f"{count(sure) if sure else 'None'} of {plural(matches, 'match')} are decided beyond chance, all comparisons of a "
        "run together (Holm)."
    )
    found = turned(decided)
    for a, b, won, lost in found[:MOST]:
        where = [", ".join(titles[number] for number in numbers) for numbers in (won, lost)]
        texts.append(f"The rules turn an order around: {a} beats {b} under {where[0]}, but loses to it under {where[1]}.")
    if len(found) > MOST:
        texts.append(f"So do {len(found) - MOST} more pairs.")
    if not found and len(titles) > 1:
        texts.append("No order of two strategies that is decided in one run is decided the other way in another.")
    return texts


def _moved(titles: Sequence[str], changes: Sequence[Change]) -> list[str]:
    """The largest changes of scores beyond chance."""
    sure = sorted((one for one in changes if one.beyond_chance), key=lambda one: -abs(one.change.value or 0.0))
    if not changes:
        return []
    if not sure:
        return [f"No strategy's score differs from that under {titles[0]} beyond chance."]
    parts = [
        f"{one.strategy} {'gains' if (one.change.value or 0) > 0 else 'loses'} {_hundred(one.change)} under {titles[one.run]}"
        for one in sure[: 2 * MOST]
    ]
    text = (
        f"Against {titles[0]}, {len(sure)} of {len(changes)} changes of a score are beyond chance, all together (Holm); the "
        f"largest, in games of a hundred: {'; '.join(parts)}."
    )
    still = [title for number, title in enumerate(titles) if number and not any(one.run == number for one in sure)]
    return [text] + ([f"No change beyond chance under {', '.join(still)}."] if still else [])


def _hundred(change: Estimate) -> str:
    """"6.1 (5.5 to 6.7)" of the size of a change, in percent points."""
    value, low, high = (100 * x for x in (change.value or 0.0, change.low or 0.0, change.high or 0.0))
    if value < 0:
        value, low, high = -value, -high, -low
    digits = decimals_for((high - low) / 2)
    return f"{fixed(value, digits)} ({fixed(low, digits)} to {fixed(high, digits)})"


def _rounds(titles: Sequence[str], summaries: Summaries) -> list[str]:
    """Seats in words: where the leader or the dealer gains beyond chance."""
    gains: dict[str, list[str]] = {"leader": [], "dealer": [], "": []}
    for title, summary in zip(titles, summaries, strict=True):
        effect = estimate_of(summary, "seat_effect")
        if effect.value is None or effect.low is None or effect.high is None:
            continue
        who = "leader" if effect.low > 0 else "dealer" if effect.high < 0 else ""
        gains[who].append(f"{title} {fixed(abs(effect.value), 1)}" if who else title)
    texts = [
        f"The {who} scores more, beyond chance, by so many points a round: {', '.join(gains[who])}."
        for who in ("dealer", "leader") if gains[who]
    ]  # fmt: skip
    return texts + ([f"Neither seat gains beyond chance: {', '.join(gains[''])}."] if gains[""] else [])


def _scores(titles: Sequence[str], summaries: Summaries, what: str) -> Grid:
    """Scores of every strategy in every run, side by side."""
    names = list(dict.fromkeys(row["strategy"] for summary in summaries for row in summary["ranking"]))
    rows = []
    for name in names:
        cells = [name]
        for summary in summaries:
            row = next((r for r in summary["ranking"] if r["strategy"] == name and r["games"]), None)
            cells.append("–" if row is None else percent_span(estimate_of(row, "score")))
        rows.append(cells)
    caption = f"Score against the others of the same run, % of {what}, with 95 % intervals"
    return Grid(caption, ["strategy", *titles], rows)


def _changes_grid(titles: Sequence[str], summaries: Summaries, changes: Sequence[Change]) -> Grid:
    by_place = {(one.strategy, one.run): one for one in changes}
    rows = []
    for row in summaries[0]["ranking"]:
        name = row["strategy"]
        cells = [name]
        for number in range(1, len(titles)):
            one = by_place[name, number]
            half = one.change.half
            if one.change.value is None or half is None:
                cells.append(NA if one.change.value is None else "0")
                continue
            digits = decimals_for(100 * half)
            text = f"{fixed(100 * one.change.value, digits, signed=True)} ±{fixed(100 * half, digits)}"
            cells.append(text + (" *" if one.beyond_chance else ""))
        rows.append(cells)
    caption = (
        f"What the score gains over that under {titles[0]}, in percent points, with 95 % intervals on the same packs; * beyond "
        "chance, all of this table together (Holm)"
    )
    return Grid(caption, ["strategy", *titles[1:]], rows)


def _games_grid(titles: Sequence[str], summaries: Summaries) -> Grid:
    rows = []
    for title, summary in zip(titles, summaries, strict=True):
        games, rounds = summary["games"], summary["rounds"]
        met = [row for row in summary["ranking"] if row["games"]]
        played = sum(row["rounds"] for row in met)
        means = [
            fixed(sum(row["rounds"] * row[key] for row in met) / played, 2) if played else NA
            for key in ("points_per_round", "basras_per_round")
        ]
        rows.append([
            title, count(games), fixed(rounds / games, 2) if games else NA, *means,
            number_span(estimate_of(summary, "seat_effect"), signed=True),
        ])  # fmt: skip
    head = ["rules", "games", "rounds a game", "points a side and round", "basras a side and round", "leader over dealer"]
    return Grid("How the games went: means over all matches, and the leader's points a round over the dealer's", head, rows)
