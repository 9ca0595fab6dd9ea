"""Did the shuffle change at some point of a log, and where?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import log, sqrt

import numpy as np
from scipy import special

from basra_sim.shuffles.battery import outcomes as battery
from basra_sim.shuffles.battery.likeliest_flaw import WIDEST, waves
from basra_sim.shuffles.battery.tally import PERMUTATION_NAMES
from basra_sim.shuffles.battery.tally_loops import deck_features
from basra_sim.shuffles.laws.tails import LN10
from basra_sim.shuffles.verdict.verdict_words import p_equals

BLOCK = 10


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
    statistics of the order, waves of card x place and near neighbours (as in likeliest_flaw).
    """

    def __init__(self, n: int, order: np.ndarray) -> None:
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
