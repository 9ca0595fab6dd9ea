"""One worker's memory: where the engine finds and leaves everything, as byte offsets, and the arrays behind them.

The kernels get one address, of the context: words of 64 bits that hold settings and the addresses of the other arrays.
Every array must outlive the kernel's call.
"""

from __future__ import annotations

import mmap
from functools import lru_cache
from typing import Any

import numpy as np

from basra_sim.game.cards import JACKS, KOMI
from basra_sim.game.rules import RuleSet
from basra_sim.records.counters import GAME_DTYPE, MARGIN_CELLS, ROUND_DTYPE

from .floors import FloorTable
from .sight import ANNEX_AT, BASE_AT, CHEATS_AT, CODES_AT, DESK_BYTES, PARAMETERS_AT, RULES_AT, SIDE_AT, rule_numbers
from .streams import signed64

# ---------------------------------------------------------------------------------------- the context, in words
_NAMES = (
    "seed", "pair_key", "round_key", "hashed_pair", "first_pair", "pairs", "packs", "margin_unit", "margin_cells",
    "table", "codes", "starts", "pair_numbers", "rules", "bonus_groups", "bonus_count",
    "banned", "ban_action", "first_dealer", "fixed_dealer", "desks", "deals", "scratch",
    "majorities", "role_points", "role_cards", "round_margins",
    "games", "leader_points", "rounds", "rounds_left", "history", "history_left",
    "fault", "fault_pair", "fault_game", "fault_round", "fault_ply", "fault_seat", "fault_side", "fault_card", "fault_hand",
    "rounds_played", "scores", "only_game", "now_pair", "now_game", "desks_at",
)  # fmt: skip
(
    SEED, PAIR_KEY, ROUND_KEY, HASHED_PAIR, FIRST_PAIR, PAIRS, PACKS, MARGIN_UNIT, MARGIN_CELLS_AT,
    TABLE, CODES, STARTS, PAIR_NUMBERS, RULES, BONUS_GROUPS, BONUS_COUNT,
    BANNED, BAN_ACTION, FIRST_DEALER, FIXED_DEALER, DESKS, DEALS, SCRATCH,
    MAJORITIES, ROLE_POINTS, ROLE_CARDS, ROUND_MARGINS,
    GAMES, LEADER_POINTS, ROUNDS, ROUNDS_LEFT, HISTORY, HISTORY_LEFT,
    FAULT, FAULT_PAIR, FAULT_GAME, FAULT_ROUND, FAULT_PLY, FAULT_SEAT, FAULT_SIDE, FAULT_CARD, FAULT_HAND,
    ROUNDS_PLAYED, SCORES, ONLY_GAME, NOW_PAIR, NOW_GAME, DESKS_AT,
) = (8 * index for index in range(len(_NAMES)))  # fmt: skip

NO_FAULT, BAD_CARD, NO_END, ROUNDS_FULL = range(4)
MOST_ROUNDS = 100_000  # a game that goes on longer has no end: its strategies score nothing

# One dealt round (16 words): the leader's six hands, the dealer's six, floor, row address, buried, plies of a deal.
DEAL_BYTES, DEAL_FLOOR, DEAL_ROW, DEAL_BURIED, DEAL_PLIES = 128, 96, 104, 112, 120
KEPT_DEALS = 64  # rounds of a pair kept for its second game; later ones are dealt again
# Scratch: four words of stream, then 128 bytes for a pack while it is dealt.
SCRATCH_PACK = 32

# Each side's desk: the words of view.py and, at HISTORY_AT, what this side played in the round, and
MARK_AT = 504  # odd while this side's strategy is at work, where that is watched; never the same twice
PLAYS_AT = 1024  # role x 24 own plies x 8 kinds, a word each: plays in the low half, floor cards taken in the high half
PLAYS_ROLE_BYTES = 24 * 8 * 8
FACED_AT = 4096  # floor size x 8 kinds x 16 classes, 32 bits each: plays
FACED_SIZES, FACED_SIZE_BYTES = 32, 16 * 8 * 4
SLATE_AT = 24576  # the rest of the desk is the side's own to write on while it thinks (basra_sim.skill.problem)
ANNEX_BYTES = 8 << 20  # a side's room for search trees and tables: takes memory only where it is written on
GAME_BYTES, ROUND_BYTES = GAME_DTYPE.itemsize, ROUND_DTYPE.itemsize
HISTORY_BYTES = 64  # 48 cards of a round in the order they were played


