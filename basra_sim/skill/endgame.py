"""Exact play of a deal whose hands are both known: alpha-beta over the floor automaton.

In the last deal the unseen cards are the other hand, so solving it is fair play; it is also what a search does in each
world it imagines. Cards of one rank that no rule tells apart are tried once. The last two plies are forced.
"""

from __future__ import annotations

from basra_sim.engine.jit.compiling import piece
from basra_sim.engine.jit.instructions import lowest, nth_card, popcount, stay_apart
from basra_sim.engine.view_helpers import Floor, floor_now
from basra_sim.game.cards import KOMI

from .greed import LOWEST, number_of_orders, play_out
from .problem import MINE, OTHERS, bonus_cards, last_of, note, noted, open_problem, step, takes, tally_of, worth_settled

INFINITE = 1 << 60
LAST_DEAL = 5


@piece
def distinct(hand, card, special):
    """Is this the lowest of the hand's cards that are alike with it? `special` cards are alike with none."""
    bit = 1 << card
    if bit & special:
        return True
    return (hand & ~special & (0xF << (card & ~3)) & (bit - 1)) == 0


@piece
def special_cards(problem):
    """Cards that differ from others of their rank: the komi and cards with card points."""
    return bonus_cards(problem) | (1 << KOMI)


@piece
def _forced(problem, plies, hand, other, floor, tally, last, shift):
    """The worth, to the side to move, where at most one card a side is left to play."""
    if plies > 0:
        done = step(problem, floor, lowest(hand))
        floor = done.floor
        tally += done.gain << shift
        last = shift if done.gain != 0 else last
    if plies > 1:
        reply = step(problem, floor, lowest(other))
        floor = reply.floor
        tally += reply.gain << (OTHERS - shift)
        last = OTHERS - shift if reply.gain != 0 else last
    value = worth_settled(problem, tally, last, floor)
    return value if shift == MINE else -value


# A node's place on the slate: 12 words.
_HAND, _OTHER, _CARDS, _ROW, _TALLY, _LAST, _CAPTURES, _LAYS, _ALPHA, _BETA, _BEST, _WORDS = range(12)


@piece
def _enter(problem, node, hand, other, floor, tally, last, alpha, beta):
    """Write a node down: the position, the window, the cards that take something and those that do not."""
    special = special_cards(problem)
    captures = 0
    lays = 0
    rest = hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(hand, card, special):
            if takes(problem, floor, card):
                captures |= 1 << card
            else:
                lays |= 1 << card
    note(problem, node + _HAND, hand)
    note(problem, node + _OTHER, other)
    note(problem, node + _CARDS, floor.cards)
    note(problem, node + _ROW, floor.row)
    note(problem, node + _TALLY, tally)
    note(problem, node + _LAST, last)
    note(problem, node + _CAPTURES, captures)
    note(problem, node + _LAYS, lays)
    note(problem, node + _ALPHA, alpha)
    note(problem, node + _BETA, beta)
    note(problem, node + _BEST, -INFINITE)


@piece
def _go_up(problem, depth, value):
    """Take the worth of a child up, and on, until a node has another card to try: (its depth and 1, or 0; the worth there)."""
    while depth != 0:
        node = (depth - 1) * _WORDS
        best = max(noted(problem, node + _BEST), -value)
        alpha = max(noted(problem, node + _ALPHA), best)
        if alpha < noted(problem, node + _BETA) and noted(problem, node + _CAPTURES) | noted(problem, node + _LAYS) != 0:
            note(problem, node + _BEST, best)
            note(problem, node + _ALPHA, alpha)
            break
        value = best
        depth -= 1
    return depth, value


@piece
def _next_card(problem, node):
    """The next card that a node tries, what takes first; it is crossed out."""
    captures = noted(problem, node + _CAPTURES)
    if captures != 0:
        note(problem, node + _CAPTURES, captures & (captures - 1))
        return lowest(captures)
    lays = noted(problem, node + _LAYS)
    note(problem, node + _LAYS, lays & (lays - 1))
    return lowest(lays)


