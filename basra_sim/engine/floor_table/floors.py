"""The floor automaton: every floor that can be reached, and what each class of card does to it, in one table look-up.

A floor is counted by rank, with the komi apart unless it lies there as a plain 7 (komi_on_floor = seven). The table is a
compiled twin of the readable capture code, which judges it exhaustively in the tests.

A row is 64 bytes: 14 entries of 32 bits, one for each class of card that may be played (ranks A..K as 0..12, the komi as
13), then the 52-bit set of all cards whose rank lies on the floor. An entry, from its lowest bit: the floor cards taken
(5 bits), rare (1: it scores or wants a closer look), the next row (19, so that masked it is an offset in bytes), the kind
of play (3), a mark that the exact cards need a closer look (1). floor_builder.py makes the rows, kept_tables.py keeps them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from basra_sim.engine.jit.compiling import JIT_ON, hot, piece
from basra_sim.engine.jit.instructions import popcount, signed64, unsigned, word
from basra_sim.engine.jit.strategy_calls import call_address, callback, callback_address, strategy_entry
from basra_sim.engine.layouts import CLASSES, HEADER, PAIRS_OF_CLASSES, ROW_BYTES, header_at, row_at
from basra_sim.game.cards import KOMI
from basra_sim.game.rules import RuleSet

JACK_CLASS, KOMI_CLASS = 10, 13
TAKEN, RARE, NEXT_SHIFT, NEXT, KIND_SHIFT, LOOK = 31, 32, 6, ((1 << 19) - 1) << 6, 25, 1 << 28
KOMI_BIT = 1 << 39  # in a floor's code: 3 bits a rank for ranks 0..12, then the komi
MAX_ROWS = 1 << 19


class FloorTable(NamedTuple):
    """The automaton of a rule set; the arrays must outlive every kernel that was given their addresses."""

    rows: np.ndarray  # uint32 (1 + n, 16), 64-byte aligned; row 0 is a header, floors start at row 1 (the empty floor)
    codes: np.ndarray  # int64 (n,): the counted floor of each row
    starts: np.ndarray  # uint32 (105 * 105,): the row of a first floor by its two pairs of classes
    pairs: np.ndarray  # uint8 (256,): the number of an unordered pair of classes, at 16 * one + other

    @property
    def base(self) -> int:
        """The address of the empty floor's row."""
        return int(self.rows.ctypes.data) + ROW_BYTES

    def start(self, classes: list[int]) -> int:
        """The row number of a first floor of four classes."""
        one, other = (int(self.pairs[16 * classes[k] + classes[k + 1]]) for k in (0, 2))
        return int(self.starts[one * PAIRS_OF_CLASSES + other])


@hot
def class_of(card):
    """The class 0..13 of a card: its rank, the komi apart."""
    return KOMI_CLASS if card == KOMI else card >> 2


# ------------------------------------------------------------------------------------------------ keys and shapes
TABLE_OPTIONS = ("jack_basra", "komi_power", "komi_basra", "komi_on_lone_jack", "jack_on_lone_komi", "komi_on_floor")


def table_options(rules: RuleSet) -> np.ndarray:
    """The table's options as indices into the lists of allowed values."""
    return np.array([rules.code(name) for name in TABLE_OPTIONS], np.int64)


def floor_classes(rules: RuleSet) -> list[int]:
    """The classes that may lie on the first floor."""
    banned: set[int] = set()
    if rules.floor_ban_action != "leave" and rules.floor_banned != "none":
        banned = {JACK_CLASS} if rules.floor_banned == "jacks" else {JACK_CLASS, KOMI_CLASS}
    return [card_class for card_class in range(CLASSES) if card_class not in banned]


def pair_numbers() -> np.ndarray:
    pairs = np.zeros(256, np.uint8)
    number = 0
    for one in range(CLASSES):
        for other in range(one, CLASSES):
            pairs[16 * one + other] = pairs[16 * other + one] = number
            number += 1
    return pairs


def _present_set(codes: np.ndarray, merged: bool) -> np.ndarray:
    present = np.zeros(len(codes), np.int64)
    for rank in range(13):
        suits = 0xD if rank == 6 and not merged else 0xF
        present |= np.where((codes >> (3 * rank)) & 7 > 0, suits << (4 * rank), 0)
    return present | np.where(codes & KOMI_BIT != 0, 1 << KOMI, 0)


# ------------------------------------------------------------------------------------------------ rows
def aligned_rows(rows: np.ndarray) -> np.ndarray:
    """A copy of the rows that starts at a multiple of 64 bytes, so that a row is one cache line."""
    room = np.empty(rows.nbytes + ROW_BYTES, np.uint8)
    shift = -room.ctypes.data % ROW_BYTES
    result = room[shift : shift + rows.nbytes].view(np.uint32).reshape(rows.shape)
    result[:] = rows
    return result


def table_rows(entries: np.ndarray, codes: np.ndarray, header: Sequence[int] | np.ndarray) -> np.ndarray:
    """The rows of the table, aligned, with the header before the first. header: two words.

    They are: what a jack on a lone komi makes where the table cannot tell the komi from another seven; is it merged so?
    """
    rows = np.zeros((len(codes) + 1, 16), np.uint32)
    rows[1:, :CLASSES] = entries
    rows[1:, 14:] = _present_set(codes, bool(header[1])).view(np.uint32).reshape(-1, 2)
    rows[0, :2] = header
    return aligned_rows(rows)


# ------------------------------------------------------------------------------------------------ the exact cards
def exact_floor(floor, code, merged, _3, _4, _5):
    """The exact cards left of `floor` when a capture makes it `code`: of each rank the lowest ids are taken.

    A komi that is not merged into the sevens is taken by every capture, so it goes first. It is needed about once in a
    hundred plies and called by address, so that it does not crowd the kernels.
    """
    if merged == 0:
        floor &= ~(1 << KOMI)
    left = 0
    for rank in range(13):
        cards = floor & (0xF << (4 * rank))
        for _ in range(popcount(cards) - ((code >> (3 * rank)) & 7)):
            cards &= cards - 1
        left |= cards
    return left


@lru_cache(maxsize=1)
def _exact_floor_function() -> tuple[Any, int]:
    """The compiled function (kept alive) and its address."""
    if JIT_ON:
        made = strategy_entry(exact_floor)
        return made, made.address
    made = callback(exact_floor)
    return made, callback_address(made)


def ready(table: FloorTable) -> FloorTable:
    """The table with the header's word filled in that differs from process to process."""
    table.rows[:1].view(HEADER)["exact_floor"] = _exact_floor_function()[1]
    return table


# ------------------------------------------------------------------------------------------------ reading an entry
@hot
def entry_of(row, card_class):
    """The entry of a class of card in the row at an address."""
    return signed64(row_at(row).entries[unsigned(card_class)])


@hot
def kind_of_entry(entry):
    """The kind of play 0..5 that an entry says."""
    return (entry >> KIND_SHIFT) & 7


@piece
def look_closer(floor, card_class, entry, base, codes):
    """The exact cards left and the kind where a table entry bears the mark LOOK (a capture, always)."""
    header = header_at(base - ROW_BYTES)
    kind = kind_of_entry(entry)
    code = word(codes, (entry & NEXT) >> NEXT_SHIFT)
    if card_class == JACK_CLASS and floor == 1 << KOMI:
        kind = header.lone_seven_kind + 0  # a jack on a lone komi, merged into the sevens
    return call_address(header.exact_floor, floor, code, header.merged, 0, 0, 0), kind
