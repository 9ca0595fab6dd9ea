"""One tree of plays over hidden hands: information-set Monte Carlo tree search of the rest of a deal, for one observer.

A node is the cards played since the decision, cards that no rule tells apart being one. Each iteration imagines a hand of the
other, walks down the tree along cards that are held in it (UCB1, with the number of times that a card could have been played
in the place of the number of visits above), adds one node, plays the deal out, and counts its worth on the way back.
"""

from __future__ import annotations

from math import sqrt

from basra_sim.engine.jit.compiling import piece
from basra_sim.engine.jit.instructions import lowest, nth_card, popcount, stay_apart
from basra_sim.engine.view_helpers import floor_now, random_below, random_unit
from basra_sim.engine.work_memory import annex_of, got, put

from . import value_tables as values
from .endgame import INFINITE, distinct, solve, special_cards
from .problem import (
    CARDS,
    HALF,
    MINE,
    ONE,
    OTHERS,
    POINTS,
    boundary,
    clock,
    last_of,
    leading,
    note,
    noted,
    open_problem,
    stake,
    step,
    table_at,
    tally_of,
    worth_settled,
)
from .worlds import MILLISECOND, random_hand

# A node's place in the annex: 6 words. Node 0 is the root, and as child or sibling it means none.
_CARD, _VISITS, _AVAILABLE, _WORTH, _CHILD, _SIBLING, _WORDS = range(7)
POOL = 131_072  # nodes; where they are used up, the tree grows no more
_PATH, _CHILDREN = 300, 310  # places on the slate: nodes from the root to here; the nodes of the mover's cards, if any


@piece
def log2_about(n):
    """The logarithm of a whole number n >= 1 to within 0.01, by operations that are the same on any machine."""
    whole = 0
    while n >> (whole + 1) != 0:
        whole += 1
    part = n / (1 << whole)  # 1 <= part < 2
    return whole + (part - 1.0) * (1.688 - 0.344 * part)


@piece
def _name(card, special):
    """What a node calls a card: its id, or a number for the rank where suits do not matter."""
    return card if (special >> card) & 1 else 64 + (card >> 2)


@piece
def _child(annex, node, name):
    """The child of a node for a card, or 0."""
    child = got(annex, _WORDS * node + _CHILD)
    while child != 0 and got(annex, _WORDS * child + _CARD) != name:
        child = got(annex, _WORDS * child + _SIBLING)
    return child


@piece
def _new_node(annex, node, number, name):
    """Write node `number` as the first child of a node (the root: of itself, without a name)."""
    at = _WORDS * number
    put(annex, at + _CARD, name)
    put(annex, at + _VISITS, 0)
    put(annex, at + _AVAILABLE, 1)
    put(annex, at + _WORTH, 0)
    put(annex, at + _CHILD, 0)
    put(annex, at + _SIBLING, 0)
    if number != 0:
        put(annex, at + _SIBLING, got(annex, _WORDS * node + _CHILD))
        put(annex, _WORDS * node + _CHILD, number)


@piece
def _look(problem, annex, node, hand, special):
    """Find the nodes of the mover's cards, note them, count them as available; returns the set of cards without one."""
    untried = 0
    rest = hand
    place = _CHILDREN
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        child = 0
        if distinct(hand, card, special):
            child = _child(annex, node, _name(card, special))
            if child == 0:
                untried |= 1 << card
            else:
                put(annex, _WORDS * child + _AVAILABLE, got(annex, _WORDS * child + _AVAILABLE) + 1)
        note(problem, place, child)
        place += 1
    return untried


@piece
def _most_promising(problem, annex, hand, shift, explore):
    """(card, node) by UCB1 among the mover's cards, all of which have nodes; ties to the lowest id."""
    chosen = 0
    found = 0
    best = -1e30
    rest = hand
    place = _CHILDREN
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        child = noted(problem, place)
        place += 1
        if child != 0:
            visits = got(annex, _WORDS * child + _VISITS)
            mean = got(annex, _WORDS * child + _WORTH) / visits
            if shift != MINE:
                mean = -mean
            score = mean + explore * sqrt(log2_about(got(annex, _WORDS * child + _AVAILABLE)) / visits)
            if score > best:
                best, chosen, found = score, card, child
    return chosen, found


