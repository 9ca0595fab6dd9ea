"""What each test of the battery measures: from a Tally to a value, its exact law's tails and an effect size."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import comb, factorial, sqrt

import numpy as np

from basra_sim.shuffles.laws import permutation_laws as laws
from basra_sim.shuffles.laws.permutation_laws import Law
from basra_sim.shuffles.laws.tails import (
    Tails,
    chi_square_tails,
    collision_tails,
    gamma_tails,
    noncentrality_interval,
    poisson_tails,
    sum_law,
)

from .tally import Tally

Measurer = Callable[[Tally], "Measure | None"]


@dataclass(frozen=True)
class Measure:
    """kind "mean": value and expected are means a deck, sd the null sd of one deck; kind "cells": value is the
    debiased rms relative error of the cells' probabilities, x2 scaled to `degrees`; kind "count": a Poisson count.

    half: half of the 95 % interval of a mean or count. count: decks (or pairs of decks) that entered. mass:
    noncentrality = mass * count * rms^2.
    """

    kind: str
    value: float
    expected: float
    tails: Tails
    count: int
    half: float = 0.0
    sd: float = 0.0
    x2: float = 0.0
    degrees: float = 0.0
    mass: float = 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """A 95 % interval of value."""
        if self.kind == "cells":
            low, high = noncentrality_interval(self.x2, self.degrees)
            return sqrt(low / (self.mass * self.count)), sqrt(high / (self.mass * self.count))
        low = self.value - self.half
        return (max(0.0, low) if self.kind == "count" else low), self.value + self.half

    @property
    def z(self) -> float:
        """How many null standard errors the raw statistic lies from its mean; for reading, not for p-values."""
        if self.kind == "mean":
            return (self.value - self.expected) / self.sd * sqrt(self.count) if self.sd else 0.0
        if self.kind == "cells":
            return (self.x2 - self.degrees) / sqrt(2 * self.degrees)
        return (self.value - self.expected) / sqrt(self.expected) if self.expected else 0.0


def mean_measure(key: str, law: Law, histogram: np.ndarray, n: int) -> Measure | None:
    """A whole-number statistic through its mean: the sum over decks has an exact law."""
    count = int(histogram.sum())
    if count == 0:
        return None
    values = np.arange(len(histogram))
    total = int(values @ histogram)
    mean = total / count
    spread = sqrt(max(0.0, float(((values - mean) ** 2) @ histogram)) / max(1, count - 1))
    half = 1.96 * spread / sqrt(count)
    tails = sum_law(key, n, law, count).tails(total)
    return Measure("mean", mean, law.mean, tails, count, half, sd=law.sd)


def cells_measure(scaled: float, degrees: float, mass: float, count: int, tails: Tails) -> Measure:
    """A table of cells through the relative error of its probabilities, free of the noise's own part."""
    rms = sqrt(max(0.0, scaled - degrees) / (mass * count))
    return Measure("cells", rms, 0.0, tails, count, x2=scaled, degrees=degrees, mass=mass)


def permutation(name: str, lag: int = 0) -> Measurer:
    """A statistic of the order against the start order (lag 0) or an earlier deck."""

    def measure(tally: Tally) -> Measure | None:
        if lag and not tally.pairs_of_decks(lag):
            return None
        return mean_measure(name, laws.named_law(name, tally.n), tally.histogram(name, lag), tally.n)

    return measure


def face_law(name: str) -> Law:
    """The exact law of a statistic about suits, ranks, jacks and the komi in a pack of 52."""
    if name == "runs":
        return laws.colour_runs(26, 26)
    if name == "like-suit":
        return laws.like_neighbours((13,) * 4)
    if name == "like-rank":
        return laws.like_neighbours((4,) * 13)
    if name in ("first-hand-jacks", "floor-jacks"):
        return laws.hypergeometric(52, 4, 4)
    if name == "leader-jacks":
        return laws.hypergeometric(52, 4, 24)
    if name == "jack-spread":
        return laws.spread(52, 4)
    if name == "komi-jacks":
        return laws.distance_to_group(52, 4)
    if name == "hand-pairs":
        return laws.block_pairs()
    if name == "floor-pairs":
        return laws.four_card_pairs()
    if name == "coupon":
        return laws.all_ranks_seen()
    raise KeyError(name)


