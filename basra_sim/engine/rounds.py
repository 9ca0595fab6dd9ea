"""The compiled engine: plays a round, a game, a run of game pairs, and checks every card that a strategy returns.

It works on raw addresses in one worker's memory (memory.py lays it out) and knows no file, no name and no statistics. A
strategy is either the address of a compiled function or a compiled function to be inlined; both play the same games.
"""

from __future__ import annotations

from basra_sim.engine.jit.primitives import (
    JIT_ON,
    add_i32,
    add_i64,
    call_strategy,
    hot,
    kernel,
    load_i64,
    load_u8,
    load_u32,
    overload,
    piece,
    popcount,
    store_i32,
    store_i64,
    store_u8,
    types,
)

from . import memory as at
from .floors import KIND_SHIFT, LOOK, NEXT, PRESENT, RARE, TAKEN, look_closer
from .sight import (
    BASE_AT,
    BASRA,
    BURIED_AT,
    CHEATS_AT,
    CODES_AT,
    DESK_BYTES,
    HISTORY_AT,
    KIND_BITS,
    KINDS_AT,
    OPENING_AT,
    PILE_AT,
    RNG_AT,
    SCORE_AT,
    SECRETS_AT,
    STAKE_AT,
    basra_points_of,
    kinds_made,
)
from .streams import (
    FIRST_DEALER,
    FLOOR_BAN,
    PACK,
    SEAT_0,
    card_draw_below,
    hash_pair,
    open_card_stream,
    open_seat_stream,
    seed_keys,
    shuffle_pack,
)

BAD = -1
KOMI_CARD = 25


# ---------------------------------------------------------------------------------------------- dealing
@hot
def _class_of(card):
    return 13 if card == KOMI_CARD else card >> 2


@piece
def _open(stream, context, round_, purpose):
    """Open a stream of the cards of the pair that is being played."""
    open_card_stream(stream, load_i64(context + at.HASHED_PAIR), load_i64(context + at.ROUND_KEY), round_, purpose)


@piece
def _put_back(pack, place, place_in_stock):
    """Move the card at `place` to `place_in_stock` of the cards after it (0 is the top)."""
    card = load_u8(pack + place)
    for k in range(place_in_stock):
        store_u8(pack + place + k, load_u8(pack + place + k + 1))
    store_u8(pack + place + place_in_stock, card)


@piece
def _turn_up_floor(pack, context, round_):
    """Rule 2: bring the pack into the order in which it is dealt, places 8..11 the floor. Returns the buried set."""
    banned = load_i64(context + at.BANNED)
    stream = load_i64(context + at.SCRATCH)
    buried = 0
    opened = False
    place = 8
    while place < 12:
        card = load_u8(pack + place)
        if (banned >> card) & 1:
            buried |= 1 << card
            to = 51 - place
            if load_i64(context + at.BAN_ACTION) == 1:
                if not opened:
                    _open(stream, context, round_, FLOOR_BAN)
                    opened = True
                to = card_draw_below(stream, 52 - place)
            _put_back(pack, place, to)
        else:
            place += 1
    return buried


@hot
def _four(pack, place):
    four = load_u32(pack + place)
    return (1 << (four & 63)) | (1 << ((four >> 8) & 63)) | (1 << ((four >> 16) & 63)) | (1 << (four >> 24))


@piece
def _deal(deal, context, pair, round_):
    """Shuffle (or take the given pack), turn up the floor and write the hands of the round at the address `deal`."""
    stream = load_i64(context + at.SCRATCH)
    pack = stream + at.SCRATCH_PACK
    given = load_i64(context + at.PACKS)
    if given != 0:
        for k in range(52):
            store_u8(pack + k, load_u8(given + 52 * pair + k))
    else:
        _open(stream, context, round_, PACK)
        shuffle_pack(pack, stream)
    store_i64(deal + at.DEAL_BURIED, _turn_up_floor(pack, context, round_))
    store_i64(deal + at.DEAL_PLIES, 8)
    store_i64(deal, _four(pack, 0))
    store_i64(deal + 48, _four(pack, 4))
    store_i64(deal + at.DEAL_FLOOR, _four(pack, 8))
    for k in range(1, 6):
        store_i64(deal + 8 * k, _four(pack, 4 + 8 * k))
        store_i64(deal + 48 + 8 * k, _four(pack, 8 + 8 * k))
    numbers = load_i64(context + at.PAIR_NUMBERS)
    one = load_u8(numbers + 16 * _class_of(load_u8(pack + 8)) + _class_of(load_u8(pack + 9)))
    other = load_u8(numbers + 16 * _class_of(load_u8(pack + 10)) + _class_of(load_u8(pack + 11)))
    start = load_u32(load_i64(context + at.STARTS) + 4 * (105 * one + other))
    store_i64(deal + at.DEAL_ROW, load_i64(context + at.TABLE) + 64 * start)