@piece
def solve(problem, plies, hand, other, floor, tally, last, shift, alpha, beta):
    """The worth, to the side to move, of the `plies` (0..8) plies to come with both hands known. alpha, beta: its window.

    `hand` and `other` are the hands of the side to move and of the one that follows; `shift` says whether the first is
    mine. Outside the window the worth is a bound. A loop over nodes on the slate: recursion costs more than twice as much
    when compiled, and one function a level takes minutes to compile.
    """
    stay_apart()
    depth = 0
    while True:
        if plies - depth > 2:
            _enter(problem, depth * _WORDS, hand, other, floor, tally, last, alpha, beta)
            depth += 1
        else:
            mover = OTHERS - shift if depth & 1 else shift
            value = _forced(problem, plies - depth, hand, other, floor, tally, last, mover)
            depth, value = _go_up(problem, depth, value)
            if depth == 0:
                return value
        node = (depth - 1) * _WORDS
        mover = shift if depth & 1 else OTHERS - shift
        card = _next_card(problem, node)
        done = step(problem, Floor(noted(problem, node + _CARDS), noted(problem, node + _ROW)), card)
        floor = done.floor
        tally = noted(problem, node + _TALLY) + (done.gain << mover)
        last = mover if done.gain != 0 else noted(problem, node + _LAST)
        hand = noted(problem, node + _OTHER)
        other = noted(problem, node + _HAND) ^ (1 << card)
        alpha = -noted(problem, node + _BETA)
        beta = -noted(problem, node + _ALPHA)


@piece
def value_of(problem, view, card, other_hand, best):
    """The value to me of playing `card` now when the other holds `other_hand`; only a bound where it is below `best`."""
    done = step(problem, floor_now(view), card)
    last = MINE if done.gain != 0 else last_of(view)
    tally = tally_of(view) + done.gain
    plies = 7 - (view.ply & 7)
    hand = view.hand ^ (1 << card)
    return -solve(problem, plies, other_hand, hand, done.floor, tally, last, OTHERS, -INFINITE, -best)


@piece
def best_card(view, other_hand, aim):
    """The best card against a known hand to the end of the deal, ties to the lowest id: (card, its value)."""
    problem = open_problem(view, aim)
    special = special_cards(problem)
    best = -INFINITE
    chosen = lowest(view.hand)
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(view.hand, card, special):
            value = value_of(problem, view, card, other_hand, best)
            if value > best:
                best, chosen = value, card
    return chosen, best


@piece
def _equal_cards(problem, view, other_hand):
    """The set of my cards that are best against a known hand, to the last point."""
    special = special_cards(problem)
    best = -INFINITE
    chosen = 0
    rest = view.hand
    while rest != 0:
        card = lowest(rest)
        rest &= rest - 1
        if distinct(view.hand, card, special):
            value = value_of(problem, view, card, other_hand, best - 1)  # a bound would not tell equal cards apart
            if value > best:
                best = value
                chosen = 1 << card
            elif value == best:
                chosen |= 1 << card
    return chosen


@piece
def _best_trap(problem, view, other_hand, cards):
    """Of some cards of mine the one that comes out best if the other plays what brings most at once; ties to the lowest id."""
    stay_apart()
    size = popcount(view.hand)
    best = -INFINITE
    chosen = lowest(cards)
    for order in range(number_of_orders(size)):
        card = nth_card(view.hand, order % size)
        if (cards >> card) & 1:
            worth = play_out(view, problem, order, other_hand, LOWEST)[1]
            if worth > best or (worth == best and card < chosen):
                best, chosen = worth, card
    return chosen


@piece
def known_hand_card(view, other_hand, aim, traps):
    """The best card against a known hand to the end of the deal.

    Often several cards are equally good against the best play. With `traps` = 1 the one is played that gains most if the
    other plays what brings most at once, which costs nothing against the best play; otherwise the lowest.
    """
    if view.hand & (view.hand - 1) == 0:
        return lowest(view.hand)
    if traps == 0:
        return best_card(view, other_hand, aim)[0]
    problem = open_problem(view, aim)
    cards = _equal_cards(problem, view, other_hand)
    if cards & (cards - 1) == 0:
        return lowest(cards)
    return _best_trap(problem, view, other_hand, cards)


@piece
def last_deal_card(view, aim, traps):
    """`known_hand_card` in the last deal, where the unseen cards are the other hand."""
    return known_hand_card(view, view.unseen, aim, traps)
