"""Tables of what a lead is worth: shipped, shared, guessed, and solved by hand."""

from __future__ import annotations

import pytest

from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import PRESETS
from basra_sim.skill import value_tables as values


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
