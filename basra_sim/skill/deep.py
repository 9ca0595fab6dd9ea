"""Expectation over hidden hands, several plies deep, without giving my later choices knowledge of his hand.

After each answer of his that I can see I choose again, knowing only what I see; his answers are chances by exact counting.
That is what a search of imagined open hands gets wrong (strategy fusion: Frank and Basin 1998), at the price of a model of
him: of the cards he holds he plays the one that is best by the next ply (or two) from his side.
"""

from __future__ import annotations

from typing import NamedTuple

from basra_sim.engine.jit.compiling import piece
from basra_sim.engine.jit.instructions import lowest, popcount, stay_apart
from basra_sim.engine.view_helpers import floor_now
from basra_sim.engine.work_memory import annex_of
from basra_sim.game.cards import KOMI

from .endgame import INFINITE, distinct, special_cards
from .habit import ANSWERS, answer_habits, draw_worlds
from .policy import slope_of
from .problem import MINE, OTHERS, last_of, noted, open_problem, step, tally_of, worth_now, worth_settled
from .reply import alike, expected_answer, insert_answer
from .worlds import SUMS, sum_some_worlds


class DeepWeights(NamedTuple):
    """Prices in points, shares as such."""

    jack: float  # what playing my jack gives up
    komi: float
    his_jack: float
    his_komi: float
    again: float  # share of my best capture after the last answer
    fear: float  # share of his choice that goes by what I would answer (he sees my hand); the rest goes by what he takes


class Budget(NamedTuple):
    """How much is drawn for a decision."""

    worlds: int  # hands drawn and solved with open cards
    listed: int  # at most so many hands are listed instead
    ms: int  # or milliseconds of processor time for drawing; 0 off
    read: int  # hands drawn by the other's habit
    tries: int  # draws for them at most


class Prices(NamedTuple):
    """The same in units of worth, and shares of 1024."""

    jack: int
    komi: int
    his_jack: int
    his_komi: int
    again: int
    fear: int


@piece
def _price(card, jack, komi):
    return jack if card >> 2 == 10 else (komi if card == KOMI else 0)


@piece
def _last_follow(problem, floor, hand, unseen, held, tally, last, special, weights):
    """What I expect from a tally when I look no further: a share of my best capture next."""
    if hand == 0:
        return worth_settled(problem, tally, last, floor)
    value = worth_now(problem, tally)
    best = value
    rest = hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        gain = step(problem, floor, card).gain
        if gain != 0:
            best = max(best, worth_now(problem, tally + gain) - _price(card, weights.jack, weights.komi))
    return value + (((best - value) * weights.again) >> 10)


def _answer(follow, start):
    def answer(problem, floor, hand, unseen, held, tally, last, special, weights):
        """The worth to me where he is to move; `follow` values what I make of each answer."""
        stay_apart()
        if held == 0:
            return worth_settled(problem, tally, last, floor)
        size = 0
        rest = unseen
        while rest != 0:
            card = lowest(rest)
            group = alike(rest, card, special)
            rest &= ~group
            done = step(problem, floor, card)
            after = tally + (done.gain << OTHERS)
            took = OTHERS if done.gain != 0 else last
            price = _price(card, weights.his_jack, weights.his_komi)
            key = worth_now(problem, after) + price
            value = follow(
                problem, done.floor, hand, unseen ^ (1 << card), held - 1, after, took, special, weights
            ) + price
            key += ((value - key) * weights.fear) >> 10
            insert_answer(problem, start, size, key, value, popcount(group))
            size += 1
        return int(expected_answer(problem, start, size, unseen, held))

    return piece(answer)


def _follow(answer):
    def follow(problem, floor, hand, unseen, held, tally, last, special, weights):
        """The worth to me where I am to move."""
        if hand == 0:
            return worth_settled(problem, tally, last, floor)
        best = -INFINITE
        rest = hand
        while rest != 0:
            card = lowest(rest)
            rest &= rest - 1
            if distinct(hand, card, special):
                done = step(problem, floor, card)
                took = MINE if done.gain != 0 else last
                value = answer(
                    problem, done.floor, hand ^ (1 << card), unseen, held, tally + done.gain, took, special, weights
                ) - _price(card, weights.jack, weights.komi)
                best = max(best, value)
        return best

    return piece(follow)


_PLACES = 96  # above the nodes of endgame.solve
_SIZE = 72
answer_one = _answer(_last_follow, _PLACES)
answer_two = _answer(_follow(answer_one), _PLACES + _SIZE)


@piece
def deep_worth(view, problem, card, prices, special):
    """The worth of playing a card: his answer, my next card, his next answer, and a share of my best capture then."""
    done = step(problem, floor_now(view), card)
    took = MINE if done.gain != 0 else last_of(view)
    value = answer_two(
        problem, done.floor, view.hand ^ (1 << card), view.unseen, view.other_hand_size, tally_of(view) + done.gain, took,
        special, prices,
    )  # fmt: skip
    return value - _price(card, prices.jack, prices.komi)


@piece
def joint_card(view, aim, weights, mix, budget, habits):
    """The card with the most worth; ties to the lowest id.

    Its worth is `deep_worth` plus `mix` times its mean over imagined open hands where the other has no habit, and the worth
    of the best answer to the habit where he has one, by the chances of both.
    """
    chosen = lowest(view.hand)
    if view.hand & (view.hand - 1) == 0:
        return chosen
    problem = open_problem(view, aim)
    special = special_cards(problem)
    slope = slope_of(problem, tally_of(view))
    prices = Prices(
        int(weights.jack * slope), int(weights.komi * slope), int(weights.his_jack * slope), int(weights.his_komi * slope),
        int(weights.again * 1024), int(weights.fear * 1024),
    )  # fmt: skip
    annex = annex_of(view)
    read, plain = draw_worlds(view, problem, annex, habits, budget.read, budget.tries)
    if read > 0:
        answer_habits(view, problem, annex, read)
    number = sum_some_worlds(view, problem, budget.worlds, budget.listed, budget.ms) if plain > 0 else 1
    best = -1e30
    rest = view.hand
    place = 0
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(view.hand, card, special):
            value = 0.0
            if plain > 0:
                value = plain * (deep_worth(view, problem, card, prices, special) + mix * noted(problem, SUMS + place) / number)
            if read > 0:
                value += (1.0 + mix) * noted(problem, ANSWERS + place)
            if value > best:
                best, chosen = value, card
        place += 1
    return chosen