def face(name: str) -> Measurer:
    """A statistic about suits, ranks, jacks and the komi."""

    def measure(tally: Tally) -> Measure | None:
        return mean_measure(f"face-{name}", face_law(name), tally.face(name), tally.n)

    return measure


def guess(row: int) -> Measurer:
    """Right guesses of one guesser; whatever the guesser does, the law is the same on a perfect shuffle."""

    def measure(tally: Tally) -> Measure | None:
        return mean_measure("guess", laws.guesses(tally.n), tally.guesses[row], tally.n)

    return measure


def matching_measure(counts: np.ndarray, decks: int) -> Measure:
    """Card x place: X2 (n-1)/n ~ chi-square((n-1)^2), with three moments exact for any number of decks.

    X2 is linear in the number of matches of all pairs of decks; matches of one pair are fixed points, pairs are
    independent two by two, and a triangle of pairs contributes 1/(n-1) (characters of the symmetric group).
    """
    n = counts.shape[0]
    expected = decks / n
    x2 = float(((counts - expected) ** 2).sum() / expected)
    degrees = float((n - 1) ** 2)
    pairs = decks * (decks - 1) / 2
    scale = 2.0 * (n - 1) / decks
    third = scale**3 * (pairs * _third(laws.named_law("fixed", n)) + decks * (decks - 1) * (decks - 2) / (n - 1))
    scaled = x2 * (n - 1) / n
    tails = gamma_tails(scaled, degrees, scale**2 * pairs, third)
    return cells_measure(scaled, degrees, float(n - 1), decks, tails)


def _third(law: Law) -> float:
    return float(((law.values - law.mean) ** 3) @ law.pmf)


def position(tally: Tally) -> Measure | None:
    """Card x place."""
    return matching_measure(tally.places, tally.decks) if tally.decks > 1 else None


def lag_position(lag: int) -> Measurer:
    """Card x place of each deck against an earlier one."""

    def measure(tally: Tally) -> Measure | None:
        count = tally.pairs_of_decks(lag)
        return matching_measure(tally.lag_places[lag - 1], count) if count > 1 else None

    return measure


def neighbours(tally: Tally) -> Measure | None:
    """Ordered neighbours: X2 follows a mixture of chi-squares with the weights of `adjacency_eigenvalues`."""
    n, decks = tally.n, tally.decks
    if decks < 2:
        return None
    expected = decks / n
    off = ~np.eye(n, dtype=bool)
    x2 = float(((tally.neighbours[off] - expected) ** 2).sum() / expected)
    law = laws.named_law("successions", n)
    pairs = decks * (decks - 1) / 2
    scale = 2.0 * n / decks
    cubes = sum(float(w) ** 3 * d for w, d in laws.adjacency_eigenvalues(n))
    third = scale**3 * (pairs * _third(law) + decks * (decks - 1) * (decks - 2) * cubes / n**3)
    variance = scale**2 * pairs * law.variance
    tails = gamma_tails(x2, float((n - 1) ** 2), variance, third)
    factor = 2.0 * (n - 1) ** 2 / (2.0 * n * n * law.variance)
    degrees = (n - 1) ** 2 * factor
    return cells_measure(x2 * factor, degrees, (n - 1) * factor, decks, tails)


def opening(tally: Tally) -> Measure | None:
    """The first two cards, n(n-1) cells."""
    if tally.decks < 2:
        return None
    n = tally.n
    counts = tally.opening[~np.eye(n, dtype=bool)]
    x2, tails = collision_tails(counts, tally.decks)
    return cells_measure(x2, n * (n - 1) - 1.0, 1.0, tally.decks, tails)


