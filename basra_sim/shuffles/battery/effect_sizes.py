"""Effect sizes in words a player understands: riffles, cards guessed, jacks and komi, repeated decks."""

from __future__ import annotations

from dataclasses import dataclass
from math import log2, sqrt

import numpy as np
from scipy import special

from basra_sim.shuffles.laws.chances import wilson
from basra_sim.shuffles.laws.permutation_laws import harmonic
from basra_sim.shuffles.laws.riffles import order_bits, riffle_missing_bits

from .measures import equal_pairs, seat_of_place
from .outcomes import Outcome
from .tally import Tally

MOST_PILES = 1 << 14
FAIR_RIFFLES = 12.0


@dataclass(frozen=True)
class RiffleEquivalent:
    """How many riffles leave as many rising sequences: a best value and a 95 % likelihood interval (riffles may be
    fractions: a shuffle of `a` packets counts as log2 a). `riffles` is None when it looks like more than the scale."""

    riffles: float | None
    low: float
    high: float | None
    missing_bits: float


def riffle_equivalent(histogram: np.ndarray, n: int) -> RiffleEquivalent:
    """The number of riffles that fits a histogram of rising sequences best (Bayer & Diaconis, any number of packets).

    histogram: int64 (>= n + 1,), decks with 0, 1, 2, ... rising sequences.
    """
    rising = np.flatnonzero(histogram)
    packets = np.arange(max(1, int(rising.max())), MOST_PILES + 1, dtype=np.float64)
    score = np.zeros(len(packets))
    for r in rising:
        top = packets + n - r
        score += histogram[r] * (special.gammaln(top + 1) - special.gammaln(top - n + 1))
    score -= histogram.sum() * n * np.log(packets)
    best = int(score.argmax())
    inside = np.flatnonzero(score >= score[best] - 1.92)
    scale_end = len(packets) - 1
    low = log2(packets[inside[0]])
    high = None if inside[-1] == scale_end else log2(packets[inside[-1]])
    at = log2(packets[best])
    if best == scale_end or at > FAIR_RIFFLES:
        return RiffleEquivalent(None, low, high, 0.0)
    return RiffleEquivalent(at, low, high, _missing_bits(at, n))


def _missing_bits(riffles: float, n: int) -> float:
    """Bits missing after a fraction of riffles, between the two whole numbers of riffles around it (log scale)."""
    below = int(riffles)
    left = riffle_missing_bits(below, n) if below else order_bits(n)
    right = riffle_missing_bits(below + 1, n)
    part = riffles - below
    return float(left ** (1 - part) * right**part)


@dataclass(frozen=True)
class Effect:
    """One line of the section "in game terms": what, seen with its 95 % interval, expected."""

    what: str
    seen: float
    low: float
    high: float
    expected: float
    unit: str = ""

    def text(self) -> str:
        """The line in words."""
        scale, mark = (100.0, " %") if self.unit == "%" else (1.0, "")
        digits = 2 if self.unit == "%" else 3
        seen, low, high, expected = (round(scale * x, digits) for x in (self.seen, self.low, self.high, self.expected))
        return f"{self.what}: {seen:g}{mark} (95 %: {low:g} to {high:g}{mark}; a perfect shuffle: {expected:g}{mark})"


GAME_LINES = (
    ("leader-jacks", "jacks dealt to the leader in a round"),
    ("first-hand-jacks", "jacks in the leader's first hand"),
    ("floor-jacks", "jacks turned up for the first floor"),
    ("hand-pairs", "pairs inside the hands and the floor of a round"),
)


def game_effects(outcome: Outcome, tally: Tally) -> list[Effect]:
    """The effect of the shuffle on what Basra players see, each with an interval and what a perfect shuffle gives."""
    lines = []
    for name, words in GAME_LINES:
        try:
            measure = outcome.result(name).measure
        except KeyError:
            continue
        low, high = measure.interval
        lines.append(Effect(words, measure.value, max(0.0, low), high, measure.expected))
    if lines:
        owned = np.bincount(seat_of_place(), weights=tally.places[25], minlength=3)
        share = owned[0] / tally.decks
        lines.append(Effect("the 7d is dealt to the leader", share, *wilson(owned[0], tally.decks, 1.96), 24 / 52, "%"))
    return lines


def best_guesser(tally: Tally) -> Effect | None:
    """Cards that the best of the three guessers gets right in a deck (playing from the first deck on, learning)."""
    decks = int(tally.guesses[0].sum())
    if not decks:
        return None
    values = np.arange(tally.n + 1)
    means = tally.guesses @ values / decks
    best = int(means.argmax())
    spread = sqrt(max(0.0, float(((values - means[best]) ** 2) @ tally.guesses[best]) / decks))
    half = 1.96 * spread / sqrt(decks)
    words = ("who knows which card tends to follow", "who knows which card lies where", "who remembers the deck before")[best]
    return Effect(
        f"cards a guesser names right in a deck ({words})", float(means[best]), float(means[best]) - half,
        float(means[best]) + half, float(harmonic(tally.n)),
    )  # fmt: skip


@dataclass(frozen=True)
class Repeats:
    """Decks that came more than once: how many pairs, the usual distance between them, and what it says of the seeds.

    seed_bits: log2 of the number of different decks that would repeat so often; above_bits: with no repeat, fewer
    than 2^above_bits different decks would have shown one with 95 %.
    """

    pairs: int
    lag: int | None
    lag_share: float
    first: tuple[int, int] | None
    seed_bits: float | None
    above_bits: float


def repeated_decks(tally: Tally) -> Repeats:
    """What the fingerprints of a log say about repeated decks."""
    _, hashes, numbers = tally.sample.joined()
    order = np.argsort(hashes, kind="stable")
    same = np.flatnonzero(hashes[order][1:] == hashes[order][:-1])
    decks = tally.decks
    above = log2(max(1.0, decks * (decks - 1) / 2 / 3.0 / 2**tally.sample.level))
    if not len(same):
        return Repeats(0, None, 0.0, None, None, above)
    pairs = equal_pairs(hashes)
    earlier, later = numbers[order][same], numbers[order][same + 1]
    gaps, counts = np.unique(later - earlier, return_counts=True)
    lag = int(gaps[counts.argmax()])
    first = int(later.argmin())
    bits = log2(max(1.0, decks * (decks - 1) / 2 / (pairs * 2**tally.sample.level)))
    share = float(counts.max() / len(same))
    return Repeats(pairs, lag, share, (int(earlier[first]) + 1, int(later[first]) + 1), bits, above)
