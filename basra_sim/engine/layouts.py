"""What lies where in a worker's memory: one layout a thing, declared once. Sizes, offsets and every view follow from it.

Offsets stand where they matter: a desk's first words are next to each other because a strategy reads them all, and the counters
lie on the desk so that they stay in the cache. Layouts of what a run keeps (a game, a round) are those of records.
"""

from __future__ import annotations

import numpy as np

from basra_sim.records.counters import GAME_DTYPE, ROUND_DTYPE

from .jit.typed_memory import layout, place_in, record_at, words
from .rule_numbers import RuleNumbers

I64, I32, U64, U32, U8 = np.int64, np.int32, np.uint64, np.uint32, np.uint8

# ---------------------------------------------------------------------------------------------- the floor table
CLASSES = 14  # of cards that may be played: ranks A..K as 0..12, and the komi as 13
ROW_BYTES = 64  # a row is one cache line
ROW = layout(ROW_BYTES, entries=(0, (U32, CLASSES)), present=(56, I64))
"""A floor: what each class of card does to it (floors.py says how), and all cards whose rank lies on it."""
HEADER = layout(ROW_BYTES, lone_seven_kind=(0, I32), merged=(4, I32), exact_floor=(32, I64))
"""Before the first row: what a jack on a lone komi makes where the table cannot tell it from a seven; is the komi merged into the
sevens; the address of the function that finds the exact cards."""

PAIRS_OF_CLASSES = 105  # without order
PAIR_NUMBERS = layout(256, number=(0, (U8, 256)))  # of an unordered pair of classes, at 16 * one + other
STARTS = layout(4 * PAIRS_OF_CLASSES**2, row=(0, (U32, PAIRS_OF_CLASSES**2)))  # the row of a first floor, by its two pairs

# ---------------------------------------------------------------------------------------------- streams
CARD_STREAM = layout(32, s0=(0, U64), s1=(8, U64), s2=(16, U64), s3=(24, U64))
SEAT_STREAM = layout(16, s0=(0, U64), s1=(8, U64))

# ---------------------------------------------------------------------------------------------- a dealt round
DEAL_BYTES = 128
DEAL = layout(
    DEAL_BYTES, leader_hands=(0, (I64, 6)), dealer_hands=(48, (I64, 6)), floor=(96, I64), row=(104, I64), buried=(112, I64),
)  # fmt: skip
KEPT_DEALS = 64  # rounds of a pair kept for its second game; later ones are dealt again

SCRATCH_BYTES = 256
SCRATCH = layout(SCRATCH_BYTES, stream=(0, (U64, 4)), pack=(32, (U8, 64)))
"""Where a round is dealt: the stream that is open, and the pack."""

# ---------------------------------------------------------------------------------------------- a side's desk
DESK_BYTES = 1 << 15  # the other side's desk lies at address XOR DESK_BYTES
OWN_PLIES, KIND_CELLS, CLASS_CELLS = 24, 8, 16  # of a side in a round; cells a counter has for kinds and classes
FACED_SIZES = 32
SLATE_AT, SLATE_WORDS = 24576, (DESK_BYTES - 24576) // 8
DESK = layout(
    DESK_BYTES,
    s0=(0, U64), s1=(8, U64),  # the stream of the seat in which this side sits
    pile=(32, I64),  # card set
    kinds=(40, I64),  # basras made in the round, by kind in fields of KIND_BITS
    score=(48, I64),  # points in the game before this round
    base=(56, I64), rules=(64, I64), parameters=(72, I64),  # addresses
    buried=(80, I64),  # card set
    stake=(88, I64),  # points that more cards bring
    codes=(96, I64),  # address
    side=(104, I64), cheats=(112, I64),
    secrets=(120, I64), annex=(128, I64), opening=(136, I64),  # addresses: of the deal for cheats, of the annex, of the first row
    mark=(504, I64),  # odd while this side's strategy is at work, where that is watched; never the same twice
    played=(512, (U8, 48)),  # the cards this side played in the round, at their plies; NOT_KNOWN where a position does not tell
    plays=(1024, (I64, 2 * OWN_PLIES * KIND_CELLS)),  # by role, own ply, kind: plays in the low half, cards taken in the high
    faced=(4096, (I32, FACED_SIZES * KIND_CELLS * CLASS_CELLS)),  # plays by floor size, kind, class
    slate=(SLATE_AT, (I64, SLATE_WORDS)),  # the side's own to write on while it thinks
)  # fmt: skip
NOT_KNOWN = 255
# for plain Python that packs a desk's words at once, and for the address of a part
PILE_AT, BURIED_AT, SECRETS_AT = place_in(DESK, "pile"), place_in(DESK, "buried"), place_in(DESK, "secrets")
MARK_AT, PLAYED_AT = place_in(DESK, "mark"), place_in(DESK, "played")
KIND_BITS, KIND_FIELD = 10, 1023

# ---------------------------------------------------------------------------------------------- rules and settings
RULES = layout(
    8 * (len(RuleNumbers._fields) + 52),
    **{name: (8 * place, I64) for place, name in enumerate(RuleNumbers._fields)},
    card_points=(8 * len(RuleNumbers._fields), (I64, 52)),
)
BONUS_GROUP = words("cards", "points")  # a card set, and the card points of each of its cards

_UNSIGNED = ("round_key", "hashed_pair")  # words of the streams' names
_SETTINGS = (
    "seed", "round_key", "hashed_pair", "first_pair", "pairs", "only_game", "packs",
    "banned", "ban_action", "first_dealer", "fixed_dealer", "margin_unit", "margin_cells",
    "table", "codes", "starts", "pair_numbers", "rules", "bonus_groups", "bonus_count", "desks", "deals", "scratch",
    "majorities", "role_points", "role_cards", "round_margins",
    "games", "leader_points", "rounds", "rounds_left", "rounds_played", "history", "history_left",
    "fault", "fault_pair", "fault_game", "fault_round", "fault_ply", "fault_seat", "fault_side", "fault_card", "fault_hand",
    "now_pair", "now_game", "desks_at", "kinds_a", "kinds_b",
)  # fmt: skip
CONTEXT = np.dtype([(name, U64 if name in _UNSIGNED else I64) for name in _SETTINGS], align=True)
"""What kernels are given: settings, the addresses of everything else, and what stopped them."""

NO_FAULT, BAD_CARD, NO_END, ROUNDS_FULL = range(4)
MOST_ROUNDS = 100_000  # a game that goes on longer has no end: its strategies score nothing
GAME_BYTES, ROUND_BYTES = GAME_DTYPE.itemsize, ROUND_DTYPE.itemsize
LEADER = np.dtype([("points", I32)])  # what the leaders of a game's rounds scored
LEADER_BYTES = LEADER.itemsize
HISTORY_BYTES = 64  # 48 cards of a round in the order they were played
ANNEX_BYTES = 8 << 20  # a side's room for search trees and tables: takes memory only where it is written on
ROOM_BYTES = CONTEXT.itemsize + 4 * DESK_BYTES  # of the part of a memory that another process may watch

context_at, desk_at, deal_at, scratch_at = map(record_at, (CONTEXT, DESK, DEAL, SCRATCH))
rules_at, bonus_group_at, row_at, header_at = map(record_at, (RULES, BONUS_GROUP, ROW, HEADER))
card_stream_at, seat_stream_at = map(record_at, (CARD_STREAM, SEAT_STREAM))
game_at, round_at, leader_at = map(record_at, (GAME_DTYPE, ROUND_DTYPE, LEADER))
pair_numbers_at, starts_at = map(record_at, (PAIR_NUMBERS, STARTS))
