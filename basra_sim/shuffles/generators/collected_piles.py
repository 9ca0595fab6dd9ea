# mypy: ignore-errors
"""A round of Basra played fast and plainly, to know in which order its cards come back to the shuffler.

Default rules; each seat captures as many cards as it can (ties: the lowest card). Judged against the slow reference.
"""

from __future__ import annotations

import numpy as np

from basra_sim.engine.jit.compiling import kernel
from basra_sim.engine.jit.instructions import lowest, popcount

from .shuffle_loops import fisher_yates, riffle

U = np.uint64
ONE = np.uint64(1)
JACK, KOMI = 10, 25
MOST_SUMMED = 14  # floor cards tried in sums; more small cards than that never lie about uncaptured


@kernel
def best_sums(cards, count, total, komi, reach):
    """The chosen subset (bits of places in `cards`, sorted ids) that splits into groups of `total`, a loose komi joining or not.

    Most cards, then the sorted list of ids that comes first. reach[s]: what the group being filled holds, -1 if s fails.
    """
    size = count + 1 if komi else count
    for s in range(1 << size):
        reach[s] = -1
    reach[0] = 0
    best, best_cards = 0, 0
    for s in range(1 << size):
        held = reach[s]
        if held < 0:
            continue
        for place in range(size):
            if not (s >> place) & 1:
                value = 7 if place == count else (cards[place] >> 2) + 1
                if held + value <= total:
                    reach[s | (1 << place)] = (held + value) % total
        if held == 0:
            own = s & ((1 << count) - 1)
            cards_in = popcount(U(own))
            apart = best ^ own
            first = apart & -apart
            if cards_in > best_cards or (cards_in == best_cards and own & first):
                best, best_cards = own, cards_in
    return best


@kernel
def taken_by(card, floor, cards, reach):
    """The floor cards (bits) that a card captures."""
    rank = card >> 2
    if rank == JACK or card == KOMI:
        return floor
    same = floor & (U(15) << U(4 * rank))
    komi = (floor >> U(KOMI)) & ONE
    taken = same | (komi << U(KOMI))
    if rank > 9 or floor == taken:
        return taken
    rest = floor & ~taken & ((ONE << U(4 * rank)) - ONE)
    count = 0
    while rest and count < MOST_SUMMED:
        cards[count] = lowest(rest)
        rest &= rest - ONE
        count += 1
    chosen = best_sums(cards, count, rank + 1, komi and rank != KOMI >> 2, reach)
    for place in range(count):
        if (chosen >> place) & 1:
            taken |= ONE << U(cards[place])
    return taken


@kernel
def put(pile, size, taken, card):
    """Put captured cards (lowest first) and the card that took them on a pile; the new size."""
    while taken:
        pile[size] = lowest(taken)
        taken &= taken - ONE
        size += 1
    if card >= 0:
        pile[size] = card
        size += 1
    return size


@kernel
def turn_up_floor(stock):
    """Turn four cards up, from place 8 on; jacks and the komi go below the stock. Returns (floor, next place)."""
    head, end = 8, 52
    floor = U(0)
    while popcount(floor) < 4:
        card = stock[head]
        head += 1
        if card >> 2 == JACK or card == KOMI:
            stock[end] = card
            end += 1
        else:
            floor |= ONE << U(card)
    return floor, head


@kernel
def most_taking(hand, floor, cards, reach):
    """(card, what it takes): the card of a hand that takes most, ties to the lowest."""
    best, best_taken, most = -1, U(0), -1
    while hand:
        card = lowest(hand)
        hand &= hand - ONE
        taken = taken_by(card, floor, cards, reach)
        if popcount(taken) > most:
            best, best_taken, most = card, taken, popcount(taken)
    return best, best_taken


@kernel
def four_cards(stock, head):
    """The next four cards of the stock as a set."""
    hand = U(0)
    for place in range(head, head + 4):
        hand |= ONE << U(stock[place])
    return hand


@kernel
def play_and_collect(pack, out, cards, reach):
    """Play one pack; `out` gets the leader's pile and then the dealer's, each in the order of capture."""
    stock = np.empty(64, dtype=np.int64)
    piles = np.empty((2, 52), dtype=np.int64)
    sizes = np.zeros(2, dtype=np.int64)
    hands = np.zeros(2, dtype=np.uint64)
    for i in range(52):
        stock[i] = pack[i]
    hands[0], hands[1] = four_cards(stock, 0), four_cards(stock, 4)
    floor, head = turn_up_floor(stock)
    last = -1
    for ply in range(48):
        if ply and ply % 8 == 0:
            hands[0], hands[1] = four_cards(stock, head), four_cards(stock, head + 4)
            head += 8
        seat = ply & 1
        card, taken = most_taking(hands[seat], floor, cards, reach)
        hands[seat] &= ~(ONE << U(card))
        if taken:
            floor &= ~taken
            sizes[seat] = put(piles[seat], sizes[seat], taken, card)
            last = seat
        else:
            floor |= ONE << U(card)
    # what is left goes to whoever captured last
    last = max(last, 0)
    sizes[last] = put(piles[last], sizes[last], floor, -1)
    at = 0
    for seat in range(2):
        for i in range(sizes[seat]):
            out[at] = piles[seat, i]
            at += 1


@kernel
def collected_shuffles(out, previous, state, riffles, begun):
    """Each deck: the deck before played and collected, then riffled. Without one before (begun 0), a perfect first deck."""
    deck = previous.copy()
    order = np.empty(52, dtype=np.uint8)
    spare = np.empty(52, dtype=np.uint8)
    cards = np.empty(MOST_SUMMED, dtype=np.int64)
    reach = np.empty(1 << (MOST_SUMMED + 1), dtype=np.int64)
    for row in range(len(out)):
        if row == 0 and not begun:
            fisher_yates(deck, state)
        else:
            play_and_collect(deck, order, cards, reach)
            deck[:] = order
            for _ in range(riffles):
                riffle(deck, spare, state)
        out[row] = deck
    previous[:] = deck
