"""Circles: rock-paper-scissors and its relatives, Nash averages and alpha-rank by hand."""

from __future__ import annotations

import numpy as np
import pytest

from basra_sim.analysis.statistics.equilibrium import alpha_rank, logits, nash_average

RPS = np.array([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])


def test_rock_paper_scissors_is_even():
    weights, values = nash_average(RPS)
    assert weights == pytest.approx([1 / 3] * 3) and values == pytest.approx([0, 0, 0], abs=1e-9)
    assert alpha_rank(RPS) == pytest.approx([1 / 3] * 3)


def test_a_copy_changes_nothing():
    # two rocks: they share the weight of one (Balduzzi et al. 2018, "invariance")
    index = [0, 0, 1, 2]
    weights, values = nash_average(RPS[np.ix_(index, index)])
    assert weights == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3], abs=1e-6) and np.abs(values).max() < 1e-6


def test_uneven_rock_paper_scissors():
    # known: with stakes a (1-2), b (2-3), c (3-1) the weights are b : c : a
    game = np.array([[0, 1.0, -3], [-1, 0, 2], [3, -2, 0]])
    assert nash_average(game)[0] == pytest.approx(np.array([2, 3, 1]) / 6, abs=1e-6)


def test_a_ladder_gives_all_to_the_best():
    ladder = np.array([[0.0, 1, 2], [-1, 0, 1], [-2, -1, 0]])
    weights, values = nash_average(ladder)
    assert weights == pytest.approx([1, 0, 0]) and values == pytest.approx([0, -1, -2])
    assert alpha_rank(ladder)[0] == pytest.approx(1)


def test_a_circle_above_a_dunce():
    game = np.zeros((4, 4))
    game[:3, :3], game[:3, 3], game[3, :3] = RPS, 1, -1
    weights, values = nash_average(game)
    assert weights == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6) and values[3] == pytest.approx(-1)
    assert alpha_rank(game) == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0], abs=1e-6)


def test_alpha_rank_of_two_by_hand():
    # the ratio of two fixation probabilities is exp((m - 1) alpha gap): detailed balance of a chain of two
    game = np.array([[0, 0.01], [-0.01, 0]])
    one, two = alpha_rank(game, alpha=2.0, population=10)
    assert one / two == pytest.approx(np.exp(9 * 2.0 * 0.02))
    assert alpha_rank(np.zeros((3, 3))) == pytest.approx([1 / 3] * 3)


def test_log_odds_of_scores():
    scores = np.array([[0.5, 0.75], [0.25, 0.5]])
    assert logits(scores)[0, 1] == pytest.approx(np.log(3))
    assert np.isfinite(logits(np.array([[0.5, 1.0], [0.0, 0.5]]))).all()
    with pytest.raises(ValueError, match="met every other"):
        logits(np.array([[0.5, np.nan], [np.nan, 0.5]]))
