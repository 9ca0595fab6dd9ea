"""A fault as one line: who did what, where. What compiled code does not say, a second look with plain Python does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.jit.strategy_calls import RAISED
from basra_sim.engine.layouts import BAD_CARD, MOST_ROUNDS, NO_END
from basra_sim.errors import BasraError, StrategyFault, one_line
from basra_sim.game.cards import card_text, set_text
from basra_sim.players.player import Player

from .plan import Plan
from .worker import Fault, Worker


def fault_error(plan: Plan, match: int, fault: Fault) -> BasraError:
    """A fault as one line that names strategy, match, pair, game, round, ply and card."""
    players = [plan.players[number] for number in plan.matches[match]]
    place = f"in match {' - '.join(plan.names(match))}, pair {fault.pair}, game {fault.game}, round {fault.round}"
    if fault.code == NO_END:
        return BasraError(f"{place}: no end after {MOST_ROUNDS:,} rounds; these strategies score nothing under these rules")
    strategy = players[fault.side].strategy
    where = f"{place}, ply {fault.ply} (deal {fault.ply // 8})"
    if players[fault.side].entry is not None and not 0 <= fault.card <= 51:
        _replay_interpreted(plan, match, fault)
    return StrategyFault(f"strategy {strategy.name} {_what(fault, strategy.path)}, {where}")


def _what(fault: Fault, path: Path | None) -> str:
    """What the strategy did."""
    if fault.error is not None:
        return f"raised {one_line(fault.error, path)}"
    if fault.answer is not None:
        return f"returned {_short(fault.answer)}, which is no card"
    if 0 <= fault.card <= 51:
        return f"played {card_text(fault.card)}, which it does not hold (its hand: {set_text(fault.hand)})"
    if fault.card == RAISED:
        return "raised an error as compiled code that its plain Python does not raise (numbers beyond 64 bits?)"
    return f"returned {fault.card}, which is no card (its hand: {set_text(fault.hand)})"


def _short(answer: Any) -> str:
    text = repr(answer).replace("\n", " ")
    return text if len(text) <= 60 else f"{text[:57]}..."


def _replay_interpreted(plan: Plan, match: int, fault: Fault) -> None:
    """Play the pair again with the plain Python of the strategy at fault: compiled code does not say what it raised."""
    numbers = plan.matches[match]
    players = list(plan.players)
    number = numbers[fault.side]
    players[number] = Player(players[number].strategy, None, "to see what it raised")
    worker = Worker(replace(plan, players=players), match, load_table(plan.rules), 1, False)
    _, seen = worker.play(fault.pair, 1)
    if seen is not None and seen.side == fault.side and seen.code == BAD_CARD:
        fault.error, fault.answer = seen.error, seen.answer