def aligned(n_bytes: int, alignment: int) -> np.ndarray:
    """Zeroed bytes that start at a multiple of `alignment`."""
    room = np.zeros(n_bytes + alignment, np.uint8)
    shift = -room.ctypes.data % alignment
    return room[shift : shift + n_bytes]


def untouched(n_bytes: int) -> np.ndarray:
    """Zeroed pages from the system, which take memory where they are written on, and go back at the end.

    What np.zeros gives is in the end memory used before, all of which it clears: 16 MB for each worker and chunk.
    """
    own = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(mmap, "MAP_PRIVATE") else {}
    return np.frombuffer(mmap.mmap(-1, n_bytes, **own), np.uint8)


@lru_cache(maxsize=16)
def rules_block(rules: RuleSet) -> np.ndarray:
    """The rule numbers, then the points of each card, as words."""
    return np.array([*rule_numbers(rules), *rules.points_of_cards()], np.int64)


@lru_cache(maxsize=16)
def bonus_groups(rules: RuleSet) -> np.ndarray:
    """Pairs of words (card set, points of each of its cards) for the cards with card points."""
    points = rules.points_of_cards()
    values = sorted(set(points) - {0})
    words = [(sum(1 << card for card in range(52) if points[card] == value), value) for value in values]
    return np.array(words, np.int64).reshape(-1, 2)


ROOM_BYTES = 8 * len(_NAMES) + 4 * DESK_BYTES  # of the part of a memory that another process may watch


