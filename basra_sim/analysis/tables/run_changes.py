"""Runs of one field: what changed, paired where the packs are the same. Reads records, no engine.

Pairs with the same index have the same packs in all matches of all runs, so differences are taken by group of pair indices
(records/counters.py); groups are independent of each other.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import stdtr, stdtrit

from basra_sim.analysis.statistics.intervals import MIN_PAIRS, NOTHING, Estimate, flat, score_interval, variance
from basra_sim.analysis.statistics.ratings import holm_adjusted
from basra_sim.records.counters import GROUPS, MatchTotals, RunTotals, match_name

from .csv_text import cell, csv_text
from .field_ratings import pairs_by_group
from .summary import per_round, same_strategy

LEVEL = 0.05


def _interval(value: float, error: float, freedom: int) -> tuple[Estimate, float | None]:
    """An estimate with Student's interval, and the two-sided p-value of no change."""
    if error <= 0.0:
        return Estimate(value), None
    half = float(stdtrit(freedom, 0.975)) * error
    return Estimate(value, value - half, value + half), float(2.0 * stdtr(freedom, -abs(value) / error))


def paired_score(before: MatchTotals, after: MatchTotals) -> tuple[Estimate, float | None]:
    """The change of a's score, on the same packs: groups of pair indices are independent of each other.

    The variance is that of a ratio estimator over groups (Cochran 1977, section 6.4), with Student's t.
    """
    sizes = pairs_by_group(int(before.pairs)).astype(float)
    gaps = (after.group_sums[:, 0] - before.group_sums[:, 0]) / 4.0
    value = float(gaps.sum() / sizes.sum())
    return _interval(value, _cluster_error(gaps - value * sizes, sizes) / float(sizes.sum()), int((sizes > 0).sum()) - 1)


def paired_points(before: MatchTotals, after: MatchTotals) -> tuple[Estimate, float | None]:
    """The change of a's points less b's a round, on the same packs."""
    parts, values = [], []
    for m in (before, after):
        margins, rounds = m.group_sums[:, 1].astype(float), m.group_sums[:, 2].astype(float)
        if rounds.sum() == 0:
            return NOTHING, None
        values.append(float(margins.sum() / rounds.sum()))
        parts.append((margins - values[-1] * rounds) / rounds.sum())
    sizes = pairs_by_group(int(before.pairs)).astype(float)
    error = _cluster_error(parts[1] - parts[0], sizes)
    return _interval(values[1] - values[0], error, int((sizes > 0).sum()) - 1)


def _cluster_error(residuals: np.ndarray, sizes: np.ndarray) -> float:
    """The standard deviation of a sum of independent groups' residuals."""
    used = int((sizes > 0).sum())
    return math.sqrt(float((residuals**2).sum()) * used / (used - 1)) if used > 1 else 0.0


def apart_score(before: MatchTotals, after: MatchTotals) -> tuple[Estimate, float | None]:
    """The change of a's score when the packs are not the same: two independent estimates."""
    one, other = (score_interval([int(c) for c in m.pair_scores]) for m in (before, after))
    if one.value is None or other.value is None:
        return NOTHING, None
    errors = []
    for m in (before, after):
        counts = [int(c) for c in m.pair_scores]
        spread = variance(sum(counts), sum(k * c for k, c in enumerate(counts)), sum(k * k * c for k, c in enumerate(counts)))
        errors.append((spread or 0.0) / 16.0 / max(1, sum(counts)))
    return _interval(other.value - one.value, math.sqrt(sum(errors)), int(min(before.pairs, after.pairs)) - 1)


def same_packs(one: RunTotals, other: RunTotals) -> str | None:
    """Why the packs of two runs are not the same, or None if they are."""
    if one.unit != other.unit:
        return f"one has {one.unit}s, the other {other.unit}s"
    if one.unit == "packs":
        same = one.settings.get("packs_sha256") == other.settings.get("packs_sha256")
        return None if same else "they were played on different pack files"
    return None if one.seed == other.seed else f"their seeds are {one.seed} and {other.seed}"


def changes(one: RunTotals, other: RunTotals) -> list[str]:
    """What differs in what was asked, a line each."""
    found = []
    if one.rules != other.rules:
        keys = [key for key in one.rules if one.rules[key] != other.rules.get(key)]
        found.append("rules: " + ", ".join(f"{key} {one.rules[key]} -> {other.rules.get(key)}" for key in keys))
    if one.version != other.version:
        found.append(f"program: {one.version} -> {other.version}")
    before, after = ({entry["name"]: entry for entry in run.strategies} for run in (one, other))
    for name in before:
        if name not in after:
            found.append(f"{name}: only in the first")
        elif before[name]["sha256"] != after[name]["sha256"]:
            found.append(f"{name}: its file changed ({before[name]['sha256'][:8]} -> {after[name]['sha256'][:8]})")
        elif not same_strategy(before[name], after[name]):
            found.append(f"{name}: its parameters changed")
    return found + [f"{name}: only in the second" for name in after if name not in before]


# ------------------------------------------------------------------------------------------------ two runs
def compare(one: RunTotals, other: RunTotals) -> dict[str, Any]:
    """Everything that `basra-sim compare` says: notes, and a row a match that both runs have; changes are second less first."""
    why = same_packs(one, other)
    second = {match_name(m.a, m.b): m for m in other.matches}
    swapped = {match_name(m.b, m.a) for m in other.matches} - set(second)
    rows = [_row(m, second[match_name(m.a, m.b)], why) for m in one.matches if match_name(m.a, m.b) in second]
    for key in ("score", "points"):
        adjusted = holm_adjusted([row[f"{key}_p"] for row in rows])
        for row, p in zip(rows, adjusted, strict=True):
            row[f"{key}_p_holm"] = p
            row[f"{key}_changed"] = p is not None and p <= LEVEL
    left = [match_name(m.a, m.b) for m in one.matches if match_name(m.a, m.b) in swapped]
    return {
        "changes": changes(one, other),
        "same_packs": why is None,
        "why_not": why,
        "swapped": left,  # the same two in the other order: not compared
        "matches": rows,
    }


