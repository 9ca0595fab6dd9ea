"""Ratings against choix and by hand; Holm by hand."""

from __future__ import annotations

import choix
import numpy as np
import pytest

from basra_sim.analysis.statistics.ratings import ELO, Pool, bradley_terry, components, holm, holm_adjusted, rate


@pytest.mark.parametrize("seed", range(5))
def test_bradley_terry_is_that_of_choix(seed):
    rng = np.random.default_rng(seed)
    wins = rng.integers(1, 50, (6, 6)).astype(float)
    np.fill_diagonal(wins, 0)
    theirs = choix.ilsr_pairwise_dense(wins)
    assert bradley_terry(wins) == pytest.approx(theirs - theirs.mean(), abs=1e-6)


def test_two_players_are_the_log_odds_and_many_are_solved_together():
    wins = np.array([[0, 75.0], [25, 0]])
    ours = bradley_terry(np.stack([wins, wins.T]))
    assert ours[0] == pytest.approx([np.log(3) / 2, -np.log(3) / 2])
    assert ours[1] == pytest.approx(-ours[0])


def test_newton_finds_far_tops():
    wins = np.array([[0, 9999.0, 0], [1, 0, 9999], [0, 1, 0]])
    gaps = -np.diff(bradley_terry(wins))
    assert gaps == pytest.approx([np.log(9999)] * 2)


def pool_of(scores, pairs, groups=512, seed=0, shared=0.0):
    """A pool whose pairs are drawn; `shared` of the luck of a pair index is common to all matches."""
    rng = np.random.default_rng(seed)
    names = [f"s{i}" for i in range(len(scores))]
    matches = [(i, j) for i in range(len(names)) for j in range(i + 1, len(names))]
    luck = rng.random(pairs)
    half = np.zeros((len(matches), groups))
    for k, (i, j) in enumerate(matches):
        own = np.where(rng.random(pairs) < shared, luck, rng.random(pairs))
        won = own < 1 / (1 + np.exp(scores[j] - scores[i]))
        half[k] = np.bincount(np.arange(pairs) % groups, weights=4 * won, minlength=groups)
    size = np.bincount(np.arange(pairs) % groups, minlength=groups)
    return Pool(names, matches, half, np.tile(size, (len(matches), 1)))


def test_intervals_hold_the_truth_as_often_as_they_say():
    truth = np.array([1.0, 0.5, -0.5, -1.0])
    inside = []
    for seed in range(60):
        found = rate(pool_of(truth, 300, seed=seed, shared=0.5), resamples=200)
        inside.append((found.low <= truth * ELO) & (truth * ELO <= found.high))
    assert 0.90 <= np.mean(inside) <= 0.99


def test_what_matches_share_is_felt():
    # all of the luck shared: s0 does well against all its opponents at once, so its rating is less certain
    alone = rate(pool_of(np.zeros(5), 2000, shared=0.0))
    common = rate(pool_of(np.zeros(5), 2000, shared=1.0))
    assert (common.high - common.low)[0] > 1.3 * (alone.high - alone.low)[0]


def test_superiority_and_all_wins():
    sure = rate(pool_of(np.array([3.0, 0.0, -3.0]), 500))
    assert sure.superiority[0, 2] > 0.999 and np.isnan(sure.superiority[0, 0])
    assert sure.superiority[0, 1] == pytest.approx(1 - sure.superiority[1, 0])
    every = rate(Pool(["a", "b"], [(0, 1)], np.full((1, 512), 4.0), np.ones((1, 512))))
    assert np.isfinite(every.elo).all() and every.elo[0] > 1000 / 2
    few = rate(Pool(["a", "b"], [(0, 1)], np.array([[4.0, 2.0]]), np.ones((1, 2))))
    assert np.isfinite(few.elo).all() and np.isnan(few.low).all()


def test_a_field_that_is_not_connected_is_not_rated():
    assert components(5, [(0, 1), (3, 4), (1, 2)]) == [[0, 1, 2], [3, 4]]
    pool = Pool(list("abcd"), [(0, 1), (2, 3)], np.full((2, 20), 2.0), np.ones((2, 20)))
    found = rate(pool)
    assert np.isnan(found.elo).all() and "a, b; c, d" in found.problem


def test_holm_by_hand():
    # Holm's own kind of example: 0.01 < .05/4, 0.015 < .05/3, 0.03 > .05/2: the third and all after it fall
    p = [0.03, 0.01, None, 0.015, 0.04]
    assert holm(p) == [False, True, False, True, False]
    assert holm_adjusted(p) == [pytest.approx(0.06), pytest.approx(0.04), None, pytest.approx(0.045), pytest.approx(0.06)]
    assert holm([]) == [] and holm([0.04]) == [True]
