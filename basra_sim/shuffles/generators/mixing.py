"""How well k shuffles mix: exact total variation, separation and entropy for riffles and top-to-random; bounds for overhand."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import factorial, log2

import numpy as np

from basra_sim.errors import BadInput
from basra_sim.shuffles.laws.chances import wilson
from basra_sim.shuffles.laws.permutation_laws import Law, eulerian, law_of_counts, successions
from basra_sim.shuffles.laws.riffles import riffle_missing_bits, riffle_rising_law, riffle_separation, riffle_tv, top_card_tv

MOST_EXACT_BITS = 4000  # 2^k with more makes the rational arithmetic slow for nothing


@dataclass(frozen=True)
class Mixing:
    """k shuffles. tv and separation: exact fractions, or None; missing_bits: of log2 n!; bound: simulated lower bound of tv.

    bound is (value, low, high) with a 95 % interval, of the total variation of one feature, named in `feature`.
    """

    k: int
    tv: Fraction | None
    separation: Fraction | None
    missing_bits: float | None
    rising: float | None = None
    top_card: Fraction | None = None
    bound: tuple[float, float, float] | None = None
    feature: str = ""


def parse_counts(text: str) -> list[int]:
    """ "1..12", "7", "50,100,200" or "0..300/50" -> the numbers of shuffles. Raises BadInput."""
    counts: list[int] = []
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:\.\.(\d+)(?:/(\d+))?)?\s*", part)
        if not match:
            raise BadInput(f"-k '{text}' should be a number, a range or a list such as 1..12, 7 or 50,100,200 or 0..300/50")
        first, last, step = int(match[1]), int(match[2] or match[1]), int(match[3] or 1)
        if last < first or step < 1:
            raise BadInput(f"-k '{text}': {part.strip()} is no range upwards")
        counts += range(first, last + 1, step)
        if len(counts) > 1000 or last > 1_000_000:
            raise BadInput(f"-k '{text}' asks for too much: at most 1,000 numbers, each at most 1,000,000")
    return counts


def riffle_mixing(k: int, n: int = 52) -> Mixing:
    """Exact for the Gilbert-Shannon-Reeds riffle (Bayer & Diaconis 1992; Assaf, Diaconis & Soundararajan for one card)."""
    if k * n > MOST_EXACT_BITS * 52:
        raise BadInput(f"{k:,} riffles are no different from perfect in any digit; ask for {MOST_EXACT_BITS} at most")
    return Mixing(
        k,
        riffle_tv(k, n),
        riffle_separation(k, n) if k else Fraction(1),
        riffle_missing_bits(k, n),
        riffle_rising_law(k, n).mean,
        top_card_tv(k, n) if k <= 12 else None,
    )


@cache
def distinct_law(k: int, n: int) -> tuple[Fraction, ...]:
    """P(k uniform choices among n cards hit exactly d of them), d = 0..n."""
    row = [0] * (n + 1)
    row[0] = 1
    for _ in range(k):
        row = [(row[d] * d + (row[d - 1] * (n - d + 1) if d else 0)) for d in range(n + 1)]
    return tuple(Fraction(count, n**k) for count in row)


@cache
def top_chances(k: int, n: int) -> tuple[Fraction, ...]:
    """P(one given order) after k top-to-random moves, by m = 1..n, how many cards at the end are still in first order.

    The inverse (random-to-top) has, given d distinct cards chosen, those d on top in a uniform order and the others
    below as they were: P(order) = sum over j <= m of P(n - j distinct) j!/n! (Diaconis, Fill & Pitman, Combin. Probab.
    Comput. 1 (1992) 135-155; the inverse has the same distances).
    """
    law = distinct_law(k, n)
    whole = factorial(n)
    total, chances = law[n] / whole, []
    for m in range(1, n + 1):
        total += law[n - m] * Fraction(factorial(m), whole)
        chances.append(total)
    return tuple(chances)


def orders_ending_sorted(n: int) -> list[int]:
    """How many orders keep exactly m = 1..n cards at the end in their first order."""
    whole = factorial(n)
    return [whole // factorial(m) - (whole // factorial(m + 1) if m < n else 0) for m in range(1, n + 1)]


def top_mixing(k: int, n: int = 52) -> Mixing:
    """Exact for top-to-random."""
    if k > 5000:
        raise BadInput(f"{k:,} top-to-random moves are beyond the exact arithmetic here; ask for 5,000 at most")
    even = Fraction(1, factorial(n))
    chances, counts = top_chances(k, n), orders_ending_sorted(n)
    tv = sum((count * abs(p - even) for count, p in zip(counts, chances, strict=True)), start=Fraction(0)) / 2
    separation = 1 - chances[0] / even
    missing = 0.0
    for count, p in zip(counts, chances, strict=True):
        if p:
            ratio = p / even
            missing += float(count * p) * (log2(ratio.numerator) - log2(ratio.denominator))
    return Mixing(k, tv, separation, max(0.0, missing))


def overhand_mixing(k: int, chance: float, decks: int, seed: int, n: int = 52) -> Mixing:
    """A lower bound of the total variation after k overhand passes that cut at each gap with a chance; simulated.

    For three features with exact laws (neighbours left together, rising sequences, the first card's place) the set of
    values that come too often is chosen on one half of the decks and its excess measured on the other half, so that
    choosing costs nothing; the best on the first half is reported, with Wilson's 95 % interval.
    """
    from .built_in_shuffles import Generator  # the compiled loops: a second that the exact tables need not wait for

    features = _features(n)
    sums: dict[str, np.ndarray] = {}
    drawn = Generator(f"overhand:{k},{chance!r}", seed, n).decks(2 * decks)
    for name, (compute, _) in features.items():
        sums[name] = compute(drawn)
    best = (-1.0, "", np.empty(0, dtype=bool))
    for name, (_, law) in features.items():
        first = np.bincount(sums[name][:decks], minlength=len(law)) / decks
        too_often = first > law
        excess = float((first - law)[too_often].sum())
        if excess > best[0]:
            best = (excess, name, too_often)
    _, name, too_often = best
    hits = int(too_often[sums[name][decks:]].sum())
    expected = float(features[name][1][too_often].sum())
    low, high = wilson(hits, decks)
    bound = (hits / decks - expected, low - expected, high - expected)
    return Mixing(k, None, None, None, float(sums["rising sequences"].mean()), None, bound, name)


Feature = tuple[Callable[[np.ndarray], np.ndarray], np.ndarray]


def _features(n: int) -> dict[str, Feature]:
    """name -> (function of decks giving a whole number each, its exact law as an array by value)."""

    def together(decks: np.ndarray) -> np.ndarray:
        wide = decks.astype(np.int16)
        return (wide[:, 1:] - wide[:, :-1] == 1).sum(axis=1)

    def rising(decks: np.ndarray) -> np.ndarray:
        places = np.argsort(decks, axis=1)
        return 1 + (places[:, 1:] < places[:, :-1]).sum(axis=1)

    def first_place(decks: np.ndarray) -> np.ndarray:
        return np.argmax(decks == 0, axis=1)

    return {
        "neighbours left together": (together, _dense(law_of_counts(0, successions(n)), n)),
        "rising sequences": (rising, _dense(law_of_counts(1, eulerian(n)), n)),
        "the first card's place": (first_place, _dense(Law(0, np.full(n, 1.0 / n)), n)),
    }


def _dense(law: Law, n: int) -> np.ndarray:
    dense = np.zeros(n + 1)
    dense[law.low : law.low + len(law.pmf)] = law.pmf
    return dense


KINDS = ("riffle", "overhand", "top")


def mixing(kind: str, counts: list[int], *, n: int = 52, chance: float = 0.5, decks: int = 20_000, seed: int = 0) -> list[Mixing]:
    """One row for each number of shuffles. Raises BadInput for an unknown kind."""
    if kind not in KINDS:
        raise BadInput(f"no mixing of '{kind}'; there are {', '.join(KINDS)}")
    if kind == "riffle":
        return [riffle_mixing(k, n) for k in counts]
    if kind == "top":
        return [top_mixing(k, n) for k in counts]
    return [overhand_mixing(k, chance, decks, seed, n) for k in counts]


def exact_decimal(value: Fraction, places: int = 6) -> str:
    """A fraction rounded to decimal places without passing through a float."""
    scaled = value * 10**places
    whole = int(scaled + Fraction(1, 2))
    return f"{whole // 10**places}.{whole % 10**places:0{places}d}"
