"""The compiled engine's door: plays games of game pairs, round by round, and stops at a fault.

It works on one worker's memory (layouts.py says what lies where) and knows no file, no name and no statistics. A strategy is the
address of a C function, so that one engine serves every pair of strategies.
"""

from __future__ import annotations

from basra_sim.engine.jit.compiling import kernel, piece
from basra_sim.engine.jit.instructions import byte, put_byte, put_word
from basra_sim.engine.layouts import (
    BAD_CARD,
    DESK_BYTES,
    GAME_BYTES,
    HISTORY_BYTES,
    LEADER_BYTES,
    MOST_ROUNDS,
    NO_END,
    PLAYED_AT,
    ROUNDS_FULL,
    context_at,
    deal_at,
    desk_at,
    game_at,
    leader_at,
    rules_at,
)
from basra_sim.engine.streams import SEAT_0, hash_pair, open_seat_stream, seed_keys

from .dealing import deal_of, draw_first_dealer
from .round_count import FLUSHED_AT, count_round, flush_basras, note_round
from .rounds import BAD, play_round


@piece
def _prepare_desks(deal_address, round_, game, score_a, score_b, stake, context):
    """Set both sides' desks to the start of a round. Side a sits in seat `game`; the streams belong to the seats."""
    deal = deal_at(deal_address)
    for side in range(2):
        desk = desk_at(context.desks + DESK_BYTES * side)
        open_seat_stream(desk, context.hashed_pair, context.round_key, round_, SEAT_0 + (side ^ game))
        desk.pile = 0
        desk.kinds = 0
        desk.score = score_b if side else score_a
        desk.buried = deal.buried
        desk.stake = stake
        desk.opening = deal.row
        if desk.cheats != 0:
            desk.secrets = deal_address


@piece
def _keep_history(leader_side, context):
    """Copy the round's 48 cards from both desks, if they are wanted and there is room."""
    if context.history_left <= 0:
        return
    played = context.desks + DESK_BYTES * leader_side + PLAYED_AT
    for ply in range(0, 48, 2):
        put_byte(context.history, ply, byte(played, ply))
        put_byte(context.history, ply + 1, byte(played ^ DESK_BYTES, ply + 1))
    context.history += HISTORY_BYTES
    context.history_left -= 1


@piece
def _note_fault(code, pair, game, round_, ply, leader_side, context):
    side = leader_side ^ (ply & 1)
    context.fault = code
    context.fault_pair, context.fault_game, context.fault_round, context.fault_ply = pair, game, round_, ply
    context.fault_seat, context.fault_side = side ^ game, side


@piece
def _open_record(record, leader_points, game, first_dealer, context):
    """An empty record of a game, and nothing for the leaders yet."""
    for k in range(GAME_BYTES // 8):
        put_word(record, k, 0)
    game_at(record).a_seat = game
    game_at(record).first_dealer = first_dealer ^ game
    leader_at(leader_points).points = 0
    context.kinds_a = 0
    context.kinds_b = 0


@piece
def _close_record(record, rounds, score_a, score_b):
    row = game_at(record)
    row.rounds, row.score_a, row.score_b = rounds, score_a, score_b
    row.winner = 0 if score_a > score_b else (1 if score_a < score_b else 2)


@piece
def _play_game(choose_a, choose_b, pair, game, first_dealer, dealt, record, leader_points, context):
    """Rounds until the game is over (rules 15, 16); side a sits in seat `game`. Returns the rounds played, or BAD."""
    rules = rules_at(context.rules)
    target, single = rules.target, rules.single_round
    score_a, score_b, carry, round_ = 0, 0, 0, 0
    leader_side = 1 - (first_dealer ^ game)
    while True:
        deal = deal_of(pair, round_, dealt, context)
        stake = rules.majority_points + carry
        _prepare_desks(deal, round_, game, score_a, score_b, stake, context)
        last, floor = play_round(choose_a, choose_b, leader_side, deal, context)
        _keep_history(leader_side, context)
        if last == BAD:
            _note_fault(BAD_CARD, pair, game, round_, floor, leader_side, context)
            return BAD
        counted = count_round(last, floor, leader_side, stake, context)
        note_round(counted, leader_side, record, round_, game, pair, context)
        leader_at(leader_points).points += counted[0]
        score_a += counted[1] if leader_side else counted[0]
        score_b += counted[0] if leader_side else counted[1]
        carry = counted[4]
        round_ += 1
        if round_ & FLUSHED_AT == 0:
            flush_basras(record, context)
        if single or ((score_a >= target or score_b >= target) and score_a != score_b):
            break
        if round_ == MOST_ROUNDS:
            _note_fault(NO_END, pair, game, round_, 0, leader_side, context)
            return BAD
        if context.fixed_dealer == 0:
            leader_side = 1 - leader_side
    flush_basras(record, context)
    _close_record(record, round_, score_a, score_b)
    return round_


@piece
def _first_dealer_seat(context):
    """Rule 15; with single rounds seat 0 leads, so that in a pair each strategy leads once."""
    if rules_at(context.rules).single_round:
        return 1
    return context.first_dealer - 1 if context.first_dealer != 0 else draw_first_dealer(context)


@piece
def _play_pair(choose_a, choose_b, pair, index, context):
    """Both games of a pair, or the one that is asked for. Returns whether they came to an end."""
    first_dealer = _first_dealer_seat(context)
    dealt = 0
    for game in range(2):
        if context.only_game != 0 and game != context.only_game - 1:  # 0, or 1 more than the game that is played
            continue
        context.now_pair = pair
        context.now_game = game
        record = context.games + GAME_BYTES * (2 * index + game)
        leader_points = context.leader_points + LEADER_BYTES * (2 * index + game)
        _open_record(record, leader_points, game, first_dealer, context)
        rounds = _play_game(choose_a, choose_b, pair, game, first_dealer, dealt, record, leader_points, context)
        if rounds == BAD:
            return False
        dealt = max(dealt, rounds)
    if context.rounds != 0 and context.rounds_left < 0:
        context.fault = ROUNDS_FULL  # the rounds' buffer was too small: the caller plays again
        return False
    return True


@kernel
def play_pairs(choose_a, choose_b, context_address):
    """Play the pairs that the context asks for; returns how many were finished (fewer after a fault)."""
    context = context_at(context_address)
    pair_key, round_key = seed_keys(context.seed)
    context.round_key = round_key
    first, pairs = context.first_pair, context.pairs
    for index in range(pairs):
        context.hashed_pair = hash_pair(pair_key, first + index)
        if not _play_pair(choose_a, choose_b, first + index, index, context):
            return index
    return pairs
