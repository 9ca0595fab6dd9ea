"""Classes of hands stand for all hands."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from open_hands_judge import random_position

from basra_sim.game.cards import members
from basra_sim.game.rules import PRESETS
from basra_sim.skill.endgame import special_cards
from basra_sim.skill.problem import FOR_POINTS, open_problem
from basra_sim.skill.worlds import cards_at, first_subset, hand_weight, next_subset


@pytest.mark.parametrize("preset", ["egyptian-v2", "pagat"])
def test_hands_by_class_stand_for_all_hands(preset):
    rng = random.Random(3)
    for _ in range(5):
        position = random_position(rng, PRESETS[preset], 4, size=3)
        special = special_cards(open_problem(position.view(), FOR_POINTS))
        held, places = position.held, first_subset(position.held)
        weights: Counter[tuple[int, ...]] = Counter()
        for _ in range(comb(position.unseen.bit_count(), held)):
            hand = cards_at(position.unseen, places)
            weights[_class(hand, special)] += hand_weight(position.unseen, hand, special)
            places = next_subset(places)
        truth = Counter(
            _class(sum(1 << card for card in hand), special) for hand in combinations(list(members(position.unseen)), held)
        )
        assert weights == truth


def _class(hand: int, special: int) -> tuple[int, ...]:
    return tuple(sorted(100 + card if special >> card & 1 else card >> 2 for card in members(hand)))
