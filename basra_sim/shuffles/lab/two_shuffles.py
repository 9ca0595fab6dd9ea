"""Do two shuffles (or two versions, or the parts of one log) differ? And did one shuffle change at some point of a log?

Here nobody needs to be perfect: the question is only whether two samples come from one law.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from math import log, sqrt
from typing import Any

import numpy as np
from scipy import special

from basra_sim.shuffles.battery import judgement as battery
from basra_sim.shuffles.battery.tally import FACE_NAMES, PERMUTATION_NAMES, Tally
from basra_sim.shuffles.laws.tails import LN10, chi_square_tails, holm, noncentrality

CELLS = ("card x place", "neighbours")
LAG_NAMES = ("rising", "inversions", "fixed", "cycles", "successions")
BLOCK = 10
MOST_PARTS = 12


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
        from basra_sim.shuffles.verdict.verdict_words import p_equals, p_text

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


@dataclass(frozen=True)
class ChangePoint:
    """The likeliest place where a log changes: after `deck` decks, in `feature`, from `before` to `after` (means)."""

    deck: int
    label: str | None
    feature: str
    before: float
    after: float
    log10_p: float
    features: int

    def sentence(self) -> str:
        """In words, with the correction for all features looked at."""
        from basra_sim.shuffles.verdict.verdict_words import p_equals

        holm_p = min(0.0, self.log10_p + log(self.features) / LN10)
        where = f"after deck {self.deck:,}" + (f" (at {self.label})" if self.label else "")
        looks = f"corrected for the {self.features} features looked at"
        told = f"{self.feature} goes from {self.before:.4g} to {self.after:.4g}, {p_equals(holm_p)}"
        if battery.state(holm_p) == battery.FOUND:
            return f"A change {where}: {told}, {looks}."
        if battery.state(holm_p) == battery.WEAKLY:
            return f"Weak evidence, no more, of a change {where}: {told}, {looks}."
        return f"No change found along the log (likeliest {where}: {told}, {looks})."

    @property
    def verdict(self) -> str:
        return battery.state(min(0.0, self.log10_p + log(self.features) / LN10))


def _kolmogorov_log10(x: float) -> float:
    """log10 P(sup |Brownian bridge| >= x)."""
    if x > 3:
        return (log(2.0) - 2 * x * x) / LN10
    return log(max(1e-300, float(special.kolmogorov(x)))) / LN10


class ChangeFinder:
    """Collects block sums of per-deck features along a log and finds where one of them changes (CUSUM).

    The law is that of the supremum of a Brownian bridge, which errs on the safe side for sums in steps. Features: nine
    statistics of the order, waves of card x place and near neighbours (as in culprit.py).
    """

    def __init__(self, n: int, order: np.ndarray) -> None:
        from basra_sim.shuffles.battery.culprit import WIDEST, waves

        self.n, self.start_place = n, np.argsort(order).astype(np.uint8)
        self.basis, self.widest = waves(n), min(WIDEST, n - 1)
        self.used = 18 + len(self.basis) ** 2 + 2 * self.widest
        self.sums: list[np.ndarray] = []
        self.labels: list[str | None] = []
        self.squares = np.zeros(self.used)
        self.decks = 0
        self.rest = np.empty((0, self.used))

    def add(self, decks: np.ndarray, labels: list[str] | None = None) -> None:
        """Take more decks, and the column value of each."""
        from basra_sim.shuffles.battery.tally_loops import deck_features

        ordered = self.start_place[decks]
        told = np.empty((len(decks), self.used + len(self.basis) ** 2))
        deck_features(np.concatenate([ordered[:1], ordered]), self.basis, self.widest, told)
        told = told[:, : self.used]
        self.squares += (told**2).sum(axis=0)
        start = -len(self.rest)
        told = np.concatenate([self.rest, told])
        whole = len(told) // BLOCK * BLOCK
        for block in range(0, whole, BLOCK):
            self.sums.append(told[block : block + BLOCK].sum(axis=0))
            at = min(max(0, start + block), len(decks) - 1)
            self.labels.append(labels[at] if labels else None)
        self.rest = told[whole:]
        self.decks += len(decks)

    def _names(self) -> Iterator[tuple[int, str]]:
        w = len(self.basis)
        for i, name in enumerate(PERMUTATION_NAMES):
            yield i, name
        for i in range(w * w):
            yield 18 + i, f"the drift of cards by place (wave {i // w + 1}.{i % w + 1})"
        for i, step in enumerate(s for s in range(-self.widest, self.widest + 1) if s):
            yield 18 + w * w + i, f"cards followed by the one {step:+d} from them"

    def best(self) -> ChangePoint | None:
        """The likeliest change, or None for a log too short to have one (fewer than 40 decks)."""
        if len(self.sums) * BLOCK < 40:
            return None
        table = np.array(self.sums)
        count = len(table) * BLOCK
        mean = table.sum(axis=0) / count
        spread = np.sqrt(np.maximum(self.squares / self.decks - mean**2, 0.0))
        walk = np.abs(np.cumsum(table - BLOCK * mean, axis=0))
        names = [(i, name) for i, name in self._names() if spread[i] > 1e-9]
        if not names:
            return None
        columns = [i for i, _ in names]
        height = walk[:, columns] / (spread[columns] * sqrt(count))
        at, which = np.unravel_index(int(height.argmax()), height.shape)
        feature, name = names[int(which)]
        before = float(table[: at + 1, feature].sum() / ((at + 1) * BLOCK))
        later = table[at + 1 :, feature]
        after = float(later.sum() / (len(later) * BLOCK)) if len(later) else before
        label = self.labels[min(int(at) + 1, len(self.labels) - 1)]
        p = _kolmogorov_log10(float(height.max()))
        return ChangePoint((int(at) + 1) * BLOCK, label, name, before, after, min(0.0, p), len(names))

