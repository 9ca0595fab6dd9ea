"""Chances against listing of all hands."""

from __future__ import annotations

import random
from math import comb

import pytest
from open_hands_judge import chance_by_listing, random_position

from basra_sim.game.rules import PRESETS
from basra_sim.skill import counting
from basra_sim.skill.worlds import choose_count


def test_falling_factorials_and_binomials():
    for n in range(45):
        for k in range(5):
            assert choose_count(n, k) == comb(n, k)
    assert counting.chance_of_none(44, 3, 4) == pytest.approx(comb(41, 4) / comb(44, 4), abs=1e-15)


def test_chances_are_those_of_all_hands():
    rng = random.Random(1)
    for _ in range(30):
        position = random_position(rng, PRESETS["egyptian-v2"], rng.choice((4, 5)))
        view = position.view()
        wanted = sum(1 << card for card in rng.sample(range(52), 7))
        listed = chance_by_listing(position.unseen, position.held, wanted)
        assert counting.chance_of_some(view, wanted) == pytest.approx(listed, abs=1e-12)
        rank = rng.randint(1, 13)
        listed = chance_by_listing(position.unseen, position.held, 0xF << (4 * (rank - 1)))
        assert counting.chance_of_rank(view, rank) == pytest.approx(listed, abs=1e-12)