def _row(before: MatchTotals, after: MatchTotals, why: str | None) -> dict[str, Any]:
    enough = min(before.pairs, after.pairs) >= MIN_PAIRS
    paired = why is None and before.pairs == after.pairs and _counted(before) and _counted(after)
    score, p = (paired_score if paired else apart_score)(before, after) if enough else (NOTHING, None)
    points, points_p = paired_points(before, after) if paired and enough else (_points_apart(before, after), None)
    identical = (
        paired
        and np.array_equal(before.group_sums, after.group_sums)
        and np.array_equal(before.plays, after.plays)
        and before.pair_products == after.pair_products
    )
    return {
        "match": match_name(before.a, before.b),
        "pairs_before": int(before.pairs),
        "pairs_after": int(after.pairs),
        "paired": paired,
        "identical": bool(identical),
        "score_before": _score(before),
        "score_after": _score(after),
        **flat("score_change", score),
        "score_p": p,
        **flat("points_change", points),
        "points_p": points_p,
    }


def _counted(m: MatchTotals) -> bool:
    return int(m.group_sums[:, 0].sum()) == int(m.pair_sums[11])


def _score(m: MatchTotals) -> float | None:
    return int(m.pair_sums[11]) / (4 * int(m.pairs)) if m.pairs else None


def _points_apart(before: MatchTotals, after: MatchTotals) -> Estimate:
    one, other = (per_round(m, {"points_a": 1, "points_b": -1}) for m in (before, after))
    if one.value is None or other.value is None:
        return NOTHING
    value = other.value - one.value
    if one.half is None or other.half is None:
        return Estimate(value)
    half = math.hypot(one.half, other.half)
    return Estimate(value, value - half, value + half)


COLUMNS: Sequence[str] = (
    "match", "pairs_before", "pairs_after", "paired", "identical", "score_before", "score_after", "score_change",
    "score_change_low", "score_change_high", "score_p", "score_p_holm", "score_changed", "points_change", "points_change_low",
    "points_change_high", "points_p", "points_p_holm", "points_changed",
)  # fmt: skip


def changes_csv(found: dict[str, Any]) -> str:
    """A line a match that both runs have, of what `compare` found."""
    return csv_text(COLUMNS, ({name: cell(row[name]) for name in COLUMNS} for row in found["matches"]))


# ------------------------------------------------------------------------------------------------ several runs
@dataclass
class Change:
    """What a strategy's score against the field gained in a run over the first one, as a share of games."""

    run: int  # its place among the runs, 1 or more
    strategy: str
    change: Estimate
    p: float | None
    p_holm: float | None = None  # over all changes of all runs together

    @property
    def beyond_chance(self) -> bool:
        """Whether it stands after Holm's correction."""
        return self.p_holm is not None and self.p_holm <= LEVEL


def why_not(runs: Sequence[RunTotals]) -> str | None:
    """Why runs cannot be compared with the first, in words; None if they can."""
    first = runs[0]
    for run in runs[1:]:
        why = same_packs(first, run)
        if why is not None:
            return why
        if [(m.a, m.b, m.pairs) for m in run.matches] != [(m.a, m.b, m.pairs) for m in first.matches]:
            return "they do not hold the same matches of the same length"
    if not all(_counted(m) for run in runs for m in run.matches) or min((m.pairs for m in first.matches), default=0) < MIN_PAIRS:
        return "they hold too few games"
    return None


def score_changes(runs: Sequence[RunTotals]) -> list[Change]:
    """Every strategy's change in every later run, over its matches against others; Holm's correction over all of them."""
    names = [entry["name"] for entry in runs[0].strategies]
    found = [_change(runs, number, name) for number in range(1, len(runs)) for name in names]
    for change, p in zip(found, holm_adjusted([one.p for one in found]), strict=True):
        change.p_holm = p
    return found


def _change(runs: Sequence[RunTotals], number: int, name: str) -> Change:
    gaps, sizes = np.zeros(GROUPS), np.zeros(GROUPS)
    for before, after in zip(runs[0].matches, runs[number].matches, strict=True):
        if name not in (before.a, before.b) or before.a == before.b:
            continue
        sign = 1.0 if name == before.a else -1.0
        gaps += sign * (after.group_sums[:, 0] - before.group_sums[:, 0]) / 4.0
        sizes += pairs_by_group(int(before.pairs))
    if not sizes.any():
        return Change(number, name, Estimate(None), None)
    value = float(gaps.sum() / sizes.sum())
    error = _cluster_error(gaps - value * sizes, sizes) / float(sizes.sum())
    change, p = _interval(value, error, int((sizes > 0).sum()) - 1)
    return Change(number, name, change, p)


def turned(decided: Sequence[dict[tuple[str, str], bool]]) -> list[tuple[str, str, list[int], list[int]]]:
    """Pairs of strategies whose order is decided one way in some runs and the other way in others.

    `decided[run][(a, b)]` says whether a beat b, for matches decided after Holm's correction; the answer has
    (a, b, runs in which a beat b, runs in which b beat a).
    """
    found = []
    for pair in dict.fromkeys(pair for run in decided for pair in run):
        won = [number for number, run in enumerate(decided) if run.get(pair) is True]
        lost = [number for number, run in enumerate(decided) if run.get(pair) is False]
        if won and lost:
            found.append((*pair, won, lost))
    return found
