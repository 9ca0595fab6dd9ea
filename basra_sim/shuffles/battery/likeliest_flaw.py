"""Names the likeliest built-in flaw behind a log, by a likelihood of its summaries under models of every built-in shuffle.

A model is the mean and covariance, a deck, of a vector of features (permutation statistics, smooth waves of card x
place, near neighbours, the same against the deck before). The mean over N decks is close to normal under each model.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from scipy import special

from basra_sim.shuffles.generators.built_in_shuffles import Generator
from basra_sim.shuffles.shipped import DATA

from .plain_flaws import plain_flaws
from .tally import PERMUTATION_NAMES, Tally
from .tally_loops import deck_features

WAVES, WIDEST, BLOCK = 5, 5, 25
MODEL_DECKS = 50_000
QUICK_DECKS = 5_000
FLOOR = 1e-3
MISFIT = 1e-6
FAIR = ("fisher-yates", "new")
NEW = """
    fisher-yates naive sattolo sort-random:1 sort-random:2 sort-random:3 sort-keys:26 sort-keys:52 sort-keys:100
    sort-keys:300 sort-keys:1000 swaps:26 swaps:52 swaps:104 swaps:156 swaps:52,distinct swaps:500,distinct
    swaps:501,distinct riffle:1 riffle:2 riffle:3 riffle:4 riffle:5 riffle:6 riffle:7 riffle:8 overhand:5 overhand:10
    overhand:20 overhand:30 overhand:50 overhand:80 overhand:20,0.5 piles:4 piles:7 top-to-random:26
    top-to-random:52 top-to-random:104 modulo:100 modulo:256 lcg:low,32 java:seq anti-clump
"""
PREV = """
    riffle:1 riffle:2 riffle:3 riffle:4 riffle:5 riffle:6 riffle:7 overhand:5 overhand:20 piles:7 swaps:52
    top-to-random:52
