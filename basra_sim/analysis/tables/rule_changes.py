"""Several runs of one field, under other rules say: what each strategy's score gains or loses against the first run.

Pairs with the same index have the same packs in all matches of all runs, so changes are taken by group of pair indices
(records.py), summed over a strategy's matches; groups are independent of each other. Reads records, no engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from basra_sim.analysis.statistics.intervals import MIN_PAIRS, Estimate
from basra_sim.analysis.statistics.ratings import holm_adjusted
from basra_sim.records.counters import GROUPS, RunTotals

from .two_runs import LEVEL, _cluster_error, _counted, _interval, same_packs
from .whole_field import pairs_by_group


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
