"""The expected answer is the mean over all hands that he may hold."""

from __future__ import annotations

import random
from itertools import combinations

import pytest
from open_hands_judge import random_position

from basra_sim.engine.view_helpers import floor_now
from basra_sim.game.cards import members
from basra_sim.game.rules import PRESETS
from basra_sim.skill.endgame import special_cards
from basra_sim.skill.problem import FOR_POINTS, OTHERS, open_problem, step, tally_of, worth_now
from basra_sim.skill.reply import Weights, expected_reply


@pytest.mark.parametrize("preset", ["egyptian-v2", "pagat"])
def test_the_expected_answer_is_the_mean_over_all_hands(preset):
    rng = random.Random(2)
    for _ in range(6):
        position = random_position(rng, PRESETS[preset], 4, size=rng.choice((2, 3)))
        view = position.view()
        problem = open_problem(view, FOR_POINTS)
        floor, tally = floor_now(view), tally_of(view)
        worths = {
            card: worth_now(problem, tally + (step(problem, floor, card).gain << OTHERS)) for card in members(position.unseen)
        }
        hands = list(combinations(worths, position.held))
        mean = sum(min(worths[card] for card in hand) for hand in hands) / len(hands)
        expected = expected_reply(
            problem, floor, position.hand, position.unseen, position.held, tally, special_cards(problem), Weights(0, 0, 0)
        )
        assert expected == pytest.approx(mean, rel=1e-12)