"""
COLLECTED = "collected:1 collected:2 collected:3 collected:4 collected:5"
WORDS = {
    "naive": "the naive swap, every place with any place",
    "sattolo": "Sattolo's shuffle, off by one so that no card can stay",
    "sort-random": "sorting with a random comparator",
    "sort-keys": "sorting by too few random keys",
    "swaps": "random swaps, a fixed number",
    "riffle": "too few riffles",
    "overhand": "an overhand shuffle",
    "collected": "the collected piles of the last round, riffled",
    "piles": "dealing into piles",
    "top-to-random": "putting the top card in at random",
    "modulo": "Fisher-Yates with a modulo bias",
    "lcg": "the low bits of a linear congruential generator",
    "java": "java.util.Random seeded 0, 1, 2, ...",
    "anti-clump": "equal neighbours parted after the shuffle",
    "fisher-yates": "a perfect shuffle",
}


def specs(n: int) -> list[tuple[str, str]]:
    """(shuffle, start) of every model for n cards."""
    found = [(name, "new") for name in NEW.split()] + [(name, "prev") for name in PREV.split()]
    return found + [(name, "prev") for name in COLLECTED.split() if n == 52]


def waves(n: int) -> np.ndarray:
    """(w, n) cosine waves over the places, a basis of what is smooth."""
    count = min(WAVES, n - 1)
    places = (np.arange(n) + 0.5) / n
    table: np.ndarray = np.cos(np.pi * np.arange(1, count + 1)[:, None] * places[None, :])
    return table


def _widest(n: int) -> int:
    return min(WIDEST, n - 1)


@dataclass(frozen=True)
class Models:
    """means (M, F) and covariances (M, F, F) of one deck, from `decks` decks a model."""

    n: int
    decks: int
    means: np.ndarray
    covariances: np.ndarray


def simulate_models(n: int, decks: int) -> Models:
    """Make the models by simulation; covariances over blocks of decks, so that chains of decks count as they should."""
    basis, widest = waves(n), _widest(n)
    width = 18 + 2 * len(basis) ** 2 + 2 * widest
    means, covariances = [], []
    for number, (name, start) in enumerate(specs(n)):
        spec = name if name != "piles:7" or n >= 7 else "piles:2"
        spec = spec if not spec.startswith("piles:4") or n >= 4 else "piles:2"
        features = np.empty((decks, width))
        deck_features(Generator(spec, 1000 + number, n, start).decks(decks + 1), basis, widest, features)
        blocks = features[: decks // BLOCK * BLOCK].reshape(-1, BLOCK, width).mean(axis=1)
        means.append(features.mean(axis=0))
        covariances.append(np.cov(blocks, rowvar=False) * BLOCK)
    return Models(n, decks, np.array(means), np.array(covariances))


def build_table(path: Path) -> None:
    """Write the models for 52 cards (upper triangles, float32)."""
    models = simulate_models(52, MODEL_DECKS)
    upper = np.triu_indices(models.means.shape[1])
    np.savez_compressed(
        path, decks=MODEL_DECKS, means=models.means.astype(np.float32),
        covariances=models.covariances[:, upper[0], upper[1]].astype(np.float32),
    )  # fmt: skip


@lru_cache(maxsize=8)
def models_for(n: int) -> Models:
    """The shipped models for 52 cards; for other sizes they are simulated on the spot."""
    if n != 52:
        return simulate_models(n, QUICK_DECKS)
    with np.load(DATA / "models.npz") as stored:
        means, packed = stored["means"].astype(np.float64), stored["covariances"].astype(np.float64)
        decks = int(stored["decks"])
    width = means.shape[1]
    upper = np.triu_indices(width)
    covariances = np.zeros((len(means), width, width))
    covariances[:, upper[0], upper[1]] = packed
    covariances[:, upper[1], upper[0]] = packed
    return Models(52, decks, means, covariances)


def tally_features(tally: Tally) -> np.ndarray:
    """The mean feature vector of a log, from its counts (the same features as `deck_features`)."""
    n, basis, widest = tally.n, waves(tally.n), _widest(tally.n)
    values = np.arange(tally.histograms.shape[2])
    parts: list[np.ndarray] = []
    for lag in (0, 1):
        table = tally.histograms[lag]
        parts.append(table @ values / np.maximum(1, table.sum(axis=1)))
    in_order = tally.places[tally.order]
    parts.append((basis @ in_order @ basis.T).ravel() / max(1, tally.decks))
    following = tally.neighbours[np.ix_(tally.order, tally.order)]
    steps = [step for step in range(-widest, widest + 1) if step]
    parts.append(np.array([np.trace(following, offset=step) for step in steps]) / max(1, tally.decks))
    parts.append((basis @ tally.lag_places[0] @ basis.T).ravel() / max(1, tally.pairs_of_decks(1)))
    assert len(parts[0]) == len(PERMUTATION_NAMES) and n == tally.n
    return np.concatenate(parts)


@dataclass(frozen=True)
class Suspect:
    """One model: log10 likelihood of the summaries, the p-value of its own fit and its distance (Mahalanobis, squared)."""

    spec: str
    start: str
    log10_likelihood: float
    fit: float
    distance: float

    def words(self) -> str:
        """The shuffle in words."""
        told = WORDS[self.spec.split(":")[0]]
        reused = self.start == "prev" and not self.spec.startswith("collected")
        start = ", each from the deck before" if reused else ""
        return f"{told} ({self.spec}{start})"


def suspects(tally: Tally, use_start: bool = True) -> list[Suspect]:
    """All models, likeliest first. use_start: False leaves out what needs the start order."""
    models = models_for(tally.n)
    seen = tally_features(tally)
    w2 = len(waves(tally.n)) ** 2
    keep = np.ones(len(seen), dtype=bool)
    if not use_start:
        keep[:9] = False
        keep[18 : 18 + w2 + 2 * _widest(tally.n)] = False
    if tally.pairs_of_decks(1) == 0:
        keep[9:18] = False
        keep[-w2:] = False
    # features that a perfect shuffle holds constant, or that repeat others, are left to the floor
    fair = specs(tally.n).index(FAIR)
    scale = np.sqrt(np.maximum(np.diag(models.covariances[fair]), 1e-9))
    count = max(1, tally.decks)
    found = []
    for number, (spec, start) in enumerate(specs(tally.n)):
        covariance = models.covariances[number] / np.outer(scale, scale)
        covariance = covariance[np.ix_(keep, keep)] + FLOOR * np.eye(int(keep.sum()))
        spread = covariance * (1.0 / count + 1.0 / models.decks)
        gap = ((seen - models.means[number]) / scale)[keep]
        _, log_determinant = np.linalg.slogdet(spread)
        distance = float(gap @ np.linalg.solve(spread, gap))
        score = -0.5 * (distance + log_determinant) / np.log(10)
        found.append(Suspect(spec, start, float(score), float(special.chdtrc(len(gap), distance)), distance))
    return sorted(found, key=lambda suspect: -suspect.log10_likelihood)


def _times(log10_ratio: float) -> str:
    if log10_ratio > 300:
        return "over 10^300"
    return f"10^{log10_ratio:.0f}" if log10_ratio >= 4 else f"{10**log10_ratio:,.3g}"


def culprit_lines(tally: Tally, reference: str) -> list[str]:
    """What the log looks like, in words: first line for the verdict, then more; empty when nothing says so."""
    signs = plain_flaws(tally)
    if tally.decks < 5 or tally.n < 3:
        return signs
    ranked = suspects(tally, use_start=reference == "new")
    best = ranked[0]
    fair = next(s for s in ranked if (s.spec, s.start) == FAIR)
    if best is fair:
        return signs
    if best.fit < MISFIT:
        if best.distance > 0.5 * fair.distance:
            unknown = "the start order may be another (--ref new:ORDER), or the flaw one that this program does not know"
            return signs or ["no built-in flaw explains it", unknown]
        told = f"nearest to {best.words()}, though not exactly that (another parameter, or something more)"
        return [*signs, told]
    return [*signs, *_named(ranked, best, fair)]


def _apart(rival: Suspect, best: Suspect) -> str:
    """The rival in words, with its start order where it differs from the best by that alone."""
    if rival.start == "new" and rival.spec.split(":")[0] == best.spec.split(":")[0]:
        return f"{WORDS[rival.spec.split(':')[0]]} ({rival.spec}, each from a new deck)"
    return rival.words()


def _kind(suspect: Suspect) -> tuple[str, str]:
    return suspect.spec.split(":")[0], suspect.start


def _named(ranked: list[Suspect], best: Suspect, fair: Suspect) -> list[str]:
    """The likeliest model, how far ahead of other kinds it is, and its close relatives."""
    rival = next(s for s in ranked if _kind(s) != _kind(best))
    ahead = best.log10_likelihood - rival.log10_likelihood
    lines = [f"looks like {best.words()}: {_times(ahead)} times likelier than the next kind, {_apart(rival, best)}"]
    lines.append(f"{_times(best.log10_likelihood - fair.log10_likelihood)} times likelier than a perfect shuffle")
    close = [
        s.spec
        for s in ranked[1:]
        if _kind(s) == _kind(best) and best.log10_likelihood - s.log10_likelihood < 2
    ]
    if close:
        lines.append(f"of the same kind and hardly less likely: {', '.join(close)}")
    return lines
