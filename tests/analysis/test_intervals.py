"""Intervals against published numbers, exact laws and hand calculations; never against themselves."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pair_coverage as cov
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, poisson

from basra_sim.analysis.statistics.intervals import (
    NOTHING,
    Estimate,
    combine,
    elo,
    elo_interval,
    pairing_gain,
    rate_interval,
    ratio_interval,
    score_interval,
    superiority,
    variance,
)

# Pentanomial, Elo, its half-width and the likelihood of superiority (%) as fastchess printed them in public threads:
# Lynx pull 1899, Cinder pull 879, Zeno's feature list, fastchess issue 807. The last has 60 pairs only.
PUBLISHED = [
    ([235, 1384, 2521, 1341, 239], -1.06, 4.05, 30.33),
    ([115, 1156, 2443, 1233, 141], 4.40, 3.91, 98.64),
    ([352, 579, 1264, 743, 464], 19.83, 6.77, 100.0),
    ([790, 1759, 3256, 1780, 807], 1.14, 4.04, 70.95),
    ([30, 6, 18, 0, 6], -168.40, 73.37, 0.0),
]


@pytest.mark.parametrize(("counts", "value", "half", "los"), PUBLISHED)
def test_elo_and_superiority_as_published(counts, value, half, los):
    found = elo_interval(score_interval(counts))
    assert found.value == pytest.approx(value, abs=0.006)
    assert found.half == pytest.approx(half, rel=0.02 if sum(counts) > 1000 else 0.13)
    assert found.half >= half  # the pseudo-pairs only ever widen it
    assert 100 * superiority(counts) == pytest.approx(los, abs=0.1)


def test_score_interval_by_hand():
    # ten level pairs: mean 1/2; second moment (10/4 + 1.5)/13; Student's t with 9 degrees is 2.26216
    half = 2.262157 * math.sqrt(((2.5 + 1.5) / 13 - 0.25) / 13) + 0.05
    found = score_interval([0, 0, 10, 0, 0])
    assert found.value == 0.5
    assert (found.low, found.high) == pytest.approx((0.5 - half, 0.5 + half), abs=1e-6)


def test_few_pairs_and_none():
    assert score_interval([0] * 5) == NOTHING
    assert score_interval([0, 0, 0, 0, 9]) == Estimate(1.0, None, None)
    assert superiority([0, 0, 0, 0, 9]) is None
    assert score_interval([3, 0, 7]).value == 0.7  # three counts: single games


@given(st.lists(st.integers(0, 2000), min_size=5, max_size=5).filter(lambda c: sum(c) >= 10))
def test_score_interval_is_never_empty_nor_outside(counts):
    found = score_interval(counts)
    assert 0 <= found.low <= found.value <= found.high <= 1
    assert found.high > found.low
    mirror = score_interval(counts[::-1])
    assert mirror.low == pytest.approx(1 - found.high) and mirror.high == pytest.approx(1 - found.low)
    assert 0 <= superiority(counts) <= 1
    assert all(x is None or math.isfinite(x) for x in elo_interval(found))


@pytest.mark.parametrize("counts", [[0, 0, 1, 0, 0], [1, 0, 0, 0, 0], [0, 0, 0, 0, 1], [0, 1, 0, 0, 0]])
@pytest.mark.parametrize("n", [10, 100, 10_000])
def test_alike_pairs_leave_room_for_what_was_not_seen(counts, n):
    # an event of chance q a pair stays unseen in n pairs with chance (1-q)^n; at 2.5 % that is q = 3.69/n
    found = score_interval([n * c for c in counts])
    q = 1 - 0.025 ** (1 / n)
    distance = max(found.value, 1 - found.value)  # the furthest that an unseen pair can lie
    assert max(found.high - found.value, found.value - found.low) >= 0.99 * q * distance


@pytest.mark.parametrize("n", [10, 16])
def test_coverage_exactly(n):
    assert cov.exact(n, cov.shapes(n, np.random.default_rng(n))).min() >= 0.95


@pytest.mark.parametrize("n", [25, 40, 100, 400, 1000, 10_000])
def test_coverage_of_all_or_nothing_pairs_exactly(n):
    """Pairs that are won or lost whole are binomial: the worst shape that the wide search found, here exact."""
    ends = [score_interval([n - k, 0, 0, 0, k]) for k in range(n + 1)]
    low, high = (np.array([getattr(e, name) for e in ends]) for name in ("low", "high"))
    worst = 1.0
    for p in np.concatenate([np.linspace(0.05, 12, 60) / n, np.linspace(0.02, 0.5, 25)]):
        held = (low <= p) & (p <= high)
        worst = min(worst, float(binom.pmf(np.arange(n + 1), n, p)[held].sum()))
    assert worst >= 0.95


@pytest.mark.parametrize("n", [100, 10_000])
def test_coverage_by_simulation(n):
    rng = np.random.default_rng(n)
    ps = cov.shapes(n, rng)[::9]
    found, _, _ = cov.simulated(n, ps, rng, 1000)
    assert found.min() >= 0.95 - 4 * math.sqrt(0.95 * 0.05 / 1000)
    assert found.mean() >= 0.955
    width = cov.simulated(n, cov.USUAL, rng, 500)[2][0]
    assert width < (1.01 if n > 1000 else 1.1)  # against the naive interval: coverage is not bought with width


def test_elo_known_values():
    assert elo(0.5) == 0.0
    assert elo(0.75) == pytest.approx(190.848502)  # 400 log10 3
    assert elo(10 / 11) == pytest.approx(400.0)
    assert elo(1.0) is None and elo(0.0) is None and elo(None) is None


def test_all_wins_have_a_finite_lower_end():
    found = elo_interval(score_interval([0, 0, 0, 0, 1000]))
    assert found.value is None and found.high is None and 400 < found.low < 2000
    # the sign test of n wins in a row: 1 - 2^-n
    assert superiority([0, 0, 0, 0, 10]) == pytest.approx(1 - 2**-10, abs=3e-4)


def moments(columns):
    sums = [sum(c) for c in columns]
    return sums, [[sum(x * y for x, y in zip(c, d, strict=True)) for d in columns] for c in columns]


def test_ratio_interval_by_hand():
    x, y = [2, 3, 2, 4, 3, 2, 5, 3, 2, 4], [50, 60, 40, 110, 60, 30, 90, 70, 60, 80]
    sums, products = moments([x, y])
    found = ratio_interval(10, sums, products, {1: 1}, {0: 1})
    ratio = Fraction(650, 30)
    residual = sum((b - ratio * a) ** 2 for a, b in zip(x, y, strict=True))
    error = math.sqrt(residual * 10 / 9) / 30
    assert found.value == pytest.approx(650 / 30)
    assert found.half == pytest.approx(2.262157 * error, rel=1e-6)


def test_ratio_interval_is_exact_with_huge_sums():
    # the same ten pairs, each 10^12 times, and points 10^6 times as large: only exact integers survive this
    x, y = [2, 3, 2, 4, 3], [5000001, 6000000, 4000000, 11000000, 6000000]
    sums, products = moments([x, y])
    many = 10**12
    found = ratio_interval(5 * many, [s * many for s in sums], [[p * many for p in r] for r in products], {1: 1}, {0: 1})
    ratio = Fraction(sums[1], sums[0])
    error = math.sqrt(many * sum((b - ratio * a) ** 2 for a, b in zip(x, y, strict=True))) / (14 * many)
    assert found.half == pytest.approx(1.959964 * error, rel=1e-6)


def test_ratio_interval_says_nothing_of_alike_or_few_pairs():
    sums, products = moments([[2] * 50, [30] * 50])
    assert ratio_interval(50, sums, products, {1: 1}, {0: 1}) == Estimate(15.0)
    assert ratio_interval(9, sums, products, {1: 1}, {0: 1}).low is None
    assert ratio_interval(0, [0, 0], [[0, 0], [0, 0]], {1: 1}, {0: 1}) == NOTHING


@pytest.mark.parametrize("n", [12, 60, 500])
def test_ratio_interval_covers(n):
    rng = np.random.default_rng(5)
    runs, hits = 1500, 0
    for _ in range(runs):
        x = 2 + rng.poisson(6, n)  # rounds of a pair
        y = 10 * rng.poisson(2.1 * x)  # points: 21 a round
        sums, products = moments([x.tolist(), y.tolist()]) if n < 100 else (
            [int(x.sum()), int(y.sum())], [[int(x @ x), int(x @ y)], [int(x @ y), int(y @ y)]],
        )  # fmt: skip
        found = ratio_interval(n, sums, products, {1: 1}, {0: 1})
        hits += found.low <= 21 <= found.high
    assert 0.93 <= hits / runs <= 0.97


def test_rate_interval_covers_rare_events():
    """Events that are Poisson: exact coverage over the number of events, dispersion as the estimator sees it."""
    n = 2000
    worst = 1.0
    for expected in np.concatenate([np.linspace(0.02, 3, 50), np.linspace(3, 60, 60)]):
        total = 0.0
        for k in range(int(expected + 12 * math.sqrt(expected)) + 12):
            # k single events in k different pairs of one round each
            found = rate_interval(n, [n, k], [[n, k], [k, k]], {1: 1}, {0: 1})
            if found.low * n <= expected <= found.high * n:
                total += poisson.pmf(k, expected)
        worst = min(worst, total)
    assert worst >= 0.95


def test_rate_interval_without_events_is_a_rule_of_three_and_more():
    found = rate_interval(1000, [5000, 0], [[30000, 0], [0, 0]], {1: 1}, {0: 1})
    assert found.value == 0 and found.low == 0
    assert 3.69 / 5000 <= found.high <= 4.6 / 5000


def test_combine_is_the_worst_case():
    one, two = Estimate(0.6, 0.5, 0.7), Estimate(0.8, 0.7, 0.9)
    both = combine([one, two], [1, 3])
    assert both == pytest.approx((0.75, 0.65, 0.85))  # no narrower for being two: they may be one and the same
    assert combine([one, Estimate(0.5)], [1, 1]) == Estimate(pytest.approx(0.55), None, None)
    assert combine([one, NOTHING], [1, 0]) == pytest.approx(tuple(one))
    assert combine([], []) == NOTHING


def test_pairing_gain_known_cases():
    # games score 0 or 2; every pair one of each: no variance left
    assert pairing_gain(variance(10, 20, 40), variance(20, 20, 40)) == 1.0
    # both games of a pair alike: pairing doubles the variance of a sum (of large n)
    n = 10**6
    doubled = pairing_gain(variance(n, 2 * n, 8 * n), variance(2 * n, 2 * n, 4 * n))
    assert doubled == pytest.approx(-1, abs=1e-5)
    # independent games: a quarter of the pairs 0, half 2, a quarter 4
    assert pairing_gain(variance(n, 2 * n, 6 * n), variance(2 * n, 2 * n, 4 * n)) == pytest.approx(0, abs=1e-5)
    assert pairing_gain(None, 1.0) is None and pairing_gain(1.0, 0.0) is None
    assert variance(1, 5, 25) is None and variance(4, 10, 30) == pytest.approx(5 / 3)  # 1 2 3 4