class Memory:
    """The arrays of one worker for one match. `context` is what kernels are given; the counters are read afterwards.

    `room` is where the context and, from the next multiple of twice their size, the desks are to lie (ROOM_BYTES).
    """

    def __init__(
        self, rules: RuleSet, table: FloorTable, pairs: int, *, rounds: int = 0, margin_unit: int = 1, room: Any = None
    ) -> None:
        self.rules, self.table = rules, table
        room = np.zeros(ROOM_BYTES, np.uint8) if room is None else room
        self.context = room[: 8 * len(_NAMES)].view(np.int64)
        self.context[:] = 0
        self.rules_block = rules_block(rules)
        self.bonus = bonus_groups(rules)
        start = 8 * len(_NAMES) + -(room.ctypes.data + 8 * len(_NAMES)) % (2 * DESK_BYTES)
        self.desks = room[start : start + 2 * DESK_BYTES].reshape(2, DESK_BYTES)
        self.desks[:] = 0
        self.context[DESKS_AT // 8] = start  # where they lie in the room, for who watches it from outside
        self.parameters = [np.zeros(0), np.zeros(0)]
        self.deals = aligned((KEPT_DEALS + 1) * DEAL_BYTES, 64)
        self.scratch = aligned(256, 64)
        self.annexes = untouched(2 * ANNEX_BYTES).reshape(2, ANNEX_BYTES)
        self.games = np.zeros((pairs, 2), GAME_DTYPE)
        self.leader_points = np.zeros((pairs, 2), np.int32)
        self.rounds = np.zeros(rounds, ROUND_DTYPE)
        self.history = np.zeros((0, HISTORY_BYTES), np.uint8)
        self.plays = self._part(PLAYS_AT, 2 * PLAYS_ROLE_BYTES, np.int64).reshape(2, 2, 24, 8)
        self.faced = self._part(FACED_AT, FACED_SIZES * FACED_SIZE_BYTES, np.int32).reshape(2, FACED_SIZES, 8, 16)
        self.majorities = np.zeros((2, 3), np.int64)
        self.role_points = np.zeros((2, 2), np.int64)
        self.role_cards = np.zeros((2, 2), np.int64)
        # a cell a point, so that the engine need not divide; collected in units
        self.round_margins = np.zeros((2, (MARGIN_CELLS - 1) * margin_unit + 1), np.int64)
        self.packs: np.ndarray | None = None
        self._point(margin_unit)

    def _point(self, margin_unit: int) -> None:
        settings = {
            "margin_unit": margin_unit,
            "margin_cells": self.round_margins.shape[1],
            "table": self.table.base,
            "bonus_count": len(self.bonus),
            "banned": self._banned(),
            "ban_action": self.rules.code("floor_ban_action"),
            "first_dealer": self.rules.code("first_dealer"),
            "fixed_dealer": self.rules.code("dealer_rotation"),
        }
        arrays = {
            "codes": self.table.codes, "starts": self.table.starts, "pair_numbers": self.table.pairs,
            "rules": self.rules_block, "bonus_groups": self.bonus, "desks": self.desks, "deals": self.deals,
            "scratch": self.scratch, "majorities": self.majorities, "role_points": self.role_points,
            "role_cards": self.role_cards, "round_margins": self.round_margins, "games": self.games,
            "leader_points": self.leader_points,
        }  # fmt: skip
        for name, value in settings.items():
            self.set(name, value)
        for name, array in arrays.items():
            self.set(name, array.ctypes.data)
        words = self.desks.view(np.int64)
        words[:, BASE_AT // 8] = self.table.base
        words[:, RULES_AT // 8] = self.rules_block.ctypes.data
        words[:, CODES_AT // 8] = self.table.codes.ctypes.data
        words[:, SIDE_AT // 8] = (0, 1)
        words[:, ANNEX_AT // 8] = [annex.ctypes.data for annex in self.annexes]

    def _part(self, offset: int, length: int, dtype: Any) -> np.ndarray:
        return self.desks[:, offset : offset + length].view(dtype)

    def _banned(self) -> int:
        sets = {"jacks_and_komi": JACKS | 1 << KOMI, "jacks": JACKS, "none": 0}
        return 0 if self.rules.floor_ban_action == "leave" else sets[self.rules.floor_banned]

    def set(self, name: str, value: int) -> None:
        """Set a word of the context by name."""
        self.context[_NAMES.index(name)] = value

    def get(self, name: str) -> int:
        """A word of the context by name."""
        return int(self.context[_NAMES.index(name)])

    def give_parameters(self, side: int, values: np.ndarray) -> None:
        """The parameters of a side's strategy: 64-bit words, integers or floats as the strategy declares them."""
        self.parameters[side] = values
        self.desks.view(np.int64)[side, PARAMETERS_AT // 8] = values.ctypes.data

    def open_hands(self, side: int) -> None:
        """Let a side's strategy, which says CHEATS = True, see all hands of each round."""
        self.desks.view(np.int64)[side, CHEATS_AT // 8] = 1

    def give_values(self, table: np.ndarray) -> None:
        """Tables of skill/values.py for strategies that ask what a lead is worth: float64 words behind the rule numbers."""
        self.rules_block = np.concatenate([rules_block(self.rules), table.view(np.int64)])
        self.set("rules", self.rules_block.ctypes.data)
        self.desks.view(np.int64)[:, RULES_AT // 8] = self.rules_block.ctypes.data

    def give_packs(self, packs: np.ndarray | None) -> None:
        """Play these packs, uint8 (n, 52), instead of the pack streams: pair p plays pack p."""
        self.packs = packs
        self.set("packs", 0 if packs is None else packs.ctypes.data)

    def keep_history(self, rounds: int) -> np.ndarray:
        """Keep the cards of so many rounds, 64 bytes each (48 used), in the order the rounds are played."""
        self.history = np.zeros((rounds, HISTORY_BYTES), np.uint8)
        self.set("history", self.history.ctypes.data)
        self.set("history_left", rounds)
        return self.history

    def start(self, seed: int, first_pair: int, pairs: int, done: int = 0) -> None:
        """Ask for pairs first_pair .. first_pair + pairs - 1; with those `done` before, at most as many as the arrays hold."""
        self.set("games", self.games.ctypes.data + 2 * GAME_BYTES * done)
        self.set("leader_points", self.leader_points.ctypes.data + 2 * self.leader_points.itemsize * done)
        self.set("seed", signed64(seed))
        self.set("first_pair", first_pair)
        self.set("pairs", pairs)
        self.set("fault", NO_FAULT)
        if done == 0:  # otherwise the records of rounds and their count go on
            self.set("rounds", self.rounds.ctypes.data if len(self.rounds) else 0)
            self.set("rounds_left", len(self.rounds))
            self.set("rounds_played", 0)

    def clear_counters(self) -> None:
        """Set every counter to zero."""
        for array in (self.plays, self.faced, self.majorities, self.role_points, self.role_cards, self.round_margins):
            array[...] = 0
