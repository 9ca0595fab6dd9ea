"""The commonest habit, playing what brings most at once, and what comes of a hand that is played out against it."""

from __future__ import annotations

from basra_sim.engine.jit.compiling import piece
from basra_sim.engine.jit.instructions import lowest, nth_card, popcount, stay_apart
from basra_sim.engine.view_helpers import floor_now, play_on

from .problem import MINE, OTHERS, last_of, step, tally_of, worth_settled

LOWEST = -1  # instead of a number that picks among equal cards


@piece
def most_now(view, floor, hand):
    """The card set of a hand's cards that bring most by this very ply: points, then floor cards. All of them if none takes."""
    stay_apart()
    best = -1
    chosen = 0
    while hand != 0:
        card = lowest(hand)
        hand &= hand - 1
        what = play_on(view, floor, card)
        worth = what.points * 64 + what.taken
        if worth > best:
            best = worth
            chosen = 1 << card
        elif worth == best:
            chosen |= 1 << card
    return chosen


@piece
def number_of_orders(cards):
    """The orders in which so many cards, 0..4, can be played."""
    return 24 if cards == 4 else (6 if cards == 3 else max(1, cards))


@piece
def play_out(view, problem, order, other, pick):
    """Play my hand to the end of the deal in one order against a hand that always plays what brings most at once.

    `order` is a number below `number_of_orders`: its last digit, to the base of the cards in hand, is the place of my first
    card, and so on. Among equal cards he plays the lowest, or with `pick` >= 0 one by that number. Returns (his first two
    answers, 64 times the second and the first, the worth at the end).
    """
    stay_apart()
    hand = view.hand
    floor = floor_now(view)
    tally = tally_of(view)
    last = last_of(view)
    answers = 0
    for turn in range(popcount(hand)):
        left = popcount(hand)
        card = nth_card(hand, order % left)
        order //= left
        hand ^= 1 << card
        done = step(problem, floor, card)
        floor = done.floor
        tally += done.gain << MINE
        last = MINE if done.gain != 0 else last
        if other != 0:
            best = most_now(view, floor, other)
            answer = lowest(best) if pick < 0 else nth_card(best, (pick >> (2 * turn)) % popcount(best))
            other ^= 1 << answer
            reply = step(problem, floor, answer)
            floor = reply.floor
            tally += reply.gain << OTHERS
            last = OTHERS if reply.gain != 0 else last
            if turn < 2:
                answers |= answer << (6 * turn)
    return answers, worth_settled(problem, tally, last, floor)
