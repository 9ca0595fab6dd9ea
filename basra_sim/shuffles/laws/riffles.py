"""The exact law of riffle shuffles (Gilbert-Shannon-Reeds) in rational arithmetic.

Source: Bayer & Diaconis, "Trailing the Dovetail Shuffle to Its Lair", Ann. Appl. Probab. 2 (1992) 294-313: an order
with r rising sequences has probability C(2^k + n - r, n) / 2^(kn) after k riffles of a sorted pack.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import comb, factorial, log, log2

import numpy as np

from .permutation_laws import Law, eulerian


def riffle_probability(k: int, rising: int, n: int = 52) -> Fraction:
    """P(one given order with that many rising sequences) after k riffles."""
    top = 2**k + n - rising
    return Fraction(comb(top, n), 2 ** (k * n)) if top >= n else Fraction(0)


@cache
def riffle_tv(k: int, n: int = 52) -> Fraction:
    """Total variation distance from uniform after k riffles (Bayer & Diaconis, table 1)."""
    even = Fraction(1, factorial(n))
    counts = eulerian(n)
    gaps = (counts[r - 1] * abs(riffle_probability(k, r, n) - even) for r in range(1, n + 1))
    return sum(gaps, start=Fraction(0)) / 2


@cache
def riffle_separation(k: int, n: int = 52) -> Fraction:
    """Separation distance after k riffles: 1 - n! C(2^k, n) / 2^(kn); 1 while 2^k < n."""
    return 1 - factorial(n) * Fraction(comb(2**k, n), 2 ** (k * n))


@cache
def riffle_missing_bits(k: int, n: int = 52) -> float:
    """Bits of randomness still missing after k riffles (relative entropy to uniform, of log2 n! bits)."""
    whole = factorial(n)
    counts = eulerian(n)
    missing = 0.0
    for r in range(1, n + 1):
        chance = riffle_probability(k, r, n)
        if chance:
            ratio = chance * whole
            missing += float(counts[r - 1] * chance) * (log2(ratio.numerator) - log2(ratio.denominator))
    return missing


def order_bits(n: int = 52) -> float:
    """log2 n!: the bits of a perfectly shuffled pack (225.58 for 52 cards)."""
    return log2(factorial(n))


@cache
def riffle_rising_law(k: int, n: int = 52) -> Law:
    """The law of the number of rising sequences after k riffles of a sorted pack."""
    counts = eulerian(n)
    return Law(1, np.array([float(counts[r - 1] * riffle_probability(k, r, n)) for r in range(1, n + 1)]))


@cache
def riffle_log_ratios(k: int, n: int = 52) -> np.ndarray:
    """ln of P(order after k riffles) / P(order, perfect shuffle), by rising sequences 0..n (index 0 unused)."""
    whole = factorial(n)
    ratios = np.full(n + 1, -np.inf)
    for r in range(1, n + 1):
        ratio = riffle_probability(k, r, n) * whole
        if ratio:
            ratios[r] = log(ratio.numerator) - log(ratio.denominator)
    return ratios


@cache
def card_transition(k: int, start: int, end: int, n: int = 52) -> Fraction:
    """P(the card at place `start` goes to place `end`), places from 1, after k riffles.

    Assaf, Diaconis & Soundararajan, "A rule of thumb for riffle shuffling", arXiv 0908.3462.
    """
    a = 2**k
    total = 0
    for pile in range(1, a + 1):
        for r in range(max(0, start + end - n - 1), min(start, end)):
            first, second = comb(end - 1, r), comb(n - end, start - r - 1)
            total += (
                first * second * pile**r * (a - pile) ** (end - 1 - r)
                * (pile - 1) ** (start - 1 - r) * (a - pile + 1) ** (n - end - start + r + 1)
            )  # fmt: skip
    return Fraction(total, a**n)


@cache
def top_card_tv(k: int, n: int = 52) -> Fraction:
    """Total variation distance of the first card's place from uniform after k riffles."""
    even = Fraction(1, n)
    return sum((abs(card_transition(k, 1, end, n) - even) for end in range(1, n + 1)), start=Fraction(0)) / 2