# ---------------------------------------------------------------------------------------------- a ply and a round
@piece
def _rare(floor, both, card_class, entry, desk):
    """A ply that scores or whose exact cards need a closer look: counts a basra; returns (floor left, kind)."""
    base = load_i64(desk + BASE_AT)
    kind = (entry >> KIND_SHIFT) & 7
    left = both & load_i64(base + (entry & NEXT) + PRESENT)
    if entry & LOOK:
        left, kind = look_closer(floor, card_class, entry, base, load_i64(desk + CODES_AT))
    if kind >= BASRA:
        add_i64(desk + KINDS_AT, 1 << (KIND_BITS * kind))
    return left, kind


@hot
def _ply(choose, hand, floor, row, seen, moment, desk, base, plays, ply):
    """One ply. Returns (card or BAD, floor cards taken, floor, row).

    Adds to the desk's pile, basras, counters and history; a bad card is returned in the place of the cards taken.
    """
    card = call_strategy(choose, hand, floor, row, seen, moment, desk)
    if card < 0 or card > 51 or (hand >> card) & 1 == 0:
        return BAD, card, floor, row
    card_class = _class_of(card)
    entry = load_u32(row + 4 * card_class)
    next_row = base + (entry & NEXT)
    both = floor | (1 << card)
    kind = entry >> KIND_SHIFT
    left = both & load_i64(next_row + PRESENT)
    if entry & RARE:
        left, kind = _rare(floor, both, card_class, entry, desk)
    taken = entry & TAKEN
    store_i64(desk + PILE_AT, load_i64(desk + PILE_AT) | (both & ~left))
    add_i64(desk + plays + 32 * ply + 8 * kind, 1 + (taken << 32))
    add_i32(desk + at.FACED_AT + at.FACED_SIZE_BYTES * popcount(floor) + 64 * kind + 4 * card_class, 1)
    store_u8(desk + HISTORY_AT + ply, card)
    return card, taken, left, next_row


@piece
def _play_round(choose_leader, choose_dealer, leader_side, deal, context):
    """48 plies of a dealt round. Returns (who captured last: 0 nobody, 1 leader, 2 dealer; the floor left).

    A bad card gives (BAD, ply) and leaves the card in the context.
    """
    base = load_i64(context + at.TABLE)
    desk = load_i64(context + at.DESKS) + DESK_BYTES * leader_side
    other_desk = desk ^ DESK_BYTES
    floor = load_i64(deal + at.DEAL_FLOOR)
    row = load_i64(deal + at.DEAL_ROW)
    seen = floor
    other_seen = floor
    plies = load_i64(deal + at.DEAL_PLIES)  # 8, but unknown to LLVM: unrolling four times as many plies gains nothing
    last = 0  # as the moment holds it: 128 the leader, 256 the dealer
    for number in range(6):
        hand = load_i64(deal + 8 * number)
        other_hand = load_i64(deal + 48 + 8 * number)
        seen |= hand
        other_seen |= other_hand
        for ply in range(8 * number, 8 * number + plies, 2):
            card, taken, floor, row = _ply(
                choose_leader, hand, floor, row, seen, last | 64 | ply, desk, base, at.PLAYS_AT, ply
            )  # fmt: skip
            if card == BAD:
                store_i64(context + at.FAULT_CARD, taken)
                store_i64(context + at.FAULT_HAND, hand)
                return BAD, ply
            hand ^= 1 << card
            other_seen |= 1 << card
            last = 128 if taken > 0 else last
            card, taken, floor, row = _ply(
                choose_dealer, other_hand, floor, row, other_seen, last | (ply + 1), other_desk, base,
                at.PLAYS_AT + at.PLAYS_ROLE_BYTES - 32, ply + 1,
            )  # fmt: skip
            if card == BAD:
                store_i64(context + at.FAULT_CARD, taken)
                store_i64(context + at.FAULT_HAND, other_hand)
                return BAD, ply + 1
            other_hand ^= 1 << card
            seen |= 1 << card
            last = 256 if taken > 0 else last
    return last >> 7, floor


