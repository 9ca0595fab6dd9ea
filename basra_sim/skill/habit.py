"""Reading the other's habit from what he has played in this round, and the best answer to it.

Two habits are looked for: he plays what brings most now (points, then cards), and among equals the lowest card, or any of
them. What he held is known of each deal that is over, so each of his choices there speaks for a habit or against it (Bayes);
in the deal that is played it speaks about his hand as well. With the default numbers of `best` one choice that brings less
than another would makes the habits some twenty times less likely (0.45 / 0.02).
"""

from __future__ import annotations

from typing import NamedTuple

from basra_sim.engine.jit.compiling import piece
from basra_sim.engine.jit.instructions import lowest, popcount, stay_apart
from basra_sim.engine.view_helpers import Floor, first_floor, play_on, played, random_unit
from basra_sim.engine.work_memory import got, put

from .endgame import INFINITE
from .greed import LOWEST, most_now, number_of_orders, play_out
from .problem import note, noted
from .worlds import random_hand

NONE, TAKES_MOST_LOWEST, TAKES_MOST = range(3)  # kinds of player
ANSWERS = 356  # places on the slate for the sums over worlds, one for each place of my hand
_READ = 344  # and for his plays in this deal: floor (cards, row) and card
_KIND = 56  # the bit of a world at which the kind of player is written, above his hand
# In the annex: worlds, marks of those that were counted, then of each world and order his answers and the worth.
MOST_WORLDS = 1000
_MARKS, _LINES = MOST_WORLDS, 2 * MOST_WORLDS


class Habits(NamedTuple):
    """What is held to be likely before the round, and how sharp the habits are."""

    lowest: float  # chance that he is a player who takes most, lowest card among equals
    any: float  # the same, any card among equals
    slip: float  # share of plays in which such a player does otherwise
    share: float  # share of plays in which any other player happens to play what brings most
    least: float  # below this chance of both habits together they are forgotten


@piece
def chance_of(card, hand, best, kind, habits):
    """The chance that a player of a kind plays a card of a hand of which the set `best` brings most."""
    ties = popcount(best)
    others = popcount(hand) - ties
    if kind == TAKES_MOST_LOWEST:
        return 1.0 - habits.slip if lowest(best) == card else habits.slip / (others + ties - 1)
    if others == 0:
        return 1.0 / ties
    sure = habits.share if kind == NONE else 1.0 - habits.slip
    return sure / ties if (best >> card) & 1 else (1.0 - sure) / others


@piece
def read_round(view, problem, habits):
    """(chance of either habit by the deals that are over, number of his plays in this deal, which are left on the slate)."""
    stay_apart()
    low, some, none = habits.lowest, habits.any, 1.0 - habits.lowest - habits.any
    floor = first_floor(view)
    size = 0
    for ply in range(view.ply):
        card = played(view, ply)
        if (ply & 1) == view.leading:  # his: the leader plays the even plies
            if ply >> 3 == view.deal:
                note(problem, _READ + 3 * size, floor.cards)
                note(problem, _READ + 3 * size + 1, floor.row)
                note(problem, _READ + 3 * size + 2, card)
                size += 1
            elif (ply & 7) < 6:  # otherwise his last card of the deal
                hand = 0
                for later in range(ply, (ply | 7) + 1, 2):
                    hand |= 1 << played(view, later)
                best = most_now(view, floor, hand)
                low *= chance_of(card, hand, best, TAKES_MOST_LOWEST, habits)
                some *= chance_of(card, hand, best, TAKES_MOST, habits)
                none *= chance_of(card, hand, best, NONE, habits)
        floor = play_on(view, floor, card).floor
    total = low + some + none
    return low / total, some / total, size


@piece
def chance_of_deal(view, problem, hand, size, kind, habits):
    """The chance of his plays in this deal, if he is of a kind and this hand is what he has left."""
    total = 1.0
    for back in range(size):
        place = _READ + 3 * (size - 1 - back)
        card = noted(problem, place + 2)
        hand |= 1 << card
        best = most_now(view, Floor(noted(problem, place), noted(problem, place + 1)), hand)
        total *= chance_of(card, hand, best, kind, habits)
    return total


