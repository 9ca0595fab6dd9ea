"""Exact play of the rest of a round whose pack is known: alpha-beta within each deal, a table at the boundaries of deals.

Points add up, so what has been scored is no part of a state: only the floor, the difference in cards and who captured last cross
from one deal to the next. The worth of such a state is kept, with a bound on either side, for the rest of the round. Worths
are points to come, mine less the other's, of the side to move, times ONE. Every decision needs exact comparisons only, so that
what the table happens to hold changes the time and never the card.
"""

from __future__ import annotations

from typing import Any

from basra_sim.engine.jit.compiling import JIT_ON, overload, piece
from basra_sim.engine.jit.instructions import lowest, popcount, signed64, stay_apart, unsigned, word
from basra_sim.engine.streams import mix64
from basra_sim.engine.view_helpers import Floor, floor_now
from basra_sim.engine.work_memory import annex_of, got, put

from . import value_tables as values
from .endgame import INFINITE, distinct, special_cards
from .problem import (
    CARDS,
    FOR_POINTS,
    HALF,
    ONE,
    POINTS,
    bonus_cards,
    bonus_of,
    last_of,
    leading,
    open_problem,
    stake,
    step,
    table_at,
    tally_of,
)
from .secrets import my_hand_of, other_hand_now, other_hand_of

# The annex: what the table is of, the generation of its entries, the nodes above the one at work, the table.
_ROUND = 0  # the leader's six hands, the dealer's six, the stake, the horizon
_GENERATION = 14
_NODES, _TABLE = 16, 1024
_ENTRIES = 1 << 17
_KEY, _FLOOR, _LOWER, _UPPER, _ENTRY = range(5)
# A node: the position, the window, the best so far, the cards left to try (best gain first), the gain of the one at work, and
# for the start of a deal its keys and what the two forced plies before it brought.
(
    _PLY, _HAND, _OTHER, _CARDS_AT, _ROW, _LEAD, _LAST, _ALPHA, _BETA, _BEST, _NEXT, _COUNT, _GAIN, _FIRST_ALPHA, _KEY_OF,
    _FLOOR_OF, _BEFORE, _ORDER,
) = range(18)  # fmt: skip
_WORDS = _ORDER + 4
NOBODY, MOVER, OTHER = range(3)  # who captured last, seen from the side to move


@piece
def _flip(last):
    """The same from the other side."""
    return (3 - last) % 3


def _row_number(problem: Any, floor: Floor) -> int:
    """The floor's number in the automaton; 0 in plain Python, where its cards alone are the key."""
    return 0


def _key_cards(problem: Any, floor: Floor) -> int:
    """The cards that the row does not tell: all where suits may matter, none where they do not."""
    return floor.cards


def _scatter(key: int, cards: int) -> int:
    """Where in the table a state is looked for first."""
    return (key ^ cards * 0x9E3779B1) % _ENTRIES


if JIT_ON:
    @overload(_scatter)
    def _typed_scatter(key, cards):
        return lambda key, cards: signed64(mix64(unsigned(key) ^ mix64(unsigned(cards)))) & (_ENTRIES - 1)

    @overload(_row_number)
    def _typed_row_number(problem, floor):
        return lambda problem, floor: (floor.row - word(problem, 0)) >> 6

    @overload(_key_cards)
    def _typed_key_cards(problem, floor):
        return lambda problem, floor: floor.cards if bonus_cards(problem) != 0 else 0


@piece
def _points(gain):
    """The points of a step, as worth."""
    return ((gain & HALF) >> POINTS) * ONE


@piece
def _settled(problem, ply, floor, lead, last):
    """What the boundary at which the search ends brings the leader: exact after the last deal, the table's value before it."""
    if ply == 48:
        left = popcount(floor.cards)
        points = 0
        if last != NOBODY:
            rest = floor.cards & bonus_cards(problem)
            points = bonus_of(problem, rest) if rest != 0 else 0
            if last == OTHER:
                points = -points
                left = -left
            lead += left
        if lead != 0:
            points += stake(problem) if lead > 0 else -stake(problem)
        return points * ONE
    at = ply >> 3
    place = at * values.CARD_CELLS + values.CARD_ZERO + max(-values.CARD_ZERO, min(values.CARD_ZERO, lead))
    majority = (table_at(problem, values.MORE + place) - table_at(problem, values.FEWER + place)) * stake(problem)
    size = min(popcount(floor.cards), values.FLOOR_SIZES - 1)
    return int((majority + table_at(problem, values.FLOOR + at * values.FLOOR_SIZES + size)) * ONE)


