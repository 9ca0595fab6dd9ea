"""Estimates with 95 % intervals from the exact counters of game pairs. Pure functions of numbers; imports no records.

The unit is always the game pair (same packs, seats swapped): games of a pair depend on each other, pairs do not.
Formulas, sources and the measured coverage are in docs/statistics.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from scipy.special import stdtr, stdtrit

MIN_PAIRS = 10  # fewer pairs than this get no interval: "n/a"
LEVEL = 0.95
PSEUDO = 1.5  # pseudo-pairs added at each end of the scale
CONTINUITY = 0.5  # of one pair, added to each half-width: the step between results of pairs won or lost whole


class Estimate(NamedTuple):
    """A value with its 95 % interval; None where there is nothing to say (no data, or too few pairs)."""

    value: float | None
    low: float | None = None
    high: float | None = None

    @property
    def half(self) -> float | None:
        """Half the width of the interval, or None."""
        return None if self.low is None or self.high is None else (self.high - self.low) / 2


NOTHING = Estimate(None)


def flat(prefix: str, estimate: Estimate) -> dict[str, float | None]:
    """``{"x": value, "x_low": low, "x_high": high}``: an estimate as fields of a summary."""
    return {prefix: estimate.value, f"{prefix}_low": estimate.low, f"{prefix}_high": estimate.high}


def estimate_of(entry: Mapping[str, Any], key: str) -> Estimate:
    """An estimate back from the three fields of a summary that `flat` made."""
    return Estimate(entry[key], entry[f"{key}_low"], entry[f"{key}_high"])


def _moments(counts: Sequence[int]) -> tuple[int, float, float]:
    """Number of pairs, and mean and variance of the score 0..1 of a pair with the pseudo-pairs added."""
    steps = len(counts) - 1
    n = sum(counts)
    size = n + 2 * PSEUDO
    mean = (sum(k * c for k, c in enumerate(counts)) / steps + PSEUDO) / size
    square = (sum(k * k * c for k, c in enumerate(counts)) / steps**2 + PSEUDO) / size
    return n, mean, max(square - mean * mean, 0.0)


def score_interval(counts: Sequence[int], level: float = LEVEL) -> Estimate:
    """The mean score of independent pairs whose scores are k/(len(counts)-1), `counts[k]` of them.

    With five counts this is the pentanomial: pairs by half points 0..4. Agresti and Coull's adjusted interval (1998),
    carried from yes/no to bounded scores: 1.5 pseudo-pairs at each end, Student's t, and a continuity term of half
    a pair. Never of zero width, never outside 0..1, None under 10 pairs. `value` is the plain mean.
    """
    n = sum(counts)
    if n == 0:
        return NOTHING
    value = sum(k * c for k, c in enumerate(counts)) / ((len(counts) - 1) * n)
    if n < MIN_PAIRS:
        return Estimate(value)
    n, mean, variance = _moments(counts)
    half = _quantile(n, level) * math.sqrt(variance / (n + 2 * PSEUDO)) + CONTINUITY / n
    return Estimate(value, min(max(mean - half, 0.0), value), max(min(mean + half, 1.0), value))


def superiority(counts: Sequence[int]) -> float | None:
    """The likelihood that the true score is above 1/2, from the same moments as `score_interval`; None under 10 pairs.

    Student's t in the place of the normal law of the chess programs' LOS, which it approaches with many pairs.
    """
    if sum(counts) < MIN_PAIRS:
        return None
    n, mean, variance = _moments(counts)
    return float(stdtr(n - 1, (mean - 0.5) / math.sqrt(variance / (n + 2 * PSEUDO))))


def elo(score: float | None) -> float | None:
    """The Elo difference of a score, ``-400 log10(1/s - 1)``; None for 0, 1 and None, where it is not finite."""
    if score is None or not 0.0 < score < 1.0:
        return None
    return -400.0 * math.log10(1.0 / score - 1.0) + 0.0  # + 0.0: never -0.0


def elo_interval(score: Estimate) -> Estimate:
    """The Elo difference of a score with its interval; an end that is not finite is None."""
    return Estimate(elo(score.value), elo(score.low), elo(score.high))


def _quantile(n: int, level: float) -> float:
    """Student's t for n pairs, two-sided."""
    return float(stdtrit(n - 1, 0.5 + level / 2))


Weights = Mapping[int, int]  # index of a per-pair quantity -> integer weight