@piece
def card_price(problem, tally):
    """What a card more is worth now in points of the majority, times 1024."""
    lead = (tally & CARDS) - ((tally >> 32) & CARDS)
    lead = max(-values.CARD_ZERO + 3, min(values.CARD_ZERO - 3, lead if leading(problem) else -lead))
    place = boundary(problem) * values.CARD_CELLS + values.CARD_ZERO + lead
    up = table_at(problem, values.MORE + place + 3) - table_at(problem, values.FEWER + place + 3)
    down = table_at(problem, values.MORE + place - 3) - table_at(problem, values.FEWER + place - 3)
    return int((up - down) / 6 * stake(problem) * 1024)


@piece
def _greedy(problem, hand, floor, price):
    """The card that takes the most points, cards priced; ties to the lowest id."""
    chosen = lowest(hand)
    best = -1
    rest = hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        gain = step(problem, floor, card).gain
        points = ((gain & HALF) >> POINTS) * 1024 + (gain & CARDS) * price
        if points > best:
            best, chosen = points, card
    return chosen


@piece
def _play_out(view, problem, plies, hand, other, floor, tally, last, shift, price, epsilon, exact):
    """The worth to me of a deal played on: greedy, a share `epsilon` at random, and open play of the last `exact` plies."""
    stay_apart()
    while plies > exact:
        if epsilon > 0.0 and hand & (hand - 1) != 0 and random_unit(view.rng) < epsilon:
            card = nth_card(hand, random_below(view.rng, popcount(hand)))
        else:
            card = _greedy(problem, hand, floor, price)
        done = step(problem, floor, card)
        floor = done.floor
        tally += done.gain << shift
        last = shift if done.gain != 0 else last
        hand, other = other, hand ^ (1 << card)
        shift = OTHERS - shift
        plies -= 1
    if plies > 0:
        value = solve(problem, plies, hand, other, floor, tally, last, shift, -INFINITE, INFINITE)
        return value if shift == MINE else -value
    return worth_settled(problem, tally, last, floor)


@piece
def _count(problem, annex, depth, worth):
    """Count a walk at every node of its path, the root included."""
    for place in range(depth + 1):
        at = _WORDS * noted(problem, _PATH + place)
        put(annex, at + _VISITS, got(annex, at + _VISITS) + 1)
        put(annex, at + _WORTH, got(annex, at + _WORTH) + worth)


@piece
def _iterate(view, problem, annex, nodes, special, price, explore, epsilon, exact):
    """One walk down and back; returns the number of nodes."""
    stay_apart()
    hand = view.hand
    other = random_hand(view, view.other_hand_size)
    floor = floor_now(view)
    tally = tally_of(view)
    last = last_of(view)
    shift = MINE
    plies = 8 - (view.ply & 7)
    node = 0
    depth = 0
    note(problem, _PATH, 0)
    inside = True
    while inside and plies > 0:
        untried = _look(problem, annex, node, hand, special)
        if untried == 0:
            card, node = _most_promising(problem, annex, hand, shift, explore)
        else:
            inside = False
            if nodes == POOL:
                break
            card = nth_card(untried, random_below(view.rng, popcount(untried)))
            _new_node(annex, node, nodes, _name(card, special))
            node = nodes
            nodes += 1
        depth += 1
        note(problem, _PATH + depth, node)
        done = step(problem, floor, card)
        floor = done.floor
        tally += done.gain << shift
        last = shift if done.gain != 0 else last
        hand, other = other, hand ^ (1 << card)
        shift = OTHERS - shift
        plies -= 1
    worth = _play_out(view, problem, plies, hand, other, floor, tally, last, shift, price, epsilon, exact)
    _count(problem, annex, depth, worth)
    return nodes


@piece
def tree_card(view, aim, iterations, ms, explore, epsilon, exact):
    """The most visited card, ties to the lowest id, after `iterations`, or after `ms` milliseconds if that is not 0.

    `explore` is UCB1's constant in units of the aim: points, or percent of chances to win.
    """
    if view.hand & (view.hand - 1) == 0:
        return lowest(view.hand)
    problem = open_problem(view, aim)
    annex = annex_of(view)
    special = special_cards(problem)
    price = card_price(problem, tally_of(view))
    _new_node(annex, 0, 0, 0)
    nodes = 1
    done = 0
    until = clock(problem) + ms * MILLISECOND if ms > 0 else 0
    while (clock(problem) < until) if ms > 0 else (done < iterations):
        for _ in range(16 if ms > 0 else 1):
            nodes = _iterate(view, problem, annex, nodes, special, price, explore * ONE, epsilon, exact)
        done += 1
    chosen = lowest(view.hand)
    most = -1
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(view.hand, card, special):
            child = _child(annex, 0, _name(card, special))
            visits = got(annex, _WORDS * child + _VISITS) if child != 0 else 0
            if visits > most:
                most, chosen = visits, card
    return chosen
