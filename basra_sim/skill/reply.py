"""One ply and the reply to it: the exact expectation of the other's best answer, without listing his hands.

If his answers are worth v1 <= v2 <= ... to me, he plays the first that he holds. The chance that it is the i-th is a
hypergeometric one, so the expectation needs one worth for each kind of unseen card and one pass over the sorted list.
"""

from __future__ import annotations

from typing import NamedTuple

from basra_sim.engine.jit.compiling import piece
from basra_sim.engine.jit.instructions import lowest, popcount, stay_apart
from basra_sim.game.cards import KOMI

from .counting import falling
from .problem import OTHERS, note, noted, step, worth_now

_ANSWERS = 200  # place on the slate of the list of his answers


class Weights(NamedTuple):
    """What an answer costs him beside what it takes, in units of worth."""

    jack: int  # he gives up a jack
    komi: int
    again: int  # share (of 1024) of my best next capture that I count on


@piece
def alike(card_set, card, special):
    """The cards of a set that no rule tells from this one, itself included."""
    bit = 1 << card
    if bit & special:
        return bit
    return card_set & ~special & (0xF << (card & ~3))


@piece
def insert_answer(problem, start, size, key, value, count):
    """Insert an answer into the list at `start` of the slate, smallest key first: its worth, and how many cards bring it."""
    place = start + 3 * size
    while place > start and noted(problem, place - 3) > key:
        for k in range(3):
            note(problem, place + k, noted(problem, place + k - 3))
        place -= 3
    note(problem, place, key)
    note(problem, place + 1, value)
    note(problem, place + 2, count)


@piece
def expected_answer(problem, start, size, unseen, held):
    """The mean of the list's worths, where he plays the first answer that he holds among `held` of the `unseen` cards."""
    whole = falling(popcount(unseen), held)
    total = 0.0
    left = popcount(unseen)
    none_yet = whole
    for index in range(size):
        place = start + 3 * index
        left -= noted(problem, place + 2)
        none_then = falling(left, held)
        total += noted(problem, place + 1) * ((none_yet - none_then) / whole)
        none_yet = none_then
        if none_then == 0:
            break
    return total


@piece
def best_follow(problem, floor, hand, tally):
    """The best worth of a tally after one more capture from a hand, and at least as it is."""
    best = worth_now(problem, tally)
    rest = hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        gain = step(problem, floor, card).gain
        if gain != 0:
            best = max(best, worth_now(problem, tally + gain))
    return best


@piece
def expected_reply(problem, floor, hand, unseen, held, tally, special, weights):
    """The expected worth to me after the other's best answer on a floor; he holds `held` of the `unseen` cards.

    `hand` is what I keep. Without cards of his the worth is that of the tally itself.
    """
    stay_apart()
    if held == 0 or falling(popcount(unseen), held) == 0:
        return float(worth_now(problem, tally))
    size = 0
    rest = unseen
    while rest != 0:
        card = lowest(rest)
        group = alike(rest, card, special)
        rest &= ~group
        done = step(problem, floor, card)
        after = tally + (done.gain << OTHERS)
        value = worth_now(problem, after)
        if weights.again != 0:
            follow = best_follow(problem, done.floor, hand, after)
            value += ((follow - value) * weights.again) >> 10
        if card >> 2 == 10:
            value += weights.jack
        elif card == KOMI:
            value += weights.komi
        insert_answer(problem, _ANSWERS, size, value, value, popcount(group))
        size += 1
    return expected_answer(problem, _ANSWERS, size, unseen, held)
