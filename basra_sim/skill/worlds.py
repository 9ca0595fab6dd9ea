"""Hands that the other may hold: all of them by class with their weights while they are few, else a fair sample.

Every hand of unseen cards is equally likely. Hands that differ only in cards which no rule tells apart are one class.
"""

from __future__ import annotations

from basra_sim.engine.jit.compiling import piece
from basra_sim.engine.jit.instructions import lowest, nth_card, popcount, stay_apart
from basra_sim.engine.view_helpers import random_below

from .counting import falling
from .endgame import INFINITE, distinct, special_cards, value_of
from .problem import clock, note, noted, open_problem


@piece
def choose_count(n, k):
    """C(n, k) for k = 0..4."""
    return falling(n, k) // (24 if k == 4 else (6 if k == 3 else (2 if k == 2 else 1)))


@piece
def first_subset(k):
    """The first k-subset in the order of `next_subset`, as bits of places."""
    return (1 << k) - 1


@piece
def next_subset(places):
    """The next larger integer with as many bits (Gosper's rule)."""
    low = places & -places
    ripple = places + low
    return ripple | (((places ^ ripple) >> 2) // low)


@piece
def cards_at(unseen, places):
    """The unseen cards at some places, counted from the lowest id."""
    hand = 0
    while places != 0:
        hand |= 1 << nth_card(unseen, lowest(places))
        places &= places - 1
    return hand


@piece
def hand_weight(unseen, hand, special):
    """How many hands are of this hand's class; 0 unless it is the class's first (its alike cards are the lowest)."""
    weight = 1
    plain = hand & ~special
    while plain != 0:
        rank = 0xF << (lowest(plain) & ~3)
        group = unseen & ~special & rank
        have = hand & group
        number = popcount(have)
        # the lowest `number` cards of the group: none of the others may lie below the highest that is held
        rest = group & ~have
        if rest != 0 and (rest & -rest) < have:
            return 0
        weight *= choose_count(popcount(group), number)
        plain &= ~rank
    return weight


@piece
def random_hand(view, held):
    """A fair hand of `held` unseen cards from the seat's own stream."""
    rest = view.unseen
    hand = 0
    for left in range(popcount(rest), popcount(rest) - held, -1):
        bit = 1 << nth_card(rest, random_below(view.rng, left))
        hand |= bit
        rest ^= bit
    return hand


SUMS = 340  # places on the slate, above those of endgame.solve and of deep.py


@piece
def add_world(problem, view, hand, weight, special):
    """Solve the rest of the deal against a hand for each card of mine and add the worths, times a weight, to the sums."""
    stay_apart()
    rest = view.hand
    place = SUMS
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(view.hand, card, special):
            note(problem, place, noted(problem, place) + weight * value_of(problem, view, card, hand, -INFINITE))
        place += 1


@piece
def sum_worlds(view, problem, worlds, listed):
    """Leave on the slate the sums of `average_card`; returns the number of hands that they are over."""
    special = special_cards(problem)
    held = view.other_hand_size
    number = choose_count(popcount(view.unseen), held)
    listing = number <= listed
    places = first_subset(held)
    for place in range(4):
        note(problem, SUMS + place, 0)
    for _ in range(number if listing else worlds):
        hand = cards_at(view.unseen, places) if listing else random_hand(view, held)
        weight = hand_weight(view.unseen, hand, special) if listing else 1
        if weight != 0:
            add_world(problem, view, hand, weight, special)
        if listing and held > 0:
            places = next_subset(places)
    return number if listing else worlds


MILLISECOND = 1_000_000  # of the clock's nanoseconds


@piece
def draw_until(view, problem, ms):
    """Leave on the slate the sums over hands drawn for `ms` milliseconds of processor time; returns how many."""
    special = special_cards(problem)
    for place in range(4):
        note(problem, SUMS + place, 0)
    until = clock(problem) + ms * MILLISECOND
    number = 0
    while number == 0 or clock(problem) < until:
        for _ in range(4):
            add_world(problem, view, random_hand(view, view.other_hand_size), 1, special)
        number += 4
    return number


@piece
def sum_some_worlds(view, problem, worlds, listed, ms):
    """`sum_worlds`, or with `ms` > 0 `draw_until` where the hands are too many to be listed."""
    if ms > 0 and choose_count(popcount(view.unseen), view.other_hand_size) > listed:
        return draw_until(view, problem, ms)
    return sum_worlds(view, problem, worlds, listed)


@piece
def average_card(view, aim, worlds, listed, ms):
    """The card with the best mean over hands of the other, each deal played out openly; ties to the lowest id.

    All hands by class while there are at most `listed`, otherwise `worlds` drawn ones, or with `ms` as many as can be drawn
    in so many milliseconds.
    """
    problem = open_problem(view, aim)
    sum_some_worlds(view, problem, worlds, listed, ms)
    special = special_cards(problem)
    chosen = lowest(view.hand)
    best = -INFINITE
    rest = view.hand
    place = SUMS
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(view.hand, card, special) and noted(problem, place) > best:
            best, chosen = noted(problem, place), card
        place += 1
    return chosen
