"""The one-ply player with weights: what a card brings, the exact expected answer, and a few linear features.

Features are in points and are turned into worth by the slope of the worth at this moment, so that they mean the same whether
the aim is points or the chance to win, and fade where points no longer matter.
"""

from __future__ import annotations

from typing import NamedTuple

from basra_sim.engine.jit.compiling import piece
from basra_sim.engine.jit.instructions import lowest, popcount
from basra_sim.engine.view_helpers import floor_now
from basra_sim.game.cards import KOMI

from .endgame import distinct, special_cards
from .problem import POINTS, open_problem, step, tally_of, worth_now
from .reply import Weights, expected_reply

JACK_RANK = 10  # card >> 2
PROBE = 10  # points to each side, to see what a point is worth now


class Features(NamedTuple):
    """Weights of the linear features, in points; `again` is a share."""

    jack: float  # playing a jack gives up so much
    jack_late: float  # and so much less for each card fewer that stays in hand
    komi: float
    his_jack: float  # his playing a jack is worth so much to me
    his_komi: float
    again: float  # share of my best capture after his answer that I count on
    left: float  # a card that I leave on the floor
    empty: float  # leaving no card at all
    dead: float  # a card unseen of the rank that I lay
    twin: float  # laying a card whose twin I keep


PLAIN = Features(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@piece
def slope_of(problem, tally):
    """What a point is worth now, in units of worth."""
    up = worth_now(problem, tally + (PROBE << POINTS))
    down = worth_now(problem, tally + (PROBE << (POINTS + 32)))
    return (up - down) / (2 * PROBE)


@piece
def _feature_points(view, card, gain, floor, keep, features):
    """The linear features of playing a card that leaves a floor, in points."""
    points = 0.0
    stay = popcount(keep)
    if card >> 2 == JACK_RANK:
        points -= features.jack - features.jack_late * (3 - stay)
    elif card == KOMI:
        points -= features.komi
    if floor.cards == 0:
        points += features.empty
    points += features.left * popcount(floor.cards)
    if gain == 0:
        rank = 0xF << (card & ~3)
        points += features.dead * popcount(view.unseen & rank)
        if keep & rank:
            points += features.twin
    return points


@piece
def card_worth(view, problem, card, slope, features):
    """The worth of playing a card now, as this player sees it."""
    weights = Weights(int(features.his_jack * slope), int(features.his_komi * slope), int(features.again * 1024))
    done = step(problem, floor_now(view), card)
    keep = view.hand ^ (1 << card)
    tally = tally_of(view) + done.gain
    held = view.other_hand_size
    value = expected_reply(problem, done.floor, keep, view.unseen, held, tally, special_cards(problem), weights)
    return value + slope * _feature_points(view, card, done.gain, done.floor, keep, features)


@piece
def one_ply_card(view, aim, features):
    """The best card by `card_worth`, ties to the lowest id."""
    chosen = lowest(view.hand)
    if view.hand & (view.hand - 1) == 0:
        return chosen
    problem = open_problem(view, aim)
    slope = slope_of(problem, tally_of(view))
    special = special_cards(problem)
    best = -1e30
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(view.hand, card, special):
            value = card_worth(view, problem, card, slope, features)
            if value > best:
                best, chosen = value, card
    return chosen