def play_round_with(choose_a, choose_b, leader_side, deal, context):
    """A round in which side `leader_side` (0 a, 1 b) leads."""
    if leader_side == 0:
        return _play_round(choose_a, choose_b, 0, deal, context)
    return _play_round(choose_b, choose_a, 1, deal, context)


if JIT_ON:

    @overload(play_round_with)
    def _typed_play_round_with(choose_a, choose_b, leader_side, deal, context):
        if isinstance(choose_a, types.Integer) and isinstance(choose_b, types.Integer):

            def by_address(choose_a, choose_b, leader_side, deal, context):
                # addresses can be exchanged, so the round is compiled once
                one = choose_b if leader_side else choose_a
                other = choose_a if leader_side else choose_b
                return _play_round(one, other, leader_side, deal, context)

            return by_address
        return play_round_with


# ---------------------------------------------------------------------------------------------- the count
@piece
def _card_points(pile, context):
    total = 0
    groups = load_i64(context + at.BONUS_GROUPS)
    for k in range(load_i64(context + at.BONUS_COUNT)):
        total += popcount(pile & load_i64(groups + 16 * k)) * load_i64(groups + 16 * k + 8)
    return total


@piece
def _count_round(last, floor, leader_side, stake, context):
    """Rules 12 to 14. Returns (points, points of the dealer, cards, cards of the dealer, majority carried on)."""
    desk = load_i64(context + at.DESKS) + DESK_BYTES * leader_side
    other = desk ^ DESK_BYTES
    rules = load_i64(context + at.RULES)
    pile = load_i64(desk + PILE_AT) | (floor if last == 1 else 0)
    other_pile = load_i64(other + PILE_AT) | (floor if last == 2 else 0)
    cards = popcount(pile)
    other_cards = popcount(other_pile)
    points = basra_points_of(load_i64(desk + KINDS_AT), rules)
    other_points = basra_points_of(load_i64(other + KINDS_AT), rules)
    carry = 0
    tie = load_i64(rules + 24)  # majority_tie: 0 none, 1 carry, 2 each
    if cards > other_cards:
        points += stake
    elif cards < other_cards:
        other_points += stake
    elif tie == 2:
        points += stake
        other_points += stake
    elif tie == 1:
        carry = stake
    if load_i64(context + at.BONUS_COUNT) > 0:
        points += _card_points(pile, context)
        other_points += _card_points(other_pile, context)
    return points, other_points, cards, other_cards, carry


@piece
def _note_round(counted, leader_side, kinds, other_kinds, game_record, round_, game, pair, context):
    """Add a counted round to the counters, to the game's record and, if wanted, to the rounds' records."""
    points, other_points, cards, other_cards, _ = counted
    points_a = other_points if leader_side else points
    points_b = points if leader_side else other_points
    cards_a = other_cards if leader_side else cards
    cards_b = cards if leader_side else other_cards
    majority = 0 if cards_a > cards_b else (1 if cards_a < cards_b else 2)
    add_i64(load_i64(context + at.MAJORITIES) + 24 * leader_side + 8 * majority, 1)
    add_i64(load_i64(context + at.ROLE_POINTS) + 16 * leader_side, points_a)
    add_i64(load_i64(context + at.ROLE_POINTS) + 16 * leader_side + 8, points_b)
    add_i64(load_i64(context + at.ROLE_CARDS) + 16 * leader_side, cards_a)
    add_i64(load_i64(context + at.ROLE_CARDS) + 16 * leader_side + 8, cards_b)
    cells = load_i64(context + at.MARGIN_CELLS_AT)  # a cell a point; the end cells hold what lies beyond
    cell = max(0, min(cells - 1, points_a - points_b + (cells >> 1)))
    add_i64(load_i64(context + at.ROUND_MARGINS) + 8 * (cells * leader_side + cell), 1)
    add_i32(game_record + 24, cards_a)
    add_i32(game_record + 28, cards_b)
    kinds_a = other_kinds if leader_side else kinds
    kinds_b = kinds if leader_side else other_kinds
    for k in range(3):
        add_i32(game_record + 32 + 8 * k, kinds_made(kinds_a, 3 + k))
        add_i32(game_record + 36 + 8 * k, kinds_made(kinds_b, 3 + k))
    record = load_i64(context + at.ROUNDS)
    add_i64(context + at.ROUNDS_LEFT, -1)
    if record != 0 and load_i64(context + at.ROUNDS_LEFT) >= 0:
        store_i64(record, pair)
        store_i32(record + 8, game)
        store_i32(record + 12, round_)
        store_i32(record + 16, leader_side)
        store_i32(record + 20, points)
        store_i32(record + 24, other_points)
        store_i32(record + 28, cards)
        store_i32(record + 32, other_cards)
        for k in range(3):
            store_i32(record + 36 + 8 * k, kinds_made(kinds, 3 + k))
            store_i32(record + 40 + 8 * k, kinds_made(other_kinds, 3 + k))
        store_i64(context + at.ROUNDS, record + at.ROUND_BYTES)
    add_i64(context + at.ROUNDS_PLAYED, 1)


