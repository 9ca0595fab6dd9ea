"""Statistics that may be watched: a confidence sequence and a sequential test, both of the counts of pair scores alone.

The unit is the game pair (docs/statistics.md). Pure functions of numbers; imports no records and no engine.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .intervals import LEVEL, NOTHING, Estimate

# The bets of the confidence sequence: a prior on sizes that is fixed before anything is played. Sizes shrink like
# 1/sqrt(pairs), so these reach from a handful of pairs to about 10^12.
_STEPS = np.arange(40)
_BETS = 2.0 ** (-_STEPS / 2.0)
_WEIGHTS = 1.0 / (_STEPS + 4.0) ** 1.5
_LOG_WEIGHTS = np.log(_WEIGHTS / _WEIGHTS.sum())


def score_of_elo(elo: float) -> float:
    """The expected score of an Elo difference: 1 / (1 + 10^(-elo/400))."""
    return 1.0 / (1.0 + 10.0 ** (-elo / 400.0))


def root(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """Where a function with values of different sign at `low` and `high` is 0, to within `tolerance`.

    T. R. Chandrupatla (1997), Advances in Engineering Software 28, 145-149: an inverse parabola where it can be trusted,
    else the middle. scipy.optimize has the same, and would be a tenth of the memory of every run.
    """
    a, b, value_a, value_b = high, low, function(high), function(low)
    step = 0.5
    while True:
        new = a + step * (b - a)
        value = function(new)
        if (value > 0) == (value_a > 0):
            c, value_c = a, value_a
        else:
            c, value_c, b, value_b = b, value_b, a, value_a
        a, value_a = new, value
        best, value = (a, value_a) if abs(value_a) < abs(value_b) else (b, value_b)
        least = (tolerance / 2 + 4e-16 * abs(best)) / abs(b - a)
        if value == 0 or least > 0.5:
            return best
        place, height = (a - b) / (c - b), (value_a - value_b) / (value_c - value_b)
        step = 0.5
        if 1 - math.sqrt(1 - place) < height < math.sqrt(place):
            step = value_a / (value_b - value_a) * value_c / (value_b - value_c)
            step += (c - a) / (b - a) * value_a / (value_c - value_a) * value_b / (value_c - value_b)
        step = min(1 - least, max(least, step))


# ------------------------------------------------------------------------------------------- confidence sequence
def _log_wealth(counts: np.ndarray, scores: np.ndarray, mean: float) -> float:
    """The logarithm of what a player has who bets, in every size of the prior, that the true mean lies above `mean`."""
    seen = counts > 0  # a score that never came has no say, even where it would have lost the whole bet
    with np.errstate(divide="ignore"):
        growth = np.log1p(_BETS[:, None] * (scores[seen] - mean)[None, :])
    exponents = _LOG_WEIGHTS + growth @ counts[seen]
    top = float(exponents.max())
    return top + math.log(float(np.exp(exponents - top).sum()))


def _lower_end(counts: np.ndarray, scores: np.ndarray, threshold: float) -> float:
    """The mean at which the wealth of betting on more falls to the threshold; it falls with the mean."""

    def excess(mean: float) -> float:
        return _log_wealth(counts, scores, mean) - threshold

    value = float((counts * scores).sum() / counts.sum())
    if excess(0.0) <= 0:
        return 0.0
    return root(excess, 0.0, value, 1e-12) if value > 0 else 0.0


def anytime_interval(counts: Sequence[int], level: float = LEVEL) -> Estimate:
    """The mean pair score with an interval that may be looked at after every pair and stopped at will.

    `counts[k]` pairs scored k / (len(counts) - 1). For each m, the product of 1 + bet * (score - m) is a fair game when m
    is the true mean, and so is its average over a prior on bets in (0, 1]; by Ville's inequality it ever reaches
    2 / (1 - level) with probability (1 - level) / 2 at most. The interval holds the m that were not yet so refuted
    from above or from below. So it holds the truth at *all* times together with the given probability, for any law
    of pair scores. Waudby-Smith and Ramdas (2024), JRSS B 86, 1-27; mixtures of constant bets: Orabona and Jun (2024),
    IEEE Transactions on Information Theory 70, 436-455. Order does not matter: it is a function of counts.
    """
    amounts = np.asarray(counts, dtype=float)
    total = amounts.sum()
    if total == 0:
        return NOTHING
    scores = np.arange(len(amounts)) / (len(amounts) - 1)
    threshold = math.log(2.0 / (1.0 - level))
    value = float((amounts * scores).sum() / total)
    low = _lower_end(amounts, scores, threshold)
    high = 1.0 - _lower_end(amounts[::-1], scores, threshold)
    return Estimate(value, min(low, value), max(high, value))


def anytime_p(counts: Sequence[int], mean: float = 0.5) -> float:
    """A p-value of "the mean pair score is `mean`" that stays valid however often it is looked at (1 without pairs)."""
    amounts = np.asarray(counts, dtype=float)
    if amounts.sum() == 0:
        return 1.0
    scores = np.arange(len(amounts)) / (len(amounts) - 1)
    above = _log_wealth(amounts, scores, mean)
    below = _log_wealth(amounts[::-1], scores, 1.0 - mean)
    # the average of two fair games is a fair game
    log_e = np.logaddexp(above, below) - math.log(2.0)
    return float(min(1.0, math.exp(-log_e)))


# ------------------------------------------------------------------------------------------- sequential test
@dataclass(frozen=True)
class Sprt:
    """A sequential test of Elo difference elo0 against elo1 with error probabilities alpha and beta."""

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        """elo0 is accepted when the log-likelihood ratio falls to this: log(beta / (1 - alpha)), Wald (1945)."""
        return math.log(self.beta / (1.0 - self.alpha))

    @property
    def upper(self) -> float:
        """elo1 is accepted when the log-likelihood ratio rises to this: log((1 - beta) / alpha)."""
        return math.log((1.0 - self.beta) / self.alpha)

    def ratio(self, counts: Sequence[int]) -> float:
        """The log-likelihood ratio of pairs by half points 0..4 (see `log_likelihood_ratio`)."""
        return log_likelihood_ratio(counts, score_of_elo(self.elo0), score_of_elo(self.elo1))

    def verdict(self, counts: Sequence[int]) -> str | None:
        """ "elo0", "elo1", or None: go on."""
        ratio = self.ratio(counts)
        return "elo1" if ratio >= self.upper else "elo0" if ratio <= self.lower else None


REGULAR = 1e-3  # what stands for a count of zero, as in fishtest: the maximum-likelihood laws then always exist


def _likeliest(scores: np.ndarray, shares: np.ndarray, mean: float) -> np.ndarray:
    """The law on `scores` with the given mean under which `shares` are likeliest.

    It is shares / (1 + x (scores - mean)) for the x that makes the mean right (Owen 1988, empirical likelihood): the
    root of a falling function between the two poles.
    """
    gaps = scores - mean
    low, high = -1.0 / gaps.max(), -1.0 / gaps.min()
    margin = 1e-12 * (high - low)

    def slope(x: float) -> float:
        return float((shares * gaps / (1.0 + x * gaps)).sum())

    x = root(slope, low + margin, high - margin, 1e-14)
    return np.asarray(shares / (1.0 + x * gaps))


def log_likelihood_ratio(counts: Sequence[int], mean0: float, mean1: float) -> float:
    """The generalised log-likelihood ratio of mean pair score mean1 against mean0, 0 without pairs.

    M. Van den Bergh, "A practical introduction to the GSPRT" and the mathematics page of fishtest, whose numbers it gives:
    each hypothesis is represented by the likeliest law on the five scores that has its mean; counts of 0 become 0.001.
    """
    amounts = np.asarray(counts, dtype=float)
    if amounts.sum() == 0:
        return 0.0
    amounts = np.where(amounts == 0, REGULAR, amounts)
    total = amounts.sum()
    shares = amounts / total
    scores = np.arange(len(amounts)) / (len(amounts) - 1)
    law0, law1 = _likeliest(scores, shares, mean0), _likeliest(scores, shares, mean1)
    return float(total * (shares * np.log(law1 / law0)).sum())
