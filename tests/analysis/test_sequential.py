"""The sequential test against fishtest's numbers; the confidence sequence against exact laws and by watching it."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from basra_sim.analysis.statistics import sequential
from basra_sim.analysis.statistics.intervals import score_interval
from basra_sim.analysis.statistics.sequential import Sprt, anytime_interval, anytime_p, log_likelihood_ratio, score_of_elo

# (counts, elo0, elo1, log-likelihood ratio) by LLR_logistic of fishtest's own LLRcalc.py at commit 93fe81eb
FISHTEST = [
    ((3, 20, 50, 22, 5), 0, 20, 0.04032037241670679),
    ((3, 20, 50, 22, 5), 0, 5, 0.17838022438188125),
    ((3, 20, 50, 22, 5), -10, 10, 0.9344729113889829),
    ((0, 10, 30, 12, 0), 0, 20, -0.27041453628885204),
    ((0, 10, 30, 12, 0), 0, 5, 0.085226848211516),
    ((12, 40, 60, 30, 8), 0, 20, -2.9973011351582723),
    ((12, 40, 60, 30, 8), -10, 10, -2.0579732004260216),
    ((30, 40, 50), 0, 20, 1.4333717997704136),
]


@pytest.mark.parametrize(("counts", "elo0", "elo1", "expected"), FISHTEST)
def test_the_ratio_is_that_of_fishtest(counts, elo0, elo1, expected):
    assert log_likelihood_ratio(counts, score_of_elo(elo0), score_of_elo(elo1)) == pytest.approx(expected, abs=1e-9)


@pytest.mark.parametrize("tolerance", [1e-12, 1e-3])
def test_roots_are_found(tolerance):
    rng = np.random.default_rng(8)
    for power in (1, 3, 0.2, 9):
        for place in (*rng.uniform(-1, 1, 20), 0.0, 0.999999):
            calls = []

            def function(x, place=place, power=power, calls=calls):
                calls.append(x)
                return float(np.sign(x - place) * abs(x - place) ** power)

            found = sequential.root(function, -1.0, 1.0, tolerance)
            assert abs(found - place) <= tolerance and all(-1 <= x <= 1 for x in calls) and len(calls) < 90
            assert sequential.root(lambda x: -function(x), -1.0, 1.0, tolerance) == pytest.approx(place, abs=tolerance)


def test_bounds_are_those_of_wald():
    test = Sprt(0, 5)
    assert test.upper == -test.lower == pytest.approx(math.log(19))
    assert Sprt(0, 5, 0.1, 0.2).lower == pytest.approx(math.log(0.2 / 0.9))


def test_decided_pairs_alone_are_the_classic_test():
    # pairs that are won or lost whole: the likelihood ratio of coin tosses, computed by hand
    p0, p1 = score_of_elo(0), score_of_elo(20)
    exact = 600 * math.log(p1 / p0) + 400 * math.log((1 - p1) / (1 - p0))
    assert log_likelihood_ratio((400, 0, 0, 0, 600), p0, p1) == pytest.approx(exact, abs=1e-3)


def test_few_pairs_are_finite_and_undecided():
    for counts in itertools.product(range(4), repeat=5):
        ratio = Sprt(0, 5).ratio(counts)
        assert math.isfinite(ratio) and Sprt(0, 5).verdict(counts) is None
        e = anytime_interval(counts)
        if sum(counts):
            assert 0 <= e.low <= e.value <= e.high <= 1
            assert 0 < anytime_p(counts) <= 1


@pytest.mark.parametrize(("elo", "wrong"), [(0, "elo1"), (20, "elo0")])
def test_the_sequential_test_errs_as_seldom_as_it_says(elo, wrong):
    # 400 tests of elo0=0, elo1=20, looked at after every 50 pairs; 5 % errors allowed, with four standard errors of slack
    test, errors, undecided = Sprt(0, 20), 0, 0
    shift = score_of_elo(elo) - 0.5
    law = np.array([0.1, 0.2, 0.4, 0.2, 0.1]) + shift * np.array([-0.8, -0.4, 0.0, 0.4, 0.8])
    assert law @ np.arange(5) / 4 == pytest.approx(0.5 + shift)
    rng = np.random.default_rng(5)
    for _ in range(400):
        counts = np.zeros(5, int)
        for _ in range(200):
            counts += rng.multinomial(50, law)
            verdict = test.verdict(counts)
            if verdict:
                errors += verdict == wrong
                break
        else:
            undecided += 1
    assert undecided < 8 and errors <= 400 * 0.05 + 4 * math.sqrt(400 * 0.05 * 0.95)


# ---------------------------------------------------------------------------------------------- the confidence sequence
def wealth_of(scores, mean=0.5):
    """The wealth at `mean` after every single pair, from the definition: one bet after another, in order."""
    bets, weights = sequential._BETS, np.exp(sequential._LOG_WEIGHTS)
    up = np.cumprod(1 + bets[:, None] * (scores - mean), axis=1)
    down = np.cumprod(1 - bets[:, None] * (scores - mean), axis=1)
    return weights @ up, weights @ down


def test_the_interval_is_what_the_bets_refute():
    rng = np.random.default_rng(1)
    scores = rng.choice(5, 60, p=[0.1, 0.2, 0.3, 0.2, 0.2]) / 4
    e = anytime_interval(np.bincount((scores * 4).astype(int), minlength=5))
    for mean, side in ((e.low, 0), (e.high, 1)):
        assert wealth_of(scores, mean)[side][-1] == pytest.approx(40, rel=1e-6)


def test_the_wealth_is_a_fair_game():
    # exact: the expected wealth after one more pair is the wealth, for the true mean, whatever the law
    law, mean = np.array([0.3, 0.1, 0.2, 0.1, 0.3]), 0.5
    weights, bets = np.exp(sequential._LOG_WEIGHTS), sequential._BETS
    assert weights.sum() == pytest.approx(1)
    steps = 1 + bets[:, None] * (np.arange(5) / 4 - mean)
    assert np.allclose(steps @ law, 1) and (steps >= 0).all()


LAWS = {
    "usual": [0.2, 0.0, 0.6, 0.0, 0.2],
    "decided": [0.5, 0.0, 0.0, 0.0, 0.5],
    "drawish": [0.02, 0.18, 0.6, 0.18, 0.02],
    "lopsided": [0.05, 0.05, 0.75, 0.15, 0.0],
}


@pytest.mark.parametrize("law", LAWS)
def test_watched_at_every_pair_it_excludes_the_truth_in_five_percent_at_most(law):
    """1,000 runs of two equals, 2,000 pairs each, watched at every pair (extreme laws: every 8 pairs); the naive beside it."""
    every = 1 if law == "usual" else 8
    p = np.array(LAWS[law])
    mean = float(p @ np.arange(5) / 4)
    rng = np.random.default_rng(11)
    wrong = naive = 0
    for _ in range(1000):
        x = rng.choice(5, 2000, p=p) / 4
        hits = np.cumsum(np.eye(5)[(x * 4).astype(int)], axis=0)[every - 1 :: every]
        growth = [np.log1p(sign * sequential._BETS[:, None] * (np.arange(5) / 4 - mean)) for sign in (1, -1)]
        worth = [np.logaddexp.reduce(sequential._LOG_WEIGHTS + hits @ g.T, axis=1) for g in growth]
        wrong += max(w.max() for w in worth) > math.log(40)
        n = np.arange(1, 2001)
        average = np.cumsum(x) / n
        spread = np.sqrt(np.maximum(np.cumsum(x * x) / n - average**2, 1e-12) / n)
        naive += bool((np.abs(average - mean) > 1.96 * spread)[30:].any())
    print(f"{law}: anytime {wrong / 10:.1f} %, naive {naive / 10:.1f} % of runs ever exclude the truth")
    assert wrong <= 50 and naive > 300


def test_it_is_wider_than_a_single_look_and_not_by_much():
    for n, most in ((100, 1.6), (10_000, 1.9), (1_000_000, 2.1), (100_000_000, 2.2)):
        counts = [n // 5, 0, 3 * n // 5, 0, n // 5]
        ratio = anytime_interval(counts).half / score_interval(counts).half
        assert 1 < ratio < most


def test_all_alike_is_no_certainty():
    e = anytime_interval([0, 0, 0, 0, 50])
    assert e.high == 1 and 0.85 < e.low < 0.95
    assert anytime_interval([0, 0, 0, 0, 0]).value is None
    assert anytime_p([0, 0, 0, 0, 50]) < 1e-6 and anytime_p([0, 0, 50, 0, 0]) == 1
