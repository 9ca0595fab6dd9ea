"""One match in the memory of one worker: seats taken, pairs played by the engine, and what stopped it. Writes no file."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Any

import numpy as np

from basra_sim.engine.floor_table.floors import FloorTable
from basra_sim.engine.kernels.games import play_pairs
from basra_sim.engine.layouts import ROUNDS_FULL
from basra_sim.engine.memory import Memory
from basra_sim.players.interpreted_seat import InterpretedSeat
from basra_sim.players.player import parameter_words
from basra_sim.records.counters import MatchTotals
from basra_sim.skill.value_tables import block, margin_unit

from .match_sums import add_up
from .plan import Plan


@dataclass
class Fault:
    """A play that stopped the run."""

    code: int
    side: int
    seat: int
    pair: int
    game: int
    round: int
    ply: int
    card: int
    hand: int
    error: Any = None  # the exception that an interpreted strategy raised
    answer: Any = None  # what it returned in place of a card


class Worker:
    """One match made ready in one worker's memory."""

    def __init__(
        self, plan: Plan, match: int, table: FloorTable, capacity: int, want_rounds: bool, room: np.ndarray | None = None
    ) -> None:
        self.plan, self.match = plan, match
        rounds = capacity * (2 if plan.rules.single_round else 24) + 64 if want_rounds else 0
        unit = margin_unit(plan.rules)
        self.memory = Memory(plan.rules, table, capacity, rounds=rounds, margin_unit=unit, room=room)
        self.memory.give_packs(plan.packs)
        if any(plan.players[number].strategy.uses_values for number in plan.matches[match]):
            self.memory.give_values(block(plan.rules))
        self.seats: list[InterpretedSeat | None] = [None, None]
        self.addresses = [0, 0]
        for side, number in enumerate(plan.matches[match]):
            player = plan.players[number]
            self.memory.give_parameters(side, parameter_words(player.strategy.parameters))
            if player.strategy.card.cheats:
                self.memory.open_hands(side)
            if player.entry is not None:
                self.addresses[side] = player.entry.address
            else:
                seat = InterpretedSeat(player.strategy, plan.rules, self.memory, side)
                self.seats[side], self.addresses[side] = seat, seat.address

    def play(self, first_pair: int, pairs: int, done: int = 0) -> tuple[int, Fault | None]:
        """Play so many pairs after the `done` from `first_pair` on that lie in the memory already; counters add up.

        Returns the number finished and what stopped it; the counters then speak of whole pairs only. Buffers grow as needed.
        """
        memory, wanted, before = self.memory, pairs, done
        while True:
            if done == 0:
                memory.clear_counters()
            memory.start(self.plan.seed, first_pair + done, pairs, done)
            finished = int(play_pairs(self.addresses[0], self.addresses[1], memory.context.ctypes.data))
            if memory.get("fault") != ROUNDS_FULL:
                break
            memory.rounds = np.zeros(2 * len(memory.rounds), memory.rounds.dtype)
            pairs, done = pairs + done, 0  # from the start, into the larger buffer
        if finished == pairs:
            return wanted, None
        fault = self._fault()
        self._raise_if_interrupted(fault)
        whole = done + finished
        if whole:  # the counters hold half a pair: play the whole ones again
            self.play(first_pair, whole)
        return whole - before, fault

    def _fault(self) -> Fault:
        get = self.memory.get
        numbers = [get(f"fault_{name}") for name in ("side", "seat", "pair", "game", "round", "ply", "card", "hand")]
        fault = Fault(get("fault"), *numbers)
        seat = self.seats[fault.side]
        if seat is not None:
            fault.error, fault.answer = seat.fault, seat.answer
        return fault

    def _raise_if_interrupted(self, fault: Fault) -> None:
        # where Ctrl-C is ignored, the strategy has raised it itself
        if isinstance(fault.error, KeyboardInterrupt) and signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
            raise fault.error

    def totals(self, pairs: int) -> MatchTotals:
        """The counters of what lies in the memory."""
        totals = self.plan.empty_totals(self.match)
        add_up(totals, self.memory, pairs)
        return totals

    def rounds(self, finished: int) -> np.ndarray:
        """The records of rounds that lie in the memory: none of a first pair that was not finished."""
        memory = self.memory
        return memory.rounds[: memory.get("rounds_played") if finished and len(memory.rounds) else 0]
