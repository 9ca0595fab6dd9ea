"""What all matches of a run say together: ratings, superiority, claims that stand together. Reads records, no engine.

Built on ratings.py and equilibrium.py; docs/tournaments.md explains every number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from basra_sim.analysis.statistics.equilibrium import alpha_rank, logits, nash_average
from basra_sim.analysis.statistics.ratings import Pool, Ratings, holm_adjusted, rate
from basra_sim.analysis.statistics.sequential import anytime_p
from basra_sim.records.counters import GROUPS, MatchTotals, RunTotals

from .csv_text import cell, csv_text

LEVEL = 0.05


def pairs_by_group(pairs: int) -> np.ndarray:
    """How many of the pairs 0..pairs-1 fall into each group (pair index modulo GROUPS)."""
    return pairs // GROUPS + (np.arange(GROUPS) < pairs % GROUPS)


def pool_of(run: RunTotals, against: Sequence[MatchTotals]) -> Pool:
    """The pool of the matches `against` others (self-matches left out), and of the strategies that played them."""
    met = {name for m in against for name in (m.a, m.b)}
    names = [entry["name"] for entry in run.strategies if entry["name"] in met]
    number = {name: i for i, name in enumerate(names)}
    return Pool(
        names,
        [(number[m.a], number[m.b]) for m in against],
        np.array([m.group_sums[:, 0] for m in against]).reshape(len(against), GROUPS),
        np.array([pairs_by_group(int(m.pairs)) for m in against]).reshape(len(against), GROUPS),
    )


def _known(x: float) -> float | None:
    return None if math.isnan(x) else float(x)


def why_no_ratings(run: RunTotals, against: Sequence[MatchTotals]) -> str | None:
    """Why a run gets no ratings of its pool, or None."""
    if run.design.get("form") == "gauntlet":
        return "a gauntlet has none: they would compare strategies that never met"
    if not against:
        return "no strategy played another"
    if any(int(m.group_sums[:, 0].sum()) != int(m.pair_sums[11]) for m in against):
        return "the run was written before pairs were counted by index"
    return None


def pool_summary(run: RunTotals, against: Sequence[MatchTotals]) -> dict[str, Any]:
    """The ratings of a run for its summary: {"problem", "rows", "superiority"}; best first, Elo with mean 0."""
    against = [m for m in against if m.pairs]
    problem = why_no_ratings(run, against)
    if problem is not None:
        return {"problem": problem, "rows": [], "superiority": []}
    found = rate(pool_of(run, against), seed=run.seed)
    if found.problem:
        return {"problem": found.problem, "rows": [], "superiority": []}
    order = np.argsort(-found.elo, kind="stable")
    rows = [_row(found, i, order[k + 1] if k + 1 < len(order) else None) for k, i in enumerate(order)]
    above = found.superiority[np.ix_(order, order)]
    return {"problem": None, "rows": rows, "superiority": [[_known(x) for x in row] for row in above]}


def _row(found: Ratings, i: int, following: int | None) -> dict[str, Any]:
    return {
        "strategy": found.names[i],
        "elo": float(found.elo[i]),
        "elo_low": _known(found.low[i]),
        "elo_high": _known(found.high[i]),
        "above_next": None if following is None else _known(found.superiority[i, following]),
    }


def claim_p(m: MatchTotals, los: float | None, anytime: bool) -> float | None:
    """The two-sided p-value of "the two are equal" in a match; one that may be watched if the run was."""
    if anytime:
        return anytime_p([int(c) for c in m.pair_scores]) if m.pairs else None
    return None if los is None else 2.0 * min(los, 1.0 - los)


def mark_claims(matches: list[dict[str, Any]]) -> None:
    """Add to each match `p_holm` and `decided`: whether its order stands at 95 % together with all others of the run."""
    adjusted = holm_adjusted([None if m["self_match"] else m["p_value"] for m in matches])
    for m, p in zip(matches, adjusted, strict=True):
        m["p_holm"] = p
        m["decided"] = p is not None and p <= LEVEL


def score_matrix(names: Sequence[str], matches: Sequence[dict[str, Any]]) -> np.ndarray:
    """Scores of row against column, NaN where they never met, 1/2 on the diagonal; reads match summaries."""
    number = {name: i for i, name in enumerate(names)}
    scores = np.full((len(names), len(names)), np.nan)
    np.fill_diagonal(scores, 0.5)
    for m in matches:
        if m["a"] in number and m["b"] in number and m["score_a"] is not None:
            scores[number[m["a"]], number[m["b"]]] = m["score_a"]
            scores[number[m["b"]], number[m["a"]]] = 1.0 - m["score_a"]
    return scores


def circles(names: Sequence[str], matches: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Nash average and alpha-rank of a field in which all met: strategy, nash, value, alpha_rank; best first."""
    # a strategy against itself is level by construction, whatever its few games said
    scores = score_matrix(names, [{**m, "score_a": 0.5} if m["self_match"] else m for m in matches])
    weights, values = nash_average(logits(scores))
    shares = alpha_rank(scores)
    rows = [
        {"strategy": name, "nash": float(weights[i]), "value": float(values[i]), "alpha_rank": float(shares[i])}
        for i, name in enumerate(names)
    ]
    return sorted(rows, key=lambda row: (-row["nash"], -row["value"]))


def ratings_csv(found: dict[str, Any]) -> str:
    """A line a strategy, best first: its rating, the likelihood that it is above each, and `circles` where they are known."""
    extra = {row["strategy"]: row for row in found.get("circles", [])}
    heads = ["strategy", "elo", "elo_low", "elo_high", "above_next"]
    more = ["nash", "value", "alpha_rank"] if extra else []
    columns = [*heads, *more, *(f"above {row['strategy']}" for row in found["rows"])]
    rows = []
    for row, above in zip(found["rows"], found["superiority"], strict=True):
        own = extra.get(row["strategy"], {})
        values = (*(row[head] for head in heads), *(own[head] for head in more), *above)
        rows.append(dict(zip(columns, map(cell, values), strict=True)))
    return csv_text(columns, rows)