def _product(products: Sequence[Sequence[int]], left: Weights, right: Weights) -> int:
    return sum(u * v * products[i][j] for i, u in left.items() for j, v in right.items())


def _ratio_spread(
    n: int, sums: Sequence[int], products: Sequence[Sequence[int]], top: Weights, bottom: Weights
) -> float:
    """The squared standard error of sum(top)/sum(bottom), by exact integers until the last division."""
    y = sum(w * sums[i] for i, w in top.items())
    x = sum(w * sums[i] for i, w in bottom.items())
    residual = (
        _product(products, top, top) * x * x
        - 2 * y * x * _product(products, top, bottom)
        + y * y * _product(products, bottom, bottom)
    )
    return residual * n / ((n - 1) * x**4)


def ratio_interval(
    n: int, sums: Sequence[int], products: Sequence[Sequence[int]], top: Weights, bottom: Weights, level: float = LEVEL
) -> Estimate:
    """sum(top) / sum(bottom) over n pairs, with the linearised interval of a ratio estimator (Cochran 1977, 6.4).

    `sums[i]` and `products[i][j]` are sums over pairs of quantity i and of i times j (Python ints). Points a round is
    points over rounds. None as interval under 10 pairs or when all pairs are alike, for which nothing can be said.
    """
    x = sum(w * sums[i] for i, w in bottom.items())
    if n == 0 or x == 0:
        return NOTHING
    value = sum(w * sums[i] for i, w in top.items()) / x
    if n < MIN_PAIRS:
        return Estimate(value)
    spread = _ratio_spread(n, sums, products, top, bottom)
    if spread <= 0:
        return Estimate(value)
    half = _quantile(n, level) * math.sqrt(spread)
    return Estimate(value, value - half, value + half)


def rate_interval(
    n: int, sums: Sequence[int], products: Sequence[Sequence[int]], top: Weights, bottom: Weights, level: float = LEVEL
) -> Estimate:
    """Events a round when events may be rare (basras): as `ratio_interval`, and honest with few or no events.

    k events in all become k + 1.5, with the variance that the ratio estimator finds in units of a Poisson count's
    (1 when there is no event), and a continuity term of 1/2; never below 0.
    """
    x = sum(w * sums[i] for i, w in bottom.items())
    if n == 0 or x == 0:
        return NOTHING
    k = sum(w * sums[i] for i, w in top.items())
    if n < MIN_PAIRS:
        return Estimate(k / x)
    dispersion = 1.0 if k == 0 else _ratio_spread(n, sums, products, top, bottom) * x * x / k
    if dispersion <= 0:
        return Estimate(k / x)
    half = _quantile(n, level) * math.sqrt(dispersion * (k + PSEUDO)) + CONTINUITY
    low, high = max(k + PSEUDO - half, 0.0), k + PSEUDO + half
    return Estimate(k / x, min(low, k) / x, max(high, k) / x)


def combine(estimates: Sequence[Estimate], weights: Sequence[float]) -> Estimate:
    """A weighted mean of estimates that may depend on each other in any way; conservative.

    The standard deviation of a mean is at most the mean of the standard deviations, whatever the correlation, so
    the ends are averaged like the values. Matches of a run share their packs, hence the care. Any None makes None.
    """
    known = [(e, w) for e, w in zip(estimates, weights, strict=True) if e.value is not None and w > 0]
    total = sum(w for _, w in known)
    if not known:
        return NOTHING
    value = sum(w * e.value for e, w in known if e.value is not None) / total
    if any(e.low is None or e.high is None for e, _ in known):
        return Estimate(value)
    low = sum(w * e.low for e, w in known if e.low is not None) / total
    high = sum(w * e.high for e, w in known if e.high is not None) / total
    return Estimate(value, low, high)


def variance(n: int, total: int, squares: int) -> float | None:
    """The sample variance of n integers from their sum and sum of squares, exactly; None for n < 2."""
    if n < 2:
        return None
    return (n * squares - total * total) / (n * (n - 1))


def pairing_gain(pair_variance: float | None, game_variance: float | None) -> float | None:
    """How much of the variance pairing removed: 1 - Var(sum of the pair) / (2 Var(one game)); None without variance.

    0.25 says: a quarter fewer games for the same interval than with packs drawn afresh for every game. It is minus
    the correlation of the two games of a pair, and negative where pairing costs.
    """
    if pair_variance is None or not game_variance:
        return None
    return 1.0 - pair_variance / (2.0 * game_variance)
