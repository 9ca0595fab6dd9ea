"""The last deal is played exactly: against all orders of play, in thousands of positions, compiled and in plain Python."""

from __future__ import annotations

import random

import pytest
from open_hands_judge import Judge, brute_force, random_position

from basra_sim.errors import BadInput
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import PRESETS
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.position import Desk
from basra_sim.skill.endgame import INFINITE, LAST_DEAL, best_card, value_of
from basra_sim.skill.problem import FOR_POINTS, FOR_WIN, ONE, WIN_WEIGHT, open_problem
from basra_sim.workshop.last_deal_regret import last_deal_regret


@pytest.mark.parametrize("preset", ["egyptian-v2", "cafe", "pagat", "jawaker"])
def test_values_are_those_of_all_orders_of_play(preset):
    rules, rng = PRESETS[preset], random.Random(f"values {preset}")
    judge = Judge(rules)
    for _ in range(40):
        position = random_position(rng, rules, LAST_DEAL, size=rng.choice((1, 2, 3, 3, 4)))
        view, truth = position.view(), brute_force(position, judge)
        for card, value in truth.items():
            problem = open_problem(view, FOR_POINTS)
            assert value_of(problem, view, card, position.unseen, -INFINITE) == value * ONE, position.to_text()


def _check_plays(rules, player, number, rng):
    """Compiled plays of the last deal lose nothing against all orders of play."""
    judge, checked = Judge(rules), 0
    while checked < number:
        position = random_position(rng, rules, LAST_DEAL, size=rng.choice((2, 3, 3, 4)))
        try:
            card = Desk(player, position).ask()
        except BadInput as error:
            assert "no play leads to the floor" in str(error)
            continue
        truth = brute_force(position, judge)
        assert truth[card] == max(truth.values()), position.to_text()
        checked += 1


@pytest.mark.parametrize(("preset", "number"), [("egyptian-v2", 1500), ("pagat", 250), ("jawaker", 250), ("cafe", 250)])
def test_no_last_deal_play_loses_a_point(preset, number):
    _check_plays(PRESETS[preset], prepare(load("tuned-endgame:aim=0")), number, random.Random(f"plays {preset}"))


def test_a_single_round_is_played_for_the_win_without_loss():
    rules = load_rules("egyptian-v2", ["single_round=true"])
    _check_plays(rules, prepare(load("tuned-endgame")), 300, random.Random(5))


def test_the_chance_to_win_decides_near_the_target():
    """Ten points with certainty win at 95-80, so the safe card is right though another may make more points on average."""
    rules = load_rules("egyptian-v2")
    rng, judge = random.Random(8), Judge(rules)
    for _ in range(60):
        position = random_position(rng, rules, LAST_DEAL, size=3)
        position = type(position)(**{**position.__dict__, "scores": (90, 90)})
        view, truth = position.view(), brute_force(position, judge)
        card, _ = best_card(view, position.unseen, FOR_WIN)
        wins = {}
        for each in truth:
            problem = open_problem(view, FOR_WIN)
            wins[each] = round(value_of(problem, view, each, position.unseen, -INFINITE) / ONE / WIN_WEIGHT, 2)
        assert wins[card] == max(wins.values())


def test_regret_of_rungs_that_solve_the_last_deal_is_exactly_zero():
    rules, base = PRESETS["egyptian-v2"], prepare(load("greedy"))
    exact = last_deal_regret(prepare(load("tuned-endgame")), base, rules, 500, 3)
    assert exact.decisions == 3000  # three decisions with a choice in each of 1,000 last deals
    assert exact.points == 0 and exact.win == 0
    lossy = last_deal_regret(base, base, rules, 500, 3)
    assert 2 < lossy.points < 5 and lossy.win > 0
