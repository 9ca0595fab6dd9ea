"""One worker's memory: the arrays behind the layouts, and what a caller sets and reads by name.

The kernels get one address, of the context. Every array must outlive the kernel's call.
"""

from __future__ import annotations

import mmap
from typing import Any

import numpy as np

from basra_sim.engine.floor_table.floors import FloorTable
from basra_sim.game.cards import JACKS, KOMI
from basra_sim.game.rules import RuleSet
from basra_sim.records.counters import GAME_DTYPE, MARGIN_CELLS, ROUND_DTYPE

from .jit.instructions import signed64
from .layouts import (
    ANNEX_BYTES,
    CLASS_CELLS,
    CONTEXT,
    DEAL_BYTES,
    DESK,
    DESK_BYTES,
    FACED_SIZES,
    GAME_BYTES,
    HISTORY_BYTES,
    KEPT_DEALS,
    KIND_CELLS,
    NO_FAULT,
    OWN_PLIES,
    ROOM_BYTES,
    SCRATCH_BYTES,
)
from .rule_numbers import bonus_groups, rules_block


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


class Memory:
    """The arrays of one worker for one match. `context` is what kernels are given; the counters are read afterwards.

    `room` is where the context and, from the next multiple of twice their size, the desks are to lie (ROOM_BYTES).
    """

    def __init__(
        self, rules: RuleSet, table: FloorTable, pairs: int, *, rounds: int = 0, margin_unit: int = 1, room: Any = None
    ) -> None:
        self.rules, self.table = rules, table
        room = np.zeros(ROOM_BYTES, np.uint8) if room is None else room
        self.context = room[: CONTEXT.itemsize].view(CONTEXT)
        self.rules_block = rules_block(rules)
        self.bonus = bonus_groups(rules)
        start = CONTEXT.itemsize + -(room.ctypes.data + CONTEXT.itemsize) % (2 * DESK_BYTES)
        room[: start + 2 * DESK_BYTES] = 0
        self.desks = room[start : start + 2 * DESK_BYTES].view(DESK)
        self.set("desks_at", start)  # where they lie in the room, for who watches it from outside
        self.parameters = [np.zeros(0), np.zeros(0)]
        self.deals = aligned((KEPT_DEALS + 1) * DEAL_BYTES, 64)
        self.scratch = aligned(SCRATCH_BYTES, 64)
        self.annexes = untouched(2 * ANNEX_BYTES).reshape(2, ANNEX_BYTES)
        self.games = np.zeros((pairs, 2), GAME_DTYPE)
        self.leader_points = np.zeros((pairs, 2), np.int32)
        self.rounds = np.zeros(rounds, ROUND_DTYPE)
        self.history = np.zeros((0, HISTORY_BYTES), np.uint8)
        # views of the desks: side x role x own ply x kind, and side x floor size x kind x class
        self.plays = self.desks["plays"].reshape(2, 2, OWN_PLIES, KIND_CELLS)
        self.faced = self.desks["faced"].reshape(2, FACED_SIZES, KIND_CELLS, CLASS_CELLS)
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
        desks = self.desks
        desks["base"], desks["codes"] = self.table.base, self.table.codes.ctypes.data
        desks["rules"] = self.rules_block.ctypes.data
        desks["side"] = (0, 1)
        desks["annex"] = [annex.ctypes.data for annex in self.annexes]

    def _banned(self) -> int:
        sets = {"jacks_and_komi": JACKS | 1 << KOMI, "jacks": JACKS, "none": 0}
        return 0 if self.rules.floor_ban_action == "leave" else sets[self.rules.floor_banned]

    def set(self, name: str, value: int) -> None:
        """Set a word of the context by name."""
        self.context[name] = value

    def get(self, name: str) -> int:
        """A word of the context by name."""
        return int(self.context[name][0])

    def give_parameters(self, side: int, values: np.ndarray) -> None:
        """The parameters of a side's strategy: 64-bit words, integers or floats as the strategy declares them."""
        self.parameters[side] = values
        self.desks["parameters"][side] = values.ctypes.data

    def open_hands(self, side: int) -> None:
        """Let a side's strategy, which says CHEATS = True, see all hands of each round."""
        self.desks["cheats"][side] = 1

    def give_values(self, table: np.ndarray) -> None:
        """Tables of skill/values.py for strategies that ask what a lead is worth: float64 words behind the rule numbers."""
        self.rules_block = np.concatenate([rules_block(self.rules), table.view(np.int64)])
        self.set("rules", self.rules_block.ctypes.data)
        self.desks["rules"] = self.rules_block.ctypes.data

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
