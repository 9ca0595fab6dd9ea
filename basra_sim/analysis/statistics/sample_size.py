"""How many pairs it takes: from the spread of pair scores in a short pilot. Pure functions; imports no records."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from scipy.special import ndtri

from .sequential import anytime_interval


@dataclass(frozen=True)
class Needed:
    """Pairs for a run of fixed length, and for one that is watched until its interval is as narrow as what is looked for."""

    spread: float  # standard deviation of a pair's score, 0..1
    fixed: int
    watched: int


def fixed_pairs(spread: float, difference: float, power: float, alpha: float = 0.05) -> int:
    """Pairs after which a score that differs from 1/2 by `difference` is told from it with probability `power`.

    ((z_(1 - alpha/2) + z_power) * spread / difference)^2, the two-sided normal test of fixed length (any textbook; it
    gives 19,623 single rounds for 1 % at power 0.8 and spread 1/2).
    """
    z = float(ndtri(1.0 - alpha / 2.0) + ndtri(power))
    return math.ceil((z * spread / difference) ** 2)


def watched_pairs(shares: Sequence[float], half: float) -> int:
    """Pairs until the interval that may be watched has this half-width, if pair scores come in these shares."""
    low, high = 1, 1
    while _half(shares, high) > half:
        low, high = high, 2 * high
        if high > 1 << 50:
            return high
    while high - low > max(1, low // 1000):
        middle = (low + high) // 2
        low, high = (middle, high) if _half(shares, middle) > half else (low, middle)
    return high


def _half(shares: Sequence[float], pairs: int) -> float:
    half = anytime_interval([share * pairs for share in shares]).half  # type: ignore[misc]
    return 1.0 if half is None else half


def spread_of(counts: Sequence[int]) -> float:
    """The standard deviation of pair scores 0..1; a pilot's, with half a pair added at each end: never 0."""
    amounts = [float(c) for c in counts]
    amounts[0] += 0.5
    amounts[-1] += 0.5
    n, steps = sum(amounts), len(amounts) - 1
    mean = sum(k / steps * c for k, c in enumerate(amounts)) / n
    return math.sqrt(sum((k / steps - mean) ** 2 * c for k, c in enumerate(amounts)) / n)


def needed(counts: Sequence[int], difference: float, power: float, alpha: float = 0.05) -> Needed:
    """What it takes to tell a score of 1/2 + `difference` from 1/2, from the pair scores of a pilot."""
    n = sum(counts)
    shares = [(c + (0.5 if k in (0, len(counts) - 1) else 0.0)) / (n + 1) for k, c in enumerate(counts)]
    # as spread out as in the pilot, about the middle: what matters is whether two near equals can be told apart
    even = [(one + other) / 2 for one, other in zip(shares, reversed(shares), strict=True)]
    spread = spread_of(counts)
    return Needed(spread, fixed_pairs(spread, difference, power, alpha), watched_pairs(even, difference))
