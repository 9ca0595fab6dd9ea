"""Dealing a round (rules 1 and 2): shuffle or take the given pack, turn up the floor, write down the hands. Kernels' pieces."""

from __future__ import annotations

from basra_sim.engine.floor_table.floors import class_of
from basra_sim.engine.jit.compiling import hot, piece
from basra_sim.engine.jit.instructions import byte, put_byte, unsigned
from basra_sim.engine.jit.typed_memory import place_in
from basra_sim.engine.layouts import (
    DEAL_BYTES,
    KEPT_DEALS,
    PAIRS_OF_CLASSES,
    ROW_BYTES,
    SCRATCH,
    card_stream_at,
    deal_at,
    pair_numbers_at,
    starts_at,
)
from basra_sim.engine.streams import FIRST_DEALER, FLOOR_BAN, PACK, card_draw_below, open_card_stream, shuffle_pack

_TO_BOTTOM = 0  # of floor_ban_action; 1 is a random place
_PACK_AT = place_in(SCRATCH, "pack")


@piece
def _open(context, round_, purpose):
    """Open a stream of the cards of the pair that is being played."""
    stream = card_stream_at(context.scratch)
    open_card_stream(stream, context.hashed_pair, context.round_key, round_, purpose)
    return stream


@piece
def draw_first_dealer(context):
    """Rule 15: a seat from the pair's own stream."""
    return card_draw_below(_open(context, 0, FIRST_DEALER), 2)


@piece
def _put_back(pack, place, place_in_stock):
    """Move the card at `place` to `place_in_stock` of the cards after it (0 is the top)."""
    card = byte(pack, place)
    for k in range(place, place + place_in_stock):
        put_byte(pack, k, byte(pack, k + 1))
    put_byte(pack, place + place_in_stock, card)


@piece
def _turn_up_floor(pack, context, round_):
    """Rule 2: bring the pack into the order in which it is dealt, places 8..11 the floor. Returns the buried set."""
    buried = 0
    opened = False
    place = 8
    while place < 12:
        card = byte(pack, place)
        if (context.banned >> card) & 1:
            buried |= 1 << card
            to = 51 - place
            if context.ban_action != _TO_BOTTOM:
                if not opened:
                    _open(context, round_, FLOOR_BAN)
                    opened = True
                to = card_draw_below(card_stream_at(context.scratch), 52 - place)
            _put_back(pack, place, to)
        else:
            place += 1
    return buried


@hot
def _bit(pack, place):
    return 1 << (byte(pack, place) & 63)


@hot
def _four(pack, place):
    return _bit(pack, place) | _bit(pack, place + 1) | _bit(pack, place + 2) | _bit(pack, place + 3)


@hot
def _two_classes(pack, place, context):
    """The number of the unordered pair of classes that lies at two places."""
    one, other = class_of(byte(pack, place)), class_of(byte(pack, place + 1))
    return pair_numbers_at(context.pair_numbers).number[16 * one + other]


@piece
def _deal(deal, context, pair, round_):
    """Write the hands, the floor and its row of a round into the record `deal`."""
    pack = context.scratch + _PACK_AT
    if context.packs != 0:
        for k in range(52):
            put_byte(pack, k, byte(context.packs, 52 * pair + k))
    else:
        shuffle_pack(pack, _open(context, round_, PACK))
    deal.buried = _turn_up_floor(pack, context, round_)
    deal.leader_hands[0], deal.dealer_hands[0], deal.floor = _four(pack, 0), _four(pack, 4), _four(pack, 8)
    for k in range(1, 6):
        deal.leader_hands[unsigned(k)] = _four(pack, 4 + 8 * k)
        deal.dealer_hands[unsigned(k)] = _four(pack, 8 + 8 * k)
    start = PAIRS_OF_CLASSES * _two_classes(pack, 8, context) + _two_classes(pack, 10, context)
    deal.row = context.table + ROW_BYTES * starts_at(context.starts).row[start]


@piece
def deal_of(pair, round_, dealt, context):
    """The address of a dealt round of the pair: kept from the first game, or dealt now."""
    deal = context.deals + DEAL_BYTES * min(round_, KEPT_DEALS)
    if round_ >= dealt or round_ >= KEPT_DEALS:
        _deal(deal_at(deal), context, pair, round_)
    return deal
