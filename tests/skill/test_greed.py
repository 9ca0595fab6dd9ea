"""What brings most at once, and hands played out against it."""

from __future__ import annotations

import random
from itertools import permutations

from open_hands_judge import Judge, random_position

from basra_sim.engine.jit.instructions import lowest
from basra_sim.engine.view_helpers import floor_now, outcome
from basra_sim.game.cards import members
from basra_sim.game.rule_files import load_rules
from basra_sim.players.loading import load
from basra_sim.players.position import Position
from basra_sim.skill.greed import LOWEST, most_now, number_of_orders, play_out
from basra_sim.skill.problem import FOR_POINTS, ONE, open_problem

RULES = load_rules("egyptian-v2", ["single_round=true"])


def test_the_lowest_card_that_brings_most_is_what_greedy_plays():
    rng, greedy = random.Random(1), load("greedy")
    for _ in range(300):
        view = random_position(rng, RULES, rng.randrange(6)).view()
        best = most_now(view, floor_now(view), view.hand)
        assert lowest(best) == greedy.choose(view)
        most = {card: (outcome(view, card).points, outcome(view, card).taken) for card in members(view.hand)}
        assert set(members(best)) == {card for card in most if most[card] == max(most.values())}


def test_every_order_of_a_hand_is_played_out_once():
    rng = random.Random(2)
    for size in (1, 2, 3, 4):
        position = random_position(rng, RULES, 5, size)
        view = position.view()
        problem = open_problem(view, FOR_POINTS)
        lines = [play_out(view, problem, order, view.unseen, LOWEST)[1] for order in range(number_of_orders(size))]
        judge = Judge(RULES)
        expected = [_played_out(position, judge, order) for order in permutations(members(view.hand))]
        assert sorted(line // ONE for line in lines) == sorted(expected)


def _played_out(position: Position, judge: Judge, order: tuple[int, ...]) -> int:
    """Points of the round, mine less the other's, where I play in this order and he takes most, lowest card among equals."""
    floor, other, line = position.floor, position.unseen, []
    for card in order:
        line.append((0, card))
        floor = judge.after(floor, card)
        if other:
            answer = judge.greedy_card(floor, other)
            line.append((1, answer))
            floor = judge.after(floor, answer)
            other ^= 1 << answer
    return judge.line_worth(position, tuple(line))
