"""One ply and the reply to it: the exact expectation of the other's best answer, without listing his hands.

If his answers are worth v1 <= v2 <= ... to me, he plays the first that he holds. The chance that it is the i-th is a
hypergeometric one, so the expectation needs one worth for each kind of unseen card and one pass over the sorted list.
"""

from __future__ import annotations

from typing import NamedTuple

from basra_sim.engine.jit.primitives import lowest, piece, popcount, stay_apart
from basra_sim.game.cards import KOMI

from .counting import falling
from .problem import OTHERS, note, noted, step, worth_now

_VALUES, _COUNTS = 200, 240  # places on the slate: the answers' worths and how many cards bring each


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
def _insert(problem, size, value, count):
    """Insert into the list on the slate, smallest worth first."""
    place = size
    while place > 0 and noted(problem, _VALUES + place - 1) > value:
        note(problem, _VALUES + place, noted(problem, _VALUES + place - 1))
        note(problem, _COUNTS + place, noted(problem, _COUNTS + place - 1))
        place -= 1
    note(problem, _VALUES + place, value)
    note(problem, _COUNTS + place, count)


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
    whole = falling(popcount(unseen), held)
    if held == 0 or whole == 0:
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
        _insert(problem, size, value, popcount(group))
        size += 1
    total = 0.0
    left = popcount(unseen)
    none_yet = whole
    for place in range(size):
        left -= noted(problem, _COUNTS + place)
        none_then = falling(left, held)
        total += noted(problem, _VALUES + place) * ((none_yet - none_then) / whole)
        none_yet = none_then
        if none_then == 0:
            break
    return total
