"""A ply and a round of the compiled engine; every card that a strategy returns is checked. Kernels' pieces."""

from __future__ import annotations

from basra_sim.engine.floor_table.floors import (
    KIND_SHIFT,
    LOOK,
    NEXT,
    RARE,
    TAKEN,
    class_of,
    entry_of,
    kind_of_entry,
    look_closer,
)
from basra_sim.engine.jit.compiling import hot, piece
from basra_sim.engine.jit.instructions import either, popcount, unsigned
from basra_sim.engine.jit.strategy_calls import call_address
from basra_sim.engine.layouts import CLASS_CELLS, DESK_BYTES, KIND_BITS, KIND_CELLS, OWN_PLIES, deal_at, desk_at, row_at
from basra_sim.engine.sight import BASRA, DEALER_TOOK_LAST, LEADER_TOOK_LAST

BAD = -1
DEALER_PLAYS = OWN_PLIES * KIND_CELLS  # where the dealer's part of a desk's `plays` begins


@piece
def _rare(floor, both, card_class, entry, desk):
    """A ply that scores or whose exact cards need a closer look: counts a basra; returns (floor left, kind)."""
    kind = kind_of_entry(entry)
    left = both & row_at(desk.base + (entry & NEXT)).present
    if entry & LOOK:
        left, kind = look_closer(floor, card_class, entry, desk.base, desk.codes)
    if kind >= BASRA:
        desk.kinds += 1 << (KIND_BITS * kind)
    return left, kind


@hot
def _ply(choose, hand, floor, row, shown, moment, desk_address, base, plays, ply):
    """One ply. Returns (card or BAD, floor cards taken, floor, row).

    Adds to the desk's pile, basras, counters and history; a bad card is returned in the place of the cards taken.
    """
    card = call_address(choose, hand, floor, row, shown, moment, desk_address)
    if card < 0 or card > 51 or (hand >> card) & 1 == 0:
        return BAD, card, floor, row
    desk = desk_at(desk_address)
    card_class = class_of(card)
    entry = entry_of(row, card_class)
    next_row = base + (entry & NEXT)
    both = floor | (1 << card)
    kind = entry >> KIND_SHIFT
    left = both & row_at(next_row).present
    if entry & RARE:
        left, kind = _rare(floor, both, card_class, entry, desk)
    taken = entry & TAKEN
    desk.pile |= both & ~left
    desk.plays[unsigned(plays + KIND_CELLS * (ply >> 1) + kind)] += 1 + (taken << 32)
    desk.faced[unsigned(CLASS_CELLS * (KIND_CELLS * popcount(floor) + kind) + card_class)] += 1
    desk.played[unsigned(ply)] = card
    return card, taken, left, next_row


@piece
def _refuse(context, card, hand):
    context.fault_card = card
    context.fault_hand = hand


@piece
def _play_round(choose_leader, choose_dealer, leader_side, deal, context):
    """48 plies of a dealt round. Returns (who captured last: 0 nobody, 1 leader, 2 dealer; the floor left).

    A bad card gives (BAD, ply) and leaves the card in the context.
    """
    base = context.table
    desk = context.desks + DESK_BYTES * leader_side
    other_desk = desk ^ DESK_BYTES
    floor, row = deal.floor, deal.row
    shown = floor  # what both sides have seen
    last = 0  # as the moment holds it
    for number in range(6):
        hand, other_hand = deal.leader_hands[unsigned(number)], deal.dealer_hands[unsigned(number)]
        for ply in range(8 * number, 8 * number + 8, 2):
            card, taken, floor, row = _ply(choose_leader, hand, floor, row, shown, last | ply, desk, base, 0, ply)
            if card == BAD:
                _refuse(context, taken, hand)
                return BAD, ply
            hand ^= 1 << card
            shown |= 1 << card
            last = either(taken, LEADER_TOOK_LAST, last)
            card, taken, floor, row = _ply(
                choose_dealer, other_hand, floor, row, shown, last | (ply + 1), other_desk, base, DEALER_PLAYS, ply + 1
            )  # fmt: skip
            if card == BAD:
                _refuse(context, taken, other_hand)
                return BAD, ply + 1
            other_hand ^= 1 << card
            shown |= 1 << card
            last = either(taken, DEALER_TOOK_LAST, last)
    return last // LEADER_TOOK_LAST, floor


@piece
def play_round(choose_a, choose_b, leader_side, deal_address, context):
    """A round in which side `leader_side` (0 a, 1 b) leads; strategies are given by address, so it is compiled once."""
    leader = choose_b if leader_side else choose_a
    dealer = choose_a if leader_side else choose_b
    return _play_round(leader, dealer, leader_side, deal_at(deal_address), context)
