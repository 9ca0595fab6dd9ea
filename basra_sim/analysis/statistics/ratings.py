"""Ratings of a pool from the scores of its matches: Bradley-Terry in Elo units, intervals, superiority, Holm's claims.

Pure functions of arrays; imports no records and no engine. docs/tournaments.md explains every number.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtr

ELO = 400.0 / math.log(10.0)  # Elo points of a unit of log odds
RESAMPLES = 1000
PRIOR_PAIRS = 1.0  # a drawn pair added to each match, so that a match won by every game stays finite


def components(n: int, edges: Sequence[tuple[int, int]]) -> list[list[int]]:
    """The connected groups of 0..n-1, in the order of their first members."""
    group = list(range(n))

    def root(i: int) -> int:
        while group[i] != i:
            group[i] = group[group[i]]
            i = group[i]
        return i

    for one, other in edges:
        high, low = sorted((root(one), root(other)), reverse=True)
        group[high] = low
    found: dict[int, list[int]] = {}
    for i in range(n):
        found.setdefault(root(i), []).append(i)
    return list(found.values())


def bradley_terry(wins: np.ndarray, rounds: int = 100) -> np.ndarray:
    """The maximum-likelihood strengths, log odds with mean 0, of a connected pool.

    `wins` (..., n, n): what the row won from the column, in games, draws as halves; extra leading axes are solved together.
    P(i beats j) = 1 / (1 + exp(r_j - r_i)) (Zermelo 1929; Bradley and Terry 1952). Newton's method on the concave
    likelihood; it exists when no group won everything or nothing from the rest (Ford 1957), which PRIOR_PAIRS sees to.
    """
    wins = np.asarray(wins, dtype=float)
    n = wins.shape[-1]
    games = wins + np.swapaxes(wins, -1, -2)
    total = wins.sum(axis=-1)
    r = np.zeros(wins.shape[:-1])
    every = np.ones((n, n)) / n  # pins the free sum of the ratings
    for _ in range(rounds):
        p = 1.0 / (1.0 + np.exp(r[..., None, :] - r[..., :, None]))
        slope = total - (games * p).sum(axis=-1)
        weight = games * p * (1.0 - p)
        curve = np.eye(n) * weight.sum(axis=-1)[..., None] - weight
        step = np.linalg.solve(curve + every * max(float(weight.max()), 1e-9), slope[..., None])[..., 0]
        size = np.abs(step).max(axis=-1, keepdims=True)
        r = r + step * np.minimum(1.0, 2.0 / np.maximum(size, 1e-300))  # Newton may overshoot far from the top
        r -= r.mean(axis=-1, keepdims=True)
        if float(size.max(initial=0.0)) < 1e-10:
            break
    return r


@dataclass
class Pool:
    """Who met whom, and how: matches as pairs of indices, and a's half points by group of pair indices.

    Pair p of every match has the same packs, so matches depend on each other through the pair index. Pairs are gathered in
    groups (p modulo the number of groups): half_points[match, group] and pairs[match, group]. Resampling groups resamples
    pair indices in all matches at once; with no more pairs than groups it is the bootstrap over pair indices itself.
    """

    names: Sequence[str]
    matches: Sequence[tuple[int, int]]
    half_points: np.ndarray  # (matches, groups)
    pairs: np.ndarray  # (matches, groups)

    def wins(self, half_points: np.ndarray, pairs: np.ndarray) -> np.ndarray:
        """Games won, (..., n, n), from half points and pairs of each match (..., matches), PRIOR_PAIRS added."""
        n = len(self.names)
        wins = np.zeros((*half_points.shape[:-1], n, n))
        for k, (a, b) in enumerate(self.matches):
            wins[..., a, b] += half_points[..., k] / 2 + PRIOR_PAIRS
            wins[..., b, a] += 2 * pairs[..., k] - half_points[..., k] / 2 + PRIOR_PAIRS
        return wins


@dataclass
class Ratings:
    """Elo of a pool, mean 0: values, 95 % ends (NaN where not known), and P(row is stronger than column)."""

    names: Sequence[str]
    elo: np.ndarray
    low: np.ndarray
    high: np.ndarray
    superiority: np.ndarray
    problem: str = ""  # why there are none
    groups: list[list[str]] = field(default_factory=list)


def rate(pool: Pool, seed: int = 0, resamples: int = RESAMPLES, least_pairs: int = 10) -> Ratings:
    """Rate a pool. Intervals: value +- 1.96 standard deviations over resamples of pair indices, common to all matches.

    A field that is not connected gets no ratings, and the reason: nothing compares strategies with no chain of matches.
    """
    n = len(pool.names)
    nothing = np.full(n, np.nan)
    groups = components(n, pool.matches)
    named = [[pool.names[i] for i in group] for group in groups]
    if n == 0 or len(groups) > 1:
        text = "; ".join(", ".join(group) for group in named)
        problem = f"the field is not connected: no chain of matches joins {text}" if n else "nobody played"
        return Ratings(pool.names, nothing, nothing, nothing, np.full((n, n), np.nan), problem, named)
    half, pairs = pool.half_points.astype(float), pool.pairs.astype(float)
    elo = bradley_terry(pool.wins(half.sum(axis=1), pairs.sum(axis=1))) * ELO
    if pairs.sum(axis=1).min(initial=np.inf) < least_pairs:
        return Ratings(pool.names, elo, nothing, nothing, np.full((n, n), np.nan), "", named)
    used = np.flatnonzero(pairs.sum(axis=0) > 0)
    weights = np.random.default_rng(seed).multinomial(len(used), np.full(len(used), 1 / len(used)), size=resamples)
    # in parts: a pool of 50 has 1,225 matches
    solved = [
        bradley_terry(pool.wins(part @ half[:, used].T, part @ pairs[:, used].T)) * ELO
        for part in np.array_split(weights, max(1, resamples * n * n // 2_000_000))
    ]
    again = np.concatenate(solved)
    spread = again.std(axis=0, ddof=1) * math.sqrt(len(used) / max(len(used) - 1, 1))
    gaps = elo[:, None] - elo[None, :]
    deviation = (again[:, :, None] - again[:, None, :]).std(axis=0, ddof=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        above = ndtr(gaps / deviation)
    np.fill_diagonal(above, np.nan)
    return Ratings(pool.names, elo, elo - 1.96 * spread, elo + 1.96 * spread, above, "", named)


def holm(p_values: Sequence[float | None], level: float = 0.05) -> list[bool]:
    """Which of several claims stand at a level for all of them together; None (nothing known) never stands.

    Holm (1979), A simple sequentially rejective multiple test procedure, Scandinavian Journal of Statistics 6, 65-70.
    """
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    stands = [False] * len(p_values)
    for rank, (p, i) in enumerate(known):
        if p > level / (len(known) - rank):
            break
        stands[i] = True
    return stands


def holm_adjusted(p_values: Sequence[float | None]) -> list[float | None]:
    """Holm's adjusted p-values: a claim stands at any level that is not below its own."""
    known = sorted((p, i) for i, p in enumerate(p_values) if p is not None)
    adjusted: list[float | None] = [None] * len(p_values)
    worst = 0.0
    for rank, (p, i) in enumerate(known):
        worst = max(worst, min(1.0, p * (len(known) - rank)))
        adjusted[i] = worst
    return adjusted
