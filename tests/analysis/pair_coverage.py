"""How often the interval for pair scores holds the truth: exactly for few pairs, by simulation for many.

Run as a program (`python tests/analysis/pair_coverage.py`, a few minutes) it prints the table of docs/statistics.md.
"""

from __future__ import annotations

import functools
import itertools
import math
import sys

import numpy as np

from basra_sim.analysis.statistics.intervals import score_interval

VALUES = np.arange(5) / 4
USUAL = np.array([[0.15, 0.0, 0.45, 0.0, 0.40]])  # a match of games won by the better with 62.5 %


def shapes(n: int, rng: np.random.Generator, finer: int = 1) -> np.ndarray:
    """Distributions of a pair score: rare events beside every value, two-point laws, and random ones."""
    found = []
    for i, j in itertools.permutations(range(5), 2):
        for expected in np.linspace(0.05, 12, 12 * finer):
            if expected / n <= 0.5:
                p = np.zeros(5)
                p[i], p[j] = 1 - expected / n, expected / n
                found.append(p)
        for share in np.linspace(0.02, 0.98, 7 * finer):
            p = np.zeros(5)
            p[i], p[j] = 1 - share, share
            found.append(p)
    for spread in (0.1, 0.3, 1.0, 5.0):
        found += list(rng.dirichlet(np.full(5, spread), 20 * finer))
    return np.array(found)


def law_of_sums(p: np.ndarray, n: int) -> np.ndarray:
    """The exact joint law of (sum of half points, sum of their squares) over n pairs, by Fourier transform."""
    shape = (4 * n + 1, 16 * n + 1)
    one = np.zeros(shape)
    for k in range(5):
        one[k, k * k] += p[k]
    law = np.fft.irfft2(np.fft.rfft2(one) ** n, s=shape)
    return np.where(law > 1e-13, law, 0.0)  # below is rounding; what it drops counts as not held


def exact(n: int, ps: np.ndarray) -> np.ndarray:
    """Coverage of `score_interval` for each distribution, to rounding error."""
    laws = [law_of_sums(p, n) for p in ps]
    reached = np.argwhere(np.max(laws, axis=0) > 0)
    ends = {(s, q): ends_for(n, int(s), int(q)) for s, q in reached}
    result = []
    for p, law in zip(ps, laws, strict=True):
        mean = float(p @ VALUES)
        result.append(sum(law[c] for c in zip(*np.nonzero(law), strict=True) if holds(ends[c], mean)))
    return np.array(result)


def holds(ends: tuple[float, float], mean: float) -> bool:
    return ends[0] - 1e-12 <= mean <= ends[1] + 1e-12


def counts_with(n: int, total: int, squares: int) -> list[int] | None:
    """Any five counts with these sums: the interval depends on nothing else."""
    for c3, c4 in itertools.product(range(n + 1), repeat=2):
        # c1 + 2 c2 = total - 3 c3 - 4 c4 and c1 + 4 c2 = squares - 9 c3 - 16 c4
        left, right = total - 3 * c3 - 4 * c4, squares - 9 * c3 - 16 * c4
        c2, odd = divmod(right - left, 2)
        c1 = left - 2 * c2
        c0 = n - c1 - c2 - c3 - c4
        if not odd and min(c0, c1, c2) >= 0:
            return [c0, c1, c2, c3, c4]
    return None


@functools.cache
def ends_for(n: int, total: int, squares: int) -> tuple[float, float]:
    counts = counts_with(n, total, squares)
    if counts is None:  # cannot be reached: rounding of the transform
        return 2.0, 2.0
    found = score_interval(counts)
    assert found.low is not None and found.high is not None
    return found.low, found.high


def simulated(n: int, ps: np.ndarray, rng: np.random.Generator, runs: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Coverage, coverage of the naive normal interval, and the ratio of their mean widths, for each distribution."""
    rows = []
    for p in ps:
        mean, hits, naive, width, naive_width = float(p @ VALUES), 0, 0, 0.0, 0.0
        draws, times = np.unique(rng.multinomial(n, p, size=runs), axis=0, return_counts=True)
        for counts, weight in zip(draws.tolist(), times.tolist(), strict=True):
            found = score_interval(counts)
            assert found.value is not None and found.low is not None and found.high is not None
            spread = sum(c * (v - found.value) ** 2 for c, v in zip(counts, VALUES, strict=True)) / n
            half = 1.959964 * math.sqrt(spread / n)
            hits += weight * holds((found.low, found.high), mean)
            naive += weight * holds((found.value - half, found.value + half), mean)
            width += weight * (found.high - found.low)
            naive_width += weight * 2 * half
        rows.append((hits / runs, naive / runs, width / naive_width if naive_width else math.nan))
    a = np.array(rows)
    return a[:, 0], a[:, 1], a[:, 2]


def main() -> None:
    rng = np.random.default_rng(7)
    print("| pairs | distributions | least coverage | mean | naive: least | width against naive |")
    print("| --- | --- | --- | --- | --- | --- |")
    for n, finer, runs in ((10, 3, 4000), (20, 3, 4000), (50, 2, 4000), (100, 2, 4000), (1000, 2, 4000), (10000, 1, 4000)):
        ps = shapes(n, rng, finer)
        cover, naive, _ = simulated(n, ps, rng, runs)
        width = float(simulated(n, USUAL, rng, runs)[2][0])
        note = ""
        if n <= 20:
            cover, note = exact(n, ps), " (exact)"
        else:  # look again, with many more runs, at those that came out worst by chance or for a reason
            worst = np.argsort(cover)[:12]
            cover[worst] = simulated(n, ps[worst], rng, 40_000)[0]
        print(f"| {n:,} | {len(ps)} | {100 * cover.min():.1f} %{note} | {100 * cover.mean():.1f} % | "
              f"{100 * naive.min():.0f} % | {width:.3f} |", flush=True)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
