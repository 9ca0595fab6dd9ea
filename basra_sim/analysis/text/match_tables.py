"""The tables of a run about its matches: who beat whom, every match, and what its game pairs say."""

from __future__ import annotations

import math
from typing import Any

from basra_sim.analysis.statistics.intervals import estimate_of
from basra_sim.analysis.statistics.ranking import score_of

from .number_words import (
    NA,
    count,
    elo_text,
    fixed,
    percent,
    percent_half,
    plural,
    probability,
    span,
)
from .summary_view import MATCH_LINES, View
from .table_words import LEVEL, LEVEL_NOTE


def _cell(view: View, match: dict[str, Any] | None, side: str, record: bool) -> str:
    if match is None:
        return "-"
    if match["level"]:
        return "level"
    score = score_of(match, side)
    mark = "*" if match["decided"] else ""
    lines = [percent(score).removesuffix(" %") + mark, percent_half(score, view.plus_minus)]
    if record:
        other = "b" if side == "a" else "a"
        lines.append(f"{match[f'wins_{side}']}-{match['draws']}-{match[f'wins_{other}']}")
    return "\n".join(lines)


def cross_table(view: View) -> None:
    """Row against column; split into blocks of columns where the width does not hold all."""
    ranked = view.s["ranking"]
    if len(ranked) < 3:
        return
    at = {(m[one], m[two]): (m, one) for m in view.s["matches"] for one, two in (("a", "b"), ("b", "a"))}
    names = [row["strategy"] for row in ranked]

    def cells(record: bool) -> dict[tuple[str, str], str]:
        return {
            (one, two): _cell(view, *at.get((one, two), (None, "a")), record) for one in names for two in names
        }

    first = min(max(len(name) for name in names), 20) + 5
    for record in (True, False):
        texts = cells(record)
        wide = max(len(line) for text in texts.values() for line in text.split("\n"))
        fit = max(1, (view.console.width - first) // (wide + 2))
        if fit >= len(names):
            break
    fit = math.ceil(len(names) / math.ceil(len(names) / fit))  # blocks of even size
    longest = max(len(name) for name in names)
    named = longest <= wide or first + len(names) * (longest + 1) <= view.console.width
    title = f"Cross-table: score of the row against the column, % of {view.game}s"
    title += "; won-drawn-lost" if record else ""
    title += "; *: the order stands at 95 % together with all other orders so marked (Holm)"
    for start in range(0, len(names), fit):
        block = names[start : start + fit]
        heads = block if named else [str(start + i + 1) for i in range(len(block))]
        table = view.table(title, 2, "#", "row", *heads)
        for index, one in enumerate(names):
            table.add_row(str(index + 1), one, *(texts[one, two] for two in block))
        view.show(table)


def matches(view: View) -> None:
    """Every match from its first strategy's side."""
    shown = view.s["matches"][:MATCH_LINES]
    table = view.table(
        f"Matches: results of the first named, score in % of its {view.game}s", 1,
        "match", "won-drawn-lost", "score", "95 % interval",
    )  # fmt: skip
    for m in shown:
        record = f"{count(m['wins_a'])}-{count(m['draws'])}-{count(m['wins_b'])}"
        score = estimate_of(m, "score_a")
        ends = LEVEL if m["level"] else span(score, scale=100).strip("()")
        table.add_row(m["match"], record, "50 %" if m["level"] else percent(score), ends)
    more = len(view.s["matches"]) - len(shown)
    notes = [f"... and {plural(more, 'match')} more, in matches.csv."] if more else []
    if view.rows and any(m["level"] for m in shown):
        notes.append(LEVEL_NOTE)
    view.show(table, "\n".join(notes))


def pair_statistics(view: View) -> None:
    """Pairs by points, Elo difference, and what pairing saved."""
    shown = view.against[:MATCH_LINES]
    if not shown:
        return
    table = view.table(
        "Game pairs: pairs in which the first named got 0, 1/2, 1, 1 1/2, 2 points", 1,
        "match", "pairs", "Elo difference", "better?", "pairing\nsaved",
    )  # fmt: skip
    for m in shown:
        gain = m["variance_reduction"]["score"]
        table.add_row(
            m["match"], " ".join(str(n) for n in m["pair_scores"]), elo_text(estimate_of(m, "elo")),
            probability(m["los"]), NA if gain is None else f"{fixed(100 * gain, 0)} %",
        )  # fmt: skip
    view.show(
        table,
        "Elo: +100 means a score of 64 %. better?: the likelihood that the first named is the stronger. pairing "
        "saved: share of the variance that swapping seats on the same packs removed.",
    )