@piece
def _slot(annex, key, cards):
    """The table's place for a state: its own, or one to be overwritten."""
    generation = got(annex, _GENERATION)
    named = key | generation << 32
    first = _scatter(key, cards)
    found = _TABLE + _ENTRY * first
    stale = 0
    for number in range(4):
        at = _TABLE + _ENTRY * ((first + number) & (_ENTRIES - 1))
        held = got(annex, at + _KEY)
        if held == named and got(annex, at + _FLOOR) == cards:
            return at
        if stale == 0 and held >> 32 != generation:
            stale = at
    if stale != 0:
        found = stale
    put(annex, found + _KEY, named)
    put(annex, found + _FLOOR, cards)
    put(annex, found + _LOWER, -INFINITE)
    put(annex, found + _UPPER, INFINITE)
    return found


@piece
def _order(problem, annex, node, hand, floor, special):
    """Note the hand's cards by what they bring, the most first; of alike cards one."""
    count = 0
    rest = hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(hand, card, special):
            gain = step(problem, floor, card).gain
            key = (((gain & HALF) >> POINTS) * 64 + (gain & CARDS)) * 64 + 63 - card
            place = node + _ORDER + count
            while place > node + _ORDER and got(annex, place - 1) < key:
                put(annex, place, got(annex, place - 1))
                place -= 1
            put(annex, place, key)
            count += 1
    put(annex, node + _NEXT, 0)
    put(annex, node + _COUNT, count)


@piece
def _forced(problem, annex, ply, hand, other, floor, lead, last):
    """The last two plies of a deal and the hands of the next: (hand, other, floor, lead, last, what the plies brought)."""
    one = step(problem, floor, lowest(hand))
    two = step(problem, one.floor, lowest(other))
    lead += (one.gain & CARDS) - (two.gain & CARDS)
    last = OTHER if two.gain != 0 else (MOVER if one.gain != 0 else last)
    deal = (ply + 2) >> 3
    hand = got(annex, _ROUND + deal)
    other = got(annex, _ROUND + 6 + deal)
    return hand, other, two.floor, lead, last, _points(one.gain) - _points(two.gain)


@piece
def _enter(problem, annex, node, ply, hand, other, floor, lead, last, alpha, beta, key, cards, before):
    """Write a node down."""
    put(annex, node + _PLY, ply)
    put(annex, node + _HAND, hand)
    put(annex, node + _OTHER, other)
    put(annex, node + _CARDS_AT, floor.cards)
    put(annex, node + _ROW, floor.row)
    put(annex, node + _LEAD, lead)
    put(annex, node + _LAST, last)
    put(annex, node + _ALPHA, alpha)
    put(annex, node + _BETA, beta)
    put(annex, node + _BEST, -INFINITE)
    put(annex, node + _FIRST_ALPHA, alpha)
    put(annex, node + _KEY_OF, key)
    put(annex, node + _FLOOR_OF, cards)
    put(annex, node + _BEFORE, before)
    _order(problem, annex, node, hand, floor, special_cards(problem))


@piece
def _go_down(problem, annex, node, ply, end, hand, other, floor, lead, last, alpha, beta):
    """(0, the worth) of a position that is settled or in the table, else (1, 0) and a node that has cards to try."""
    before = 0
    if ply & 7 == 6:
        hand, other, floor, lead, last, before = _forced(problem, annex, ply, hand, other, floor, lead, last)
        ply += 2
        alpha -= before
        beta -= before
    key = 0
    cards = 0
    if ply == end:
        return 0, _settled(problem, ply, floor, lead, last) + before
    if ply & 7 == 0:
        key = 1 | (ply >> 3) << 1 | last << 4 | (lead + 52) << 6 | _row_number(problem, floor) << 13
        cards = _key_cards(problem, floor)
        slot = _slot(annex, key, cards)
        low = got(annex, slot + _LOWER)
        high = got(annex, slot + _UPPER)
        if low >= beta or low == high:
            return 0, low + before
        if high <= alpha:
            return 0, high + before
        alpha = max(alpha, low)
        beta = min(beta, high)
    _enter(problem, annex, node, ply, hand, other, floor, lead, last, alpha, beta, key, cards, before)
    return 1, 0


