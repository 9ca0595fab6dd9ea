"""Do two shuffles (or two versions, or the parts of one log) differ?

Here nobody needs to be perfect: the question is only whether two samples come from one law.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import log, sqrt
from typing import Any

import numpy as np
from scipy import special

from basra_sim.shuffles.battery import outcomes as battery
from basra_sim.shuffles.battery.tally import FACE_NAMES, PERMUTATION_NAMES, Tally
from basra_sim.shuffles.laws.tails import LN10, chi_square_tails, holm, noncentrality
from basra_sim.shuffles.verdict.verdict_words import p_equals, p_text

CELLS = ("card x place", "neighbours")
LAG_NAMES = ("rising", "inversions", "fixed", "cycles", "successions")


@dataclass(frozen=True)
class Difference:
    """One statistic in two samples; for tables of cells a and b are rms sizes of the difference and 0."""

    name: str
    a: float
    b: float
    low: float
    high: float
    log10_p: float
    log10_holm: float = 0.0
    could_see: float = 0.0

    @property
    def verdict(self) -> str:
        return battery.state(self.log10_holm)


@dataclass
class Comparison:
    """All differences of two samples and the verdict over them."""

    names: tuple[str, str]
    decks: tuple[int, int]
    rows: list[Difference]
    verdict: str
    read: list[str] = field(default_factory=list)

    def sentence(self) -> str:
        """The verdict in one sentence; never that two shuffles are the same."""
        first, second = self.names
        sizes = f"{self.decks[0]:,} and {self.decks[1]:,} decks"
        strongest = min(self.rows, key=lambda row: row.log10_p, default=None)
        if self.verdict == battery.TOO_FEW or strongest is None:
            return f"Too few decks to compare {first} and {second} ({sizes})."
        told = f"most of all in {strongest.name} ({p_equals(strongest.log10_p)}, {p_text(strongest.log10_holm)} after Holm)"
        if self.verdict == battery.FOUND:
            return f"{first} and {second} differ ({sizes}), {told}."
        if self.verdict == battery.WEAKLY:
            return f"Weak evidence, no more, that {first} and {second} differ ({sizes}), {told}."
        seen = f"{100 * 2.41 * sqrt(1 / self.decks[0] + 1 / self.decks[1]):.2g} % (rms, card x place)"
        return f"No difference found between {first} and {second} ({sizes}); one of {seen} would probably have been seen."

    def to_dict(self) -> dict[str, Any]:
        """For --json."""
        return {
            "verdict": self.verdict, "sentence": self.sentence(), "names": self.names, "decks": self.decks, "read": self.read,
            "tests": [{**vars(row), "verdict": row.verdict} for row in self.rows],
        }  # fmt: skip


def _means(name: str, a: np.ndarray, b: np.ndarray) -> Difference | None:
    """Two histograms of one whole-number statistic, by the difference of their means."""
    values = np.arange(len(a))
    counts = float(a.sum()), float(b.sum())
    if min(counts) < 2:
        return None
    means = [float(values @ h) / n for h, n in zip((a, b), counts, strict=True)]
    # one law is the hypothesis, so one variance: pooled, which a small sample cannot shrink by luck
    freedom = sum(counts) - 2
    pooled = sum(float(((values - m) ** 2) @ h) for h, m in zip((a, b), means, strict=True)) / freedom
    error = sqrt(pooled * (1 / counts[0] + 1 / counts[1]))
    gap = means[0] - means[1]
    if error == 0.0:
        p = 0.0 if gap == 0.0 else -min(counts) * log(2.0) / LN10
    else:
        t = abs(gap) / error
        tail = float(special.stdtr(freedom, -t))
        p = (log(2 * tail) if tail > 1e-290 else float(special.log_ndtr(-t)) + log(2.0)) / LN10
    return Difference(name, means[0], means[1], gap - 1.96 * error, gap + 1.96 * error, min(0.0, p))


def _cells(name: str, a: np.ndarray, b: np.ndarray, decks: tuple[int, int], factor: float, degrees: float) -> Difference:
    """Two tables of counts; factor: what Pearson's X2 is multiplied by before it is a chi-square (decks are permutations)."""
    first, second = decks
    together = (a + b) / (first + second)
    used = together > 0
    gap = (a / first - b / second)[used]
    x2 = float((gap**2 / together[used]).sum()) * first * second / (first + second) * factor
    few = min(first, second)
    tails = chi_square_tails(x2, degrees, max(2, few))
    rms = sqrt(max(0.0, x2 - degrees) / degrees * (1 / first + 1 / second))
    return Difference(name, rms, 0.0, 0.0, rms, min(0.0, tails.high))


def _smallest(row: Difference, decks: tuple[int, int], n: int, tests: int) -> float:
    """The smallest difference that so many decks show with 80 % power over all tests; rms for tables of cells."""
    level = battery.ALPHA / tests
    if row.name in CELLS:
        degrees = float((n - 1) ** 2)
        return sqrt(noncentrality(degrees, level, battery.POWER) / degrees * (1 / decks[0] + 1 / decks[1]))
    return float(special.ndtri(1 - level / 2) + special.ndtri(battery.POWER)) * (row.high - row.low) / 3.92


def compare(a: Tally, b: Tally, names: tuple[str, str] = ("A", "B"), faces: bool = True) -> Comparison:
    """All differences between two counted samples, with Holm over them."""
    n, decks = a.n, (a.decks, b.decks)
    rows: list[Difference | None] = []
    if min(decks) >= 2 and n >= 3:
        share = (n - 1) / n
        rows.append(_cells("card x place", a.places, b.places, decks, share, float((n - 1) ** 2)))
        # neighbours of an order: mean and variance as in measures.neighbours
        scale = 1 / 1.0192 if n == 52 else (n - 1) ** 2 / (n * n * 0.98)
        rows.append(_cells("neighbours", a.neighbours, b.neighbours, decks, scale, (n - 1) ** 2 * scale))
    rows += [_means(name, a.histogram(name), b.histogram(name)) for name in PERMUTATION_NAMES]
    rows += [_means(f"lag1-{name}", a.histogram(name, 1), b.histogram(name, 1)) for name in LAG_NAMES]
    if faces and n == 52:
        rows += [_means(name, a.face(name), b.face(name)) for name in FACE_NAMES if name != "coupon"]
    kept = [row for row in rows if row is not None]
    adjusted = holm([row.log10_p for row in kept])
    judged = [replace(row, log10_holm=adjusted[i], could_see=_smallest(row, decks, n, len(kept))) for i, row in enumerate(kept)]
    strongest = min(adjusted, default=0.0)
    verdict = battery.state(strongest)
    if verdict != battery.FOUND and min(decks) < 10:
        verdict = battery.TOO_FEW
    return Comparison(names, decks, judged, verdict)
