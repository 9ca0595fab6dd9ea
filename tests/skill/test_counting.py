"""Chances against listing of all hands; expected answers, weights of hands and value tables against plain sums."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from math import comb

import pytest
from open_hands_judge import chance_by_listing, random_position

from basra_sim.engine.sight import floor_now
from basra_sim.game.cards import members
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import PRESETS
from basra_sim.skill import counting
from basra_sim.skill import value_tables as values
from basra_sim.skill.endgame import special_cards
from basra_sim.skill.problem import FOR_POINTS, OTHERS, open_problem, step, tally_of, worth_now
from basra_sim.skill.reply import Weights, expected_reply
from basra_sim.skill.worlds import cards_at, choose_count, first_subset, hand_weight, next_subset


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


# ------------------------------------------------------------------------------------------------ values
def test_shipped_values_are_sensible():
    for preset, rules in PRESETS.items():
        assert not values.is_fallback(rules), preset
        for boundary in range(7):
            worth = [values.majority_worth(rules, boundary, lead, True) for lead in range(-30, 31)]
            assert worth == sorted(worth)
            assert max(-worth[0], worth[-1]) <= rules.majority_points * (1 + 1e-12)
        assert values.majority_worth(rules, 6, 1, True) == rules.majority_points
        assert values.majority_worth(rules, 6, 0, True) == 0
        assert values.majority_worth(rules, 3, 5, True) == -values.majority_worth(rules, 3, -5, False)


def test_options_of_a_game_do_not_change_a_rounds_values():
    assert values.round_key(load_rules("egyptian-v2", ["target=51"])) == values.round_key(PRESETS["egyptian-v2"])
    assert values.round_key(load_rules("egyptian-v2", ["basra_points=20"])) != values.round_key(PRESETS["egyptian-v2"])


def test_a_rule_set_without_counts_gets_the_stated_fallback():
    rules = load_rules("egyptian-v2", ["basra_points=25", "majority_points=35"])
    counts = values.fallback_counts(rules)
    assert "fallback" in counts.source and counts.unit == 5
    assert abs(sum(counts.cards[0].values()) - 1) < 1e-5


def test_games_are_solved_as_chains_of_rounds():
    """A game of rounds that are won 30-0 by either side with equal chances: the chances follow from coin tosses."""
    rules = load_rules("egyptian-v2", ["target=60"])
    counts = values.Counts(
        10, ({0: 1.0},) * 6, ({(0, 0): 1.0},) * 6, {(3, 0): 1, (0, 3): 1}, ({},) * 6, "coin tosses"
    )
    game, _ = values._game_tables(rules, counts)
    assert game[0, 0, 0] == pytest.approx(0.5)
    assert game[1, 3, 0] == pytest.approx(0.75)  # two tosses to lose, one to win
    assert game[0, 3, 3] == pytest.approx(0.5)
