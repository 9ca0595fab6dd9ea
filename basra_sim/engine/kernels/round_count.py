"""The count at the end of a round (rules 12 to 14), and what is noted of it in counters and records. Kernels' pieces."""

from __future__ import annotations

from basra_sim.engine.jit.compiling import hot, piece
from basra_sim.engine.jit.instructions import popcount, put_word, word
from basra_sim.engine.layouts import BONUS_GROUP, DESK_BYTES, ROUND_BYTES, bonus_group_at, desk_at, game_at, round_at, rules_at
from basra_sim.engine.sight import BASRA, JACK_BASRA, KOMI_BASRA, basra_points_of, kinds_made

TIE_CARRIES, TIE_PAYS_EACH = 1, 2  # of majority_tie
FLUSHED_AT = 15  # a count by kind holds the basras of 16 rounds (48 plies each) and more
_GROUP_BYTES = BONUS_GROUP.itemsize


@piece
def _card_points(pile, context):
    total = 0
    for k in range(context.bonus_count):
        group = bonus_group_at(context.bonus_groups + _GROUP_BYTES * k)
        total += popcount(pile & group.cards) * group.points
    return total


@piece
def count_round(last, floor, leader_side, stake, context):
    """Rules 12 to 14. Returns (points, points of the dealer, cards, cards of the dealer, majority carried on)."""
    desk = desk_at(context.desks + DESK_BYTES * leader_side)
    other = desk_at((context.desks + DESK_BYTES * leader_side) ^ DESK_BYTES)
    rules = rules_at(context.rules)
    pile = desk.pile | (floor if last == 1 else 0)
    other_pile = other.pile | (floor if last == 2 else 0)
    cards, other_cards = popcount(pile), popcount(other_pile)
    points, other_points = basra_points_of(desk.kinds, rules), basra_points_of(other.kinds, rules)
    carry = 0
    if cards > other_cards:
        points += stake
    elif cards < other_cards:
        other_points += stake
    elif rules.majority_tie == TIE_PAYS_EACH:
        points += stake
        other_points += stake
    elif rules.majority_tie == TIE_CARRIES:
        carry = stake
    if context.bonus_count > 0:
        points += _card_points(pile, context)
        other_points += _card_points(other_pile, context)
    return points, other_points, cards, other_cards, carry


@hot
def _add(address, place, number):
    put_word(address, place, word(address, place) + number)


@piece
def _note_in_counters(points_a, points_b, cards_a, cards_b, leader_side, context):
    majority = 0 if cards_a > cards_b else (1 if cards_a < cards_b else 2)
    _add(context.majorities, 3 * leader_side + majority, 1)
    _add(context.role_points, 2 * leader_side, points_a)
    _add(context.role_points, 2 * leader_side + 1, points_b)
    _add(context.role_cards, 2 * leader_side, cards_a)
    _add(context.role_cards, 2 * leader_side + 1, cards_b)
    cells = context.margin_cells  # a cell a point; the end cells hold what lies beyond
    cell = max(0, min(cells - 1, points_a - points_b + (cells >> 1)))
    _add(context.round_margins, cells * leader_side + cell, 1)


@piece
def flush_basras(game_record, context):
    """Add the basras noted since the last time to a game's record: before a count by kind can be full, and at the end."""
    row = game_at(game_record)
    kinds_a, kinds_b = context.kinds_a, context.kinds_b
    row.basras_a += kinds_made(kinds_a, BASRA)
    row.basras_b += kinds_made(kinds_b, BASRA)
    row.komi_basras_a += kinds_made(kinds_a, KOMI_BASRA)
    row.komi_basras_b += kinds_made(kinds_b, KOMI_BASRA)
    row.jack_basras_a += kinds_made(kinds_a, JACK_BASRA)
    row.jack_basras_b += kinds_made(kinds_b, JACK_BASRA)
    context.kinds_a = 0
    context.kinds_b = 0


@piece
def _note_in_game(row, cards_a, cards_b, kinds_a, kinds_b, context):
    row.cards_a += cards_a
    row.cards_b += cards_b
    context.kinds_a += kinds_a
    context.kinds_b += kinds_b


@piece
def _write_round(counted, leader_side, kinds, other_kinds, round_, game, pair, context):
    """The row of a round, where rounds are wanted and there is room."""
    row = round_at(context.rounds)
    row.pair, row.game, row.round, row.leader = pair, game, round_, leader_side
    row.points_leader, row.points_dealer, row.cards_leader, row.cards_dealer, _ = counted
    row.basras_leader, row.basras_dealer = kinds_made(kinds, BASRA), kinds_made(other_kinds, BASRA)
    row.komi_basras_leader, row.komi_basras_dealer = kinds_made(kinds, KOMI_BASRA), kinds_made(other_kinds, KOMI_BASRA)
    row.jack_basras_leader, row.jack_basras_dealer = kinds_made(kinds, JACK_BASRA), kinds_made(other_kinds, JACK_BASRA)
    context.rounds += ROUND_BYTES


@piece
def note_round(counted, leader_side, game_record, round_, game, pair, context):
    """Add a counted round to the counters, to the game's record and, if wanted, to the rounds' records."""
    points, other_points, cards, other_cards, _ = counted
    kinds = desk_at(context.desks + DESK_BYTES * leader_side).kinds
    other_kinds = desk_at((context.desks + DESK_BYTES * leader_side) ^ DESK_BYTES).kinds
    if leader_side:
        _note_in_counters(other_points, points, other_cards, cards, leader_side, context)
        _note_in_game(game_at(game_record), other_cards, cards, other_kinds, kinds, context)
    else:
        _note_in_counters(points, other_points, cards, other_cards, leader_side, context)
        _note_in_game(game_at(game_record), cards, other_cards, kinds, other_kinds, context)
    context.rounds_left -= 1
    if context.rounds != 0 and context.rounds_left >= 0:
        _write_round(counted, leader_side, kinds, other_kinds, round_, game, pair, context)
    context.rounds_played += 1