# ---------------------------------------------------------------------------------------------- a game
@piece
def _prepare_desks(deal, round_, game, score_a, score_b, stake, context):
    """Set both sides' desks to the start of a round. Side a sits in seat `game`; the streams belong to the seats."""
    hashed_pair = load_i64(context + at.HASHED_PAIR)
    round_key = load_i64(context + at.ROUND_KEY)
    for side in range(2):
        desk = load_i64(context + at.DESKS) + DESK_BYTES * side
        open_seat_stream(desk + RNG_AT, hashed_pair, round_key, round_, SEAT_0 + (side ^ game))
        store_i64(desk + PILE_AT, 0)
        store_i64(desk + KINDS_AT, 0)
        store_i64(desk + SCORE_AT, score_b if side else score_a)
        store_i64(desk + BURIED_AT, load_i64(deal + at.DEAL_BURIED))
        store_i64(desk + STAKE_AT, stake)
        store_i64(desk + OPENING_AT, load_i64(deal + at.DEAL_ROW))
        if load_i64(desk + CHEATS_AT) != 0:
            store_i64(desk + SECRETS_AT, deal)


@piece
def _keep_history(desk, context):
    """Copy the round's 48 cards from both desks, if they are wanted and there is room."""
    history = load_i64(context + at.HISTORY)
    if load_i64(context + at.HISTORY_LEFT) <= 0:
        return
    for ply in range(0, 48, 2):
        store_u8(history + ply, load_u8(desk + HISTORY_AT + ply))
        store_u8(history + ply + 1, load_u8((desk ^ DESK_BYTES) + HISTORY_AT + ply + 1))
    store_i64(context + at.HISTORY, history + at.HISTORY_BYTES)
    add_i64(context + at.HISTORY_LEFT, -1)


@piece
def _note_fault(code, pair, game, round_, ply, leader_side, context):
    side = leader_side ^ (ply & 1)
    store_i64(context + at.FAULT, code)
    store_i64(context + at.FAULT_PAIR, pair)
    store_i64(context + at.FAULT_GAME, game)
    store_i64(context + at.FAULT_ROUND, round_)
    store_i64(context + at.FAULT_PLY, ply)
    store_i64(context + at.FAULT_SEAT, side ^ game)
    store_i64(context + at.FAULT_SIDE, side)


@piece
def _deal_of(pair, round_, dealt, context):
    """The address of a dealt round of the pair: kept from the first game, or dealt now."""
    deals = load_i64(context + at.DEALS)
    if round_ < dealt and round_ < at.KEPT_DEALS:
        return deals + at.DEAL_BYTES * round_
    deal = deals + at.DEAL_BYTES * min(round_, at.KEPT_DEALS)
    _deal(deal, context, pair, round_)
    return deal


