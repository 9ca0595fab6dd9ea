"""How long a strategy takes for a play: compiled ones less what the engine takes, interpreted ones on kept views."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.game.rules import RuleSet
from basra_sim.players.loading import load
from basra_sim.players.player import Player, prepare
from basra_sim.players.python_objects import from_object
from basra_sim.workers.plan import Plan
from basra_sim.workers.worker import Worker

RULES = RuleSet(single_round=True)


def time_a_play(player: Player, seed: int = 1) -> float:
    """Nanoseconds that one `choose` takes on positions of play against itself.

    Compiled: rounds against itself less the same of `first`, which does next to nothing. Interpreted: calls on kept views.
    """
    if player.entry is None:
        return _time_calls(player, seed)
    first = prepare(load("first"))
    rounds = 200
    while True:
        own = min(_seconds_a_play(player, rounds, seed) for _ in range(3))
        if own * rounds * 48 > 0.02 or rounds > 100_000:
            break
        rounds *= 8
    return max(0.0, own - min(_seconds_a_play(first, rounds, seed) for _ in range(3))) * 1e9


def _seconds_a_play(player: Player, rounds: int, seed: int) -> float:
    plan = Plan(RULES, seed, "round", rounds, [player, player], [(0, 1)])
    worker = Worker(plan, 0, load_table(RULES), rounds // 2, False)
    started = time.perf_counter()
    worker.play(0, rounds // 2)
    return (time.perf_counter() - started) / (48 * (rounds // 2 * 2))


def _time_calls(player: Player, seed: int) -> float:
    strategy = player.strategy
    choose = strategy.factory().choose if strategy.factory else strategy.choose
    stop = time.perf_counter() + 2
    views = _views(player, choose, seed, stop)
    best = float("inf")
    for _ in range(3):
        started = time.perf_counter()
        for view in views:
            choose(view)
        best = min(best, (time.perf_counter() - started) / max(1, len(views)))
        if time.perf_counter() > stop:
            break
    return best * 1e9


def _views(player: Player, choose: Callable[[Any], int], seed: int, stop: float) -> list[Any]:
    """What a strategy sees in up to 40 pairs of games against greedy."""
    views: list[Any] = []

    def watch(view: Any) -> int:
        views.append(view)
        return choose(view)

    watcher = Player(from_object(watch), None, "")
    watcher.strategy.parameters = player.strategy.parameters
    plan = Plan(RULES, seed, "game", 2, [watcher, prepare(load("greedy"))], [(0, 1)])
    worker = Worker(plan, 0, load_table(RULES), 1, False)
    pair = 0
    while pair < 40 and time.perf_counter() < stop:
        worker.play(pair, 1)
        pair += 1
    return views