@piece
def draw_worlds(view, problem, annex, habits, worlds, tries):
    """Draw (kind of player, his hand) by what he has played: `tries` draws, or until `worlds` of them have a habit.

    Returns (how many have one, how many have none); the first are left in the annex.
    """
    stay_apart()
    if worlds == 0 or (view.ply > 0 and played(view, 0) < 0):
        return 0, 1  # a position without its history
    low, some, size = read_round(view, problem, habits)
    if low + some < habits.least:
        return 0, 1
    found = 0
    none = 0
    for _ in range(tries):
        drawn = random_unit(view.rng)
        kind = TAKES_MOST_LOWEST if drawn < low else (TAKES_MOST if drawn < low + some else NONE)
        hand = random_hand(view, view.other_hand_size)
        if size == 0 or random_unit(view.rng) < chance_of_deal(view, problem, hand, size, kind, habits):
            if kind == NONE:
                none += 1
            else:
                put(annex, found, hand | kind << _KIND)
                found += 1
                if found == worlds:
                    break
    return found, none


@piece
def _answers(annex, orders, world, order):
    return got(annex, _LINES + 2 * (orders * world + order))


@piece
def _sum_group(annex, worlds, first, order, orders, mask, mark):
    """The sum of the worths, in one order of my cards, of the worlds from `first` on whose masked answers are those of `first`.

    They get the mark.
    """
    stay_apart()
    seen = _answers(annex, orders, first, order) & mask
    total = 0
    for world in range(first, worlds):
        if _answers(annex, orders, world, order) & mask == seen:
            total += got(annex, _LINES + 2 * (orders * world + order) + 1)
            put(annex, _MARKS + world, mark)
    return total


@piece
def _best_third(annex, worlds, first, order, cards, orders, mark):
    """My best third card where his first two answers are those of world `first`: a sum over such worlds."""
    stay_apart()
    best = -INFINITE
    for third in range(cards - 2):
        full = order + cards * (cards - 1) * third
        best = max(best, _sum_group(annex, worlds, first, full, orders, 4095, mark))
    return best


@piece
def _best_second(annex, worlds, first, place, cards, orders):
    """My best second card where his first answer is that of world `first`: a sum over such worlds, all marked."""
    stay_apart()
    best = -INFINITE
    for second in range(cards - 1):
        order = place + cards * second
        if cards == 2:
            total = _sum_group(annex, worlds, first, order, orders, 63, 1)
        else:
            total = 0
            seen = _answers(annex, orders, first, order) & 63
            for world in range(first, worlds):
                # a world that is in another group by his second answer was counted with it: its mark says so
                if _answers(annex, orders, world, order) & 63 == seen and got(annex, _MARKS + world) != 2 + second:
                    total += _best_third(annex, worlds, world, order, cards, orders, 2 + second)
        best = max(best, total)
    return best


@piece
def answer_habits(view, problem, annex, worlds):
    """Leave on the slate from ANSWERS, for each card of mine, the sum over drawn worlds of the worth of playing it.

    He plays by his habit; my later cards are chosen by what I will have seen of him then, not by his hand.
    """
    stay_apart()
    cards = popcount(view.hand)
    orders = number_of_orders(cards)
    for world in range(worlds):
        drawn = got(annex, world)
        pick = LOWEST if drawn >> _KIND == TAKES_MOST_LOWEST else 37 * world
        hand = drawn & ((1 << _KIND) - 1)
        for order in range(orders):
            answers, worth = play_out(view, problem, order, hand, pick)
            put(annex, _LINES + 2 * (orders * world + order), answers)
            put(annex, _LINES + 2 * (orders * world + order) + 1, worth)
    for place in range(cards):
        for world in range(worlds):
            put(annex, _MARKS + world, 0)
        total = 0
        for world in range(worlds):
            if got(annex, _MARKS + world) == 0:
                total += _best_second(annex, worlds, world, place, cards, orders)
        note(problem, ANSWERS + place, total)
