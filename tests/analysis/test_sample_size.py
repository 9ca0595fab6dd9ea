"""Numbers of pairs are the textbook's, and find what they say as often as they say."""

from __future__ import annotations

import numpy as np

from basra_sim.analysis.statistics.intervals import score_interval
from basra_sim.analysis.statistics.sample_size import fixed_pairs, needed, spread_of, watched_pairs
from basra_sim.analysis.statistics.sequential import anytime_interval


def test_the_textbook():
    # ((1.95996 + 0.84162) * 0.5 / 0.01)^2 = 19,622.2
    assert fixed_pairs(0.5, 0.01, 0.8) == 19_623
    assert fixed_pairs(0.5, 0.02, 0.8) == 4_906
    assert fixed_pairs(0.25, 0.01, 0.9) == 6_568  # (1.95996 + 1.28155)^2 * 0.0625 / 0.0001 = 6,567.1


def test_the_power_is_what_it_says():
    rng = np.random.default_rng(6)
    law = np.array([0.15, 0.0, 0.7, 0.0, 0.15])
    pairs = fixed_pairs(float(np.sqrt(law @ (np.arange(5) / 4 - 0.5) ** 2)), 0.02, 0.9)
    shifted = law + np.array([-0.02, 0, 0, 0, 0.02])
    found = sum(score_interval(rng.multinomial(pairs, shifted).tolist()).low > 0.5 for _ in range(600))
    assert 0.86 <= found / 600 <= 0.94


def test_watched_pairs_are_those_of_the_interval():
    shares = [0.15, 0.0, 0.7, 0.0, 0.15]
    pairs = watched_pairs(shares, 0.01)
    assert anytime_interval([s * pairs for s in shares]).half <= 0.01
    assert anytime_interval([s * pairs * 0.99 for s in shares]).half > 0.01


def test_pilots_that_are_all_alike_stay_finite():
    assert spread_of([0, 0, 0, 0, 1000]) > 0
    found = needed([0, 0, 1000, 0, 0], 0.01, 0.9)
    assert found.fixed > 0 and found.watched > 0