@piece
def _play_game(choose_a, choose_b, pair, game, first_dealer, dealt, record, leader_points, context):
    """Rounds until the game is over (rules 15, 16); side a sits in seat `game`. Returns the rounds played, or BAD."""
    rules = load_i64(context + at.RULES)
    target = load_i64(rules)
    single = load_i64(rules + 8)
    base_stake = load_i64(rules + 16)
    desks = load_i64(context + at.DESKS)
    score_a = 0
    score_b = 0
    carry = 0
    dealer_side = first_dealer ^ game
    round_ = 0
    while True:
        leader_side = 1 - dealer_side
        deal = _deal_of(pair, round_, dealt, context)
        stake = base_stake + carry
        _prepare_desks(deal, round_, game, score_a, score_b, stake, context)
        last, floor = play_round_with(choose_a, choose_b, leader_side, deal, context)
        desk = desks + DESK_BYTES * leader_side
        _keep_history(desk, context)
        if last == BAD:
            _note_fault(at.BAD_CARD, pair, game, round_, floor, leader_side, context)
            return BAD
        counted = _count_round(last, floor, leader_side, stake, context)
        kinds = load_i64(desk + KINDS_AT)
        other_kinds = load_i64((desk ^ DESK_BYTES) + KINDS_AT)
        _note_round(counted, leader_side, kinds, other_kinds, record, round_, game, pair, context)
        add_i32(leader_points, counted[0])
        score_a += counted[1] if leader_side else counted[0]
        score_b += counted[0] if leader_side else counted[1]
        carry = counted[4]
        round_ += 1
        if single or ((score_a >= target or score_b >= target) and score_a != score_b):
            break
        if round_ == at.MOST_ROUNDS:
            _note_fault(at.NO_END, pair, game, round_, 0, leader_side, context)
            return BAD
        if load_i64(context + at.FIXED_DEALER) == 0:
            dealer_side = 1 - dealer_side
    store_i32(record, game)
    store_i32(record + 4, first_dealer ^ game)
    store_i32(record + 8, round_)
    store_i32(record + 12, 0 if score_a > score_b else (1 if score_a < score_b else 2))
    store_i32(record + 16, score_a)
    store_i32(record + 20, score_b)
    return round_


@piece
def _first_dealer_seat(context):
    """Rule 15; with single rounds seat 0 leads, so that in a pair each strategy leads once."""
    if load_i64(load_i64(context + at.RULES) + 8):
        return 1
    choice = load_i64(context + at.FIRST_DEALER)
    if choice == 0:
        stream = load_i64(context + at.SCRATCH)
        _open(stream, context, 0, FIRST_DEALER)
        return card_draw_below(stream, 2)
    return choice - 1


@piece
def _clear_record(record):
    for k in range(at.GAME_BYTES // 4):
        store_i32(record + 4 * k, 0)


@piece
def play_pairs_with(choose_a, choose_b, context):
    """Play the pairs that the context asks for; returns how many were finished (fewer after a fault)."""
    first = load_i64(context + at.FIRST_PAIR)
    pairs = load_i64(context + at.PAIRS)
    pair_key, round_key = seed_keys(load_i64(context + at.SEED))
    store_i64(context + at.ROUND_KEY, round_key)
    for index in range(pairs):
        pair = first + index
        store_i64(context + at.HASHED_PAIR, hash_pair(pair_key, pair))
        first_dealer = _first_dealer_seat(context)
        dealt = 0
        only = load_i64(context + at.ONLY_GAME)  # 0, or 1 more than the game of each pair that is played
        for game in range(2):
            if only != 0 and game != only - 1:
                continue
            store_i64(context + at.NOW_PAIR, pair)
            store_i64(context + at.NOW_GAME, game)
            record = load_i64(context + at.GAMES) + at.GAME_BYTES * (2 * index + game)
            leader_points = load_i64(context + at.LEADER_POINTS) + 4 * (2 * index + game)
            _clear_record(record)
            store_i32(leader_points, 0)
            rounds = _play_game(choose_a, choose_b, pair, game, first_dealer, dealt, record, leader_points, context)
            if rounds == BAD:
                return index
            dealt = max(dealt, rounds)
        if load_i64(context + at.ROUNDS) != 0 and load_i64(context + at.ROUNDS_LEFT) < 0:
            store_i64(context + at.FAULT, at.ROUNDS_FULL)  # the rounds' buffer was too small: the caller plays again
            return index
    return pairs


@kernel
def play_pairs(choose_a, choose_b, context):
    """`play_pairs_with` for two strategies given by address: one engine for every pair of strategies."""
    return play_pairs_with(choose_a, choose_b, context)