@piece
def _leave(annex, node):
    """The worth of a node that is done with, kept in the table if it began a deal; with what came before it."""
    value = got(annex, node + _BEST)
    key = got(annex, node + _KEY_OF)
    if key != 0:
        slot = _slot(annex, key, got(annex, node + _FLOOR_OF))
        if value < got(annex, node + _BETA):
            put(annex, slot + _UPPER, min(got(annex, slot + _UPPER), value))
        if value > got(annex, node + _FIRST_ALPHA):
            put(annex, slot + _LOWER, max(got(annex, slot + _LOWER), value))
        value += got(annex, node + _BEFORE)
    return value


@piece
def _go_up(annex, top, value):
    """Take a worth up, and on, until a node has another card to try: (the place after that node, or _NODES; the worth)."""
    while top != _NODES:
        node = top - _WORDS
        best = max(got(annex, node + _BEST), got(annex, node + _GAIN) - value)
        alpha = max(got(annex, node + _ALPHA), best)
        put(annex, node + _BEST, best)
        put(annex, node + _ALPHA, alpha)
        if alpha < got(annex, node + _BETA) and got(annex, node + _NEXT) != got(annex, node + _COUNT):
            break
        value = _leave(annex, node)
        top = node
    return top, value


@piece
def _search(problem, annex, ply, end, hand, other, floor, lead, last, alpha, beta):
    """The worth of the plies from `ply` (0..46 of the round) to `end`, both hands and all to come known. alpha, beta: a window.

    `hand` is that of the side to move, `lead` its cards less the other's, `last` who captured last. Outside the window the
    worth is a bound. A loop over nodes in the annex, as in endgame.solve.
    """
    stay_apart()
    top = _NODES
    while True:
        entered, value = _go_down(problem, annex, top, ply, end, hand, other, floor, lead, last, alpha, beta)
        if entered:
            top += _WORDS
        else:
            top, value = _go_up(annex, top, value)
            if top == _NODES:
                return value
        node = top - _WORDS
        tried = got(annex, node + _NEXT)
        card = 63 - (got(annex, node + _ORDER + tried) & 63)
        put(annex, node + _NEXT, tried + 1)
        done = step(problem, Floor(got(annex, node + _CARDS_AT), got(annex, node + _ROW)), card)
        floor = done.floor
        gain = _points(done.gain)
        put(annex, node + _GAIN, gain)
        ply = got(annex, node + _PLY) + 1
        hand = got(annex, node + _OTHER)
        other = got(annex, node + _HAND) ^ (1 << card)
        lead = -got(annex, node + _LEAD) - (done.gain & CARDS)
        last = OTHER if done.gain != 0 else _flip(got(annex, node + _LAST))
        alpha, beta = gain - got(annex, node + _BETA), gain - got(annex, node + _ALPHA)


@piece
def _prepare(view, problem, annex, deals):
    """Write the hands of the round down; where the table is of another round, begin a new generation of entries."""
    same = True
    for place in range(14):
        if place < 12:
            mine = (place < 6) == (leading(problem) != 0)
            word = my_hand_of(view, place % 6) if mine else other_hand_of(view, place % 6)
        elif place == 12:
            word = stake(problem)
        else:
            word = min(6, view.deal + deals) if deals < 6 else 6
        if got(annex, _ROUND + place) != word:
            same = False
            put(annex, _ROUND + place, word)
    if not same:
        put(annex, _GENERATION, got(annex, _GENERATION) + 1)
    return 8 * got(annex, _ROUND + 13)


@piece
def known_card(view, deals):
    """(card, worth): the best card where the pack is known, ties to the lowest id, and what it brings from now on.

    The search goes to the end of the deal that is `deals` - 1 after this one, at most of the round.
    """
    problem = open_problem(view, FOR_POINTS)
    annex = annex_of(view)
    end = _prepare(view, problem, annex, deals)
    special = special_cards(problem)
    other = other_hand_now(view)
    tally = tally_of(view)
    lead = (tally & CARDS) - ((tally >> 32) & CARDS)
    last = last_of(view) // 32  # MINE, OTHERS, NOBODY as 0, 1, 2
    best = -INFINITE
    chosen = lowest(view.hand)
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(view.hand, card, special):
            done = step(problem, floor_now(view), card)
            gain = _points(done.gain)
            took = OTHER if done.gain != 0 else (NOBODY if last == 2 else (OTHER if last == 0 else MOVER))
            worth = gain - _search(
                problem, annex, view.ply + 1, end, other, view.hand ^ (1 << card), done.floor,
                -lead - (done.gain & CARDS), took, -INFINITE, gain - best,
            )  # fmt: skip
            if worth > best:
                best, chosen = worth, card
    return chosen, best
