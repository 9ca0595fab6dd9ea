"""The laws of riffles against published tables and whole sums."""

from __future__ import annotations

from fractions import Fraction

import pytest

from basra_sim.shuffles.laws import permutation_laws as laws
from basra_sim.shuffles.laws import riffles

GOLDEN_TV = "0.923733 0.613550 0.334061 0.167159 0.085420 0.042946 0.021502 0.010755"
GOLDEN_BITS = [173.581, 121.581, 69.874, 27.271, 7.945, 2.073, 0.524, 0.131, 0.033, 0.008, 0.002, 0.001]
GOLDEN_RISING = [2.000, 4.000, 7.949, 14.099, 19.605, 22.948, 24.710, 25.603, 26.052, 26.276]
GOLDEN_TOP_CARD = [0.8726, 0.7518, 0.5775, 0.3674, 0.2004, 0.1027, 0.0517, 0.0259, 0.0129, 0.0065]


def test_bayer_diaconis_table_is_reproduced_exactly():
    assert [f"{float(riffles.riffle_tv(k)):.3f}" for k in range(1, 11)] == [
        "1.000", "1.000", "1.000", "1.000", "0.924", "0.614", "0.334", "0.167", "0.085", "0.043",
    ]  # fmt: skip
    assert [f"{float(riffles.riffle_tv(k)):.6f}" for k in range(5, 13)] == GOLDEN_TV.split()
    assert isinstance(riffles.riffle_tv(7), Fraction)


def test_riffle_separation_entropy_and_means():
    separation = [float(riffles.riffle_separation(k)) for k in range(7, 13)]
    assert separation == pytest.approx([0.999995, 0.996177, 0.931528, 0.732114, 0.479496, 0.277542], abs=5e-7)
    assert all(riffles.riffle_separation(k) == 1 for k in range(1, 6))
    assert [riffles.riffle_missing_bits(k) for k in range(1, 13)] == pytest.approx(GOLDEN_BITS, abs=6e-4)
    assert [riffles.riffle_rising_law(k).mean for k in range(1, 11)] == pytest.approx(GOLDEN_RISING, abs=6e-4)
    assert riffles.order_bits() == pytest.approx(225.581, abs=6e-4)


def test_card_transition_is_a_probability_and_halves_its_distance():
    assert [float(riffles.top_card_tv(k)) for k in range(1, 11)] == pytest.approx(GOLDEN_TOP_CARD, abs=6e-5)
    assert sum(riffles.card_transition(3, 10, end) for end in range(1, 53)) == 1


def test_riffle_law_sums_to_one_over_all_orders():
    for k in (1, 4, 7):
        total = sum(laws.eulerian(52)[r - 1] * riffles.riffle_probability(k, r) for r in range(1, 53))
        assert total == 1
