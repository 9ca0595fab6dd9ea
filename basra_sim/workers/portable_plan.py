"""A plan that can be sent to another process: names, files and numbers, from which it makes the same plan again.

Strategies travel as names, and their files as text, never as pickled functions.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from basra_sim.engine.jit.cache_folder import sources_hash
from basra_sim.errors import BadInput
from basra_sim.game.rules import RuleSet
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.strategy import Strategy, distinct_names
from basra_sim.players.strategy_files import builtin_folder

from .plan import Plan


@dataclass(frozen=True)
class PortablePlan:
    """Everything of a plan but compiled code."""

    rules: dict[str, Any]
    seed: int
    unit: str
    games: int
    strategies: tuple[tuple[str, str, dict[str, Any], bytes], ...]  # file, sha256, parameters, source
    names: tuple[str, ...]
    folders: tuple[str, ...]
    interpret: bool
    matches: tuple[tuple[int, int], ...]
    packs: Any = None
    engine: str = ""  # a hash of the sources that compiled code is made of


def is_builtin(strategy: Strategy) -> bool:
    """Whether a strategy is shipped with the program."""
    return strategy.path is not None and builtin_folder() in Path(strategy.path).resolve().parents


def portable(plan: Plan, folders: Sequence[str | Path] = (), interpret: bool = False) -> PortablePlan:
    """A plan as it is sent; BadInput for a strategy that is no file."""
    entries = []
    for player in plan.players:
        strategy = player.strategy
        if strategy.path is None:
            raise BadInput(f"strategy {strategy.name} is an object of this Python program and cannot travel to another process")
        path = Path(strategy.path).resolve()
        entries.append((str(path), strategy.sha256, strategy.parameters._asdict(), path.read_bytes()))
    return PortablePlan(
        plan.rules.to_dict(), plan.seed, plan.unit, plan.games, tuple(entries),
        tuple(player.strategy.name for player in plan.players), tuple(str(folder) for folder in folders), interpret,
        tuple((int(i), int(j)) for i, j in plan.matches), plan.packs,
        sources_hash(),
    )  # fmt: skip


def plan_of(sent: PortablePlan, watched: bool = False) -> Plan:
    """The plan that was sent, made ready here. `watched`: strategies that are not built in mark when they are at work."""
    strategies = [_strategy(*entry) for entry in sent.strategies]
    distinct_names(strategies)
    for strategy, name in zip(strategies, sent.names, strict=True):
        strategy.name = name
    players = [prepare(s, sent.interpret, watched=watched and not is_builtin(s)) for s in strategies]
    return Plan(RuleSet(**sent.rules), sent.seed, sent.unit, sent.games, players, sent.matches, sent.packs)


def _strategy(file: str, sha256: str, parameters: dict[str, Any], source: bytes) -> Strategy:
    """Load a strategy from its file if it is here and the same, else from the text that came along."""
    path = Path(file)
    for place in (path, builtin_folder() / path.name):
        if place.is_file() and hashlib.sha256(place.read_bytes()).hexdigest() == sha256:
            break
    else:
        place = Path(tempfile.mkdtemp(prefix="basra-sim-")) / path.name
        place.write_bytes(source)
    return load(str(place), bare=True).with_given(parameters)