def orders(tally: Tally) -> Measure | None:
    """Every order of at most six cards, n! cells."""
    if not len(tally.cells) or tally.decks < 2:
        return None
    if tally.n == 2:
        return mean_measure("parity", laws.named_law("parity", 2), tally.cells, 2)
    x2, tails = collision_tails(tally.cells, tally.decks)
    return cells_measure(x2, factorial(tally.n) - 1.0, 1.0, tally.decks, tails)


def _one_row(counts: np.ndarray, decks: int) -> Measure:
    x2, tails = collision_tails(counts, decks)
    return cells_measure(x2, len(counts) - 1.0, 1.0, decks, tails)


def _grouped(counts: np.ndarray, decks: int) -> Measure:
    rows, columns = counts.shape
    expected = decks * 52 / counts.size
    x2 = float(((counts - expected) ** 2).sum() / expected) * 51 / 52
    degrees = float((rows - 1) * (columns - 1))
    return cells_measure(x2, degrees, 51.0, decks, chi_square_tails(x2, degrees, decks))


def shape(name: str, card: int = laws.KOMI) -> Measurer:
    """A table cut out of, or summed from, card x place."""

    def measure(tally: Tally) -> Measure | None:
        places, decks = tally.places, tally.decks
        if decks < 2:
            return None
        if name == "first-card":
            return _one_row(places[:, 0], decks)
        if name == "last-card":
            return _one_row(places[:, -1], decks)
        if name == "komi-owner":
            return _owner(places[card])
        if name.endswith("-place") and name not in ("suit-place", "rank-place"):
            return _one_row(places[card], decks)
        by_rank = places.reshape(13, 4, 52)
        if name == "suit-place":
            return _grouped(by_rank.sum(axis=0), decks)
        if name == "rank-place":
            return _grouped(by_rank.sum(axis=1), decks)
        return _grouped(by_rank.sum(axis=1).reshape(13, 13, 4).sum(axis=2), decks)

    return measure


def seat_of_place() -> np.ndarray:
    """For each place of the pack who is dealt it: 0 leader, 1 dealer, 2 floor (4-4-4, then 4-4 five times)."""
    blocks = np.arange(52) // 4
    return np.where(blocks == 2, 2, np.where(blocks < 2, blocks, (blocks - 1) % 2))


def _owner(row: np.ndarray) -> Measure | None:
    """Who is dealt a card: 2 for the leader, 1 for the floor, 0 for the dealer, so that 1 is even-handed."""
    dealt = np.bincount(np.array([2, 0, 1])[seat_of_place()], weights=row, minlength=3).astype(np.int64)
    return mean_measure("komi-owner", laws.law_of_counts(0, [24, 4, 24]), dealt, 52)


def equal_pairs(keys: np.ndarray) -> int:
    """How many pairs of equal values there are."""
    counts = np.unique(keys, return_counts=True)[1].astype(np.int64)
    return int((counts * (counts - 1) // 2).sum())


def _pairs_measure(keys: np.ndarray, outcomes: float, level: int, decks: int) -> Measure | None:
    mean = decks * (decks - 1) / 2 / outcomes / 2**level
    if decks < 2 or mean * 200 > decks:
        return None
    count = equal_pairs(keys)
    chance = max(mean, 1e-290)
    tails = poisson_tails(count, chance)
    return Measure("count", float(count), mean, tails, decks, 1.96 * sqrt(count))


def repeats(tally: Tally) -> Measure | None:
    """Pairs of equal decks; by the birthday law none are expected of 52 cards (fingerprints of 64 bits)."""
    outcomes = 1 / (1 / factorial(tally.n) + 2.0**-64)
    return _pairs_measure(tally.sample.joined()[1], outcomes, tally.sample.level, tally.decks)


def repeated_openings(tally: Tally) -> Measure | None:
    """Pairs of decks with the same first eight cards: one pair in 52*51*...*45."""
    outcomes = float(comb(tally.n, 8) * factorial(8))
    return _pairs_measure(tally.sample.joined()[0], outcomes, tally.sample.level, tally.decks)
