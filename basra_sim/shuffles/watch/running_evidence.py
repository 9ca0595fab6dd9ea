"""Watching a stream of decks: anytime-valid evidence against a perfect shuffle, after every deck, with no penalty for looking.

An e-process has mean at most 1 on perfect shuffles whenever it is stopped, so it passes 1/alpha with a chance of at most
alpha over a whole stream, however long (Ville). Means of e-processes are e-processes, whatever depends on what.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import factorial, inf, log

import numpy as np

from basra_sim.shuffles.battery import measures
from basra_sim.shuffles.battery.tally import FACE_NAMES, FACE_WIDTH, PERMUTATION_NAMES
from basra_sim.shuffles.laws import permutation_laws as laws
from basra_sim.shuffles.laws.permutation_laws import Law
from basra_sim.shuffles.laws.riffles import riffle_log_ratios

from .evidence_loop import watch_decks

RIFFLES = 12
PRIOR = 10.0
STAKES = (0.01, 0.05, 0.25)
CELLS = 64
THINNEST = 0.01
KEPT = 2_000_000
GROUPS = (
    "riffles of the start order", "riffles of the deck before", "cards at their places", "order against the start order",
    "order against the deck before", "suits, ranks, jacks and hands", "bets of guessers", "repeated decks",
)  # fmt: skip


def multinomial_log_e(cells: np.ndarray, chances: np.ndarray, prior: np.ndarray) -> np.ndarray:
    """ln of the Dirichlet-multinomial e-process after each observation (Lindon & Malek, arXiv 2011.03567).

    cells: int (N,), what was seen; chances (J,): under the null; prior (J,): Dirichlet weights.
    """
    counts = np.zeros(len(chances))
    total, log_e, path = 0.0, 0.0, np.empty(len(cells))
    whole = float(prior.sum())
    for i, cell in enumerate(cells):
        log_e += log((prior[cell] + counts[cell]) / (whole + total) / chances[cell])
        counts[cell] += 1
        total += 1
        path[i] = log_e
    return path


def cells_of(law: Law, width: int) -> tuple[np.ndarray, np.ndarray]:
    """Group the values of a law into cells of at least one per cent: (cell of value 0..width-1, chance of each cell)."""
    cell_of = np.zeros(width, dtype=np.int64)
    chances: list[float] = []
    weight, cell = 0.0, 0
    for value in range(width):
        index = value - law.low
        weight += float(law.pmf[index]) if 0 <= index < len(law.pmf) else 0.0
        cell_of[value] = cell
        left = float(law.pmf[max(0, index + 1) :].sum()) if index + 1 < len(law.pmf) else 0.0
        if weight >= THINNEST and left >= THINNEST and cell < CELLS - 1:
            chances.append(weight)
            weight, cell = 0.0, cell + 1
    chances.append(weight)
    return cell_of, np.array(chances)


@cache
def component_tables(n: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(cell of each value, chances, priors) of the 9 statistics against the start, 9 against the deck before, 11 faces."""
    rows = [laws.named_law(name, n) for name in PERMUTATION_NAMES] * 2
    rows += [measures.face_law(name) for name in FACE_NAMES] if n == 52 else []
    count = 18 + len(FACE_NAMES)
    bins = np.zeros((count, max(n * n // 2 + n + 2, FACE_WIDTH)), dtype=np.int64)
    chances, prior = np.ones((count, CELLS)), np.zeros((count, CELLS))
    for number, law in enumerate(rows):
        bins[number], chance = cells_of(law, bins.shape[1])
        chances[number, : len(chance)] = chance
        prior[number, : len(chance)] = PRIOR * len(chance) * chance
    return bins, chances, prior


@dataclass
class Evidence:
    """What the evidence is after some decks: ln e, its highest so far and when the alarm was passed (0: not yet)."""

    decks: int
    log_e: float
    best: float
    alarm: int
    groups: dict[str, float]

    def odds(self) -> str:
        """The evidence in words: "40:1 against a perfect shuffle"."""
        text = odds_text(self.log_e)
        return f"{text} against a perfect shuffle" if self.log_e >= log(1.5) else text


def odds_text(log_e: float) -> str:
    """An e-value as odds: "40:1"."""
    if log_e < log(1.5):
        return "no evidence"
    if log_e > log(1e6):
        return f"10^{log_e / log(10):.0f}:1"
    return f"{np.exp(log_e):,.0f}:1"


class Watcher:
    """Takes chunks of decks and tells the evidence; the same after the same decks, however they are cut.

    order: the start order (None: not known, those groups rest at 1). alpha: alarms on perfect shuffles over a whole
    stream come with a chance of at most alpha.
    """

    def __init__(self, n: int = 52, order: np.ndarray | None = None, alpha: float = 0.001, faces: bool = True) -> None:
        self.n, self.alpha = n, alpha
        self.use_start = order is not None
        self.faces = faces and n == 52
        self.start_place = np.argsort(np.arange(n) if order is None else order).astype(np.uint8)
        self.ratios = np.array([riffle_log_ratios(k, n) for k in range(1, RIFFLES + 1)])
        self.riffles = np.zeros((2, RIFFLES))
        self._components()
        self.places, self.place_counts = np.zeros(n), np.zeros((n, n))
        self.after, self.at_place = np.zeros((n, n), dtype=np.int64), np.zeros((n, n), dtype=np.int64)
        self.stakes, self.bets = np.array(STAKES), np.zeros(3 * len(STAKES))
        self.past = np.empty((0, n), dtype=np.uint8)
        self.decks, self.alarm = 0, 0
        self.log_e, self.best = 0.0, 0.0
        self.groups = np.zeros(len(GROUPS))
        self.seen: set[bytes] = set()
        self.spent, self.won = 0.0, 0.0

    def _components(self) -> None:
        """The value-wise e-processes, all at 1."""
        self.bins, self.chances, self.prior = component_tables(self.n)
        self.counts, self.values = np.zeros_like(self.chances), np.zeros(len(self.bins))

    def add(self, decks: np.ndarray) -> Evidence:
        """Take more decks, uint8 (m, n), and say what the evidence is after them."""
        first = len(self.past)
        seen = np.ascontiguousarray(np.concatenate([self.past, decks]))
        told = np.zeros((len(decks), len(GROUPS) - 1))
        watch_decks(
            seen, first, self.start_place, self.use_start, self.ratios, self.riffles, self.bins, self.prior, self.chances,
            self.counts, self.values, self.places, self.place_counts, PRIOR, self.after, self.at_place, self.stakes, self.bets,
            told,
        )  # fmt: skip
        if not self.faces:
            told[:, 5] = 0.0
        for deck, groups in zip(decks, told, strict=True):
            self._step(deck, groups)
        self.past = seen[-1:]
        return self.evidence()

    def _step(self, deck: np.ndarray, groups: np.ndarray) -> None:
        self.decks += 1
        self.groups[:-1] = groups
        self.groups[-1] = self._repeat(deck.tobytes())
        top = float(self.groups.max())
        self.log_e = top + log(float(np.exp(self.groups - top).sum()) / len(GROUPS))
        self.best = max(self.best, self.log_e)
        if not self.alarm and self.log_e >= log(1 / self.alpha):
            self.alarm = self.decks

    def _repeat(self, deck: bytes) -> float:
        """ln e of a fortune that spends a little of itself, deck by deck, on "this deck has come before"."""
        stake = 0.6 / (self.decks + 1) ** 2
        chance = len(self.seen) / factorial(self.n)
        self.spent += stake if chance else 0.0
        if deck in self.seen:
            self.won += stake / chance
        elif len(self.seen) < KEPT:
            self.seen.add(deck)
        fortune = 1.0 - self.spent + self.won
        return log(fortune) if fortune > 0 else -inf

    def evidence(self) -> Evidence:
        """The evidence so far."""
        groups = dict(zip(GROUPS, (float(x) for x in self.groups), strict=True))
        return Evidence(self.decks, self.log_e, self.best, self.alarm, groups)
