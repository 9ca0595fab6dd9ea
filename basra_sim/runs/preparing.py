"""A run made ready: settings checked, strategies loaded and compiled, the form and the end of its matches, notes for the user."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from basra_sim.errors import BadInput
from basra_sim.game.packs import read_packs
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import RuleSet
from basra_sim.players.player import prepare
from basra_sim.players.python_objects import load_strategies
from basra_sim.players.strategy import Strategy
from basra_sim.skill.value_tables import is_fallback
from basra_sim.workers.plan import Plan
from basra_sim.workers.value_counts import can_count

from .run_settings import Settings, check
from .stopping import Watcher, make_watcher
from .tournament import Form, make_form


@dataclass
class Prepared:
    """A run that is checked, loaded and compiled, with nothing played yet."""

    plan: Plan
    form: Form
    watcher: Watcher
    notes: list[str]
    rules_name: str


def plan_run(given: Sequence[Any], settings: Settings) -> Prepared:
    """Everything checked, loaded and compiled; BadInput for what cannot be played as asked."""
    games, seed, notes = check(settings, len(given))
    watcher = make_watcher(settings)
    packs = read_packs(settings.packs) if settings.packs is not None else None
    rules = settings.rules if isinstance(settings.rules, RuleSet) else load_rules(settings.rules, settings.set)
    rules_name = rules.name
    unit = settings.unit
    if packs is not None:
        unit, games = "packs", 2 * len(packs)
    if unit != "game":
        rules = replace(rules, single_round=True)
    form = make_form(settings.tournament, len(given), games // 2)
    if packs is not None and settings.tournament in ("knockout", "adaptive"):
        raise BadInput(f"--packs plays each pack once; --tournament {settings.tournament} may need more: leave one of them out")
    strategies = load_strategies(given, settings.strategies)
    players = [prepare(strategy, settings.interpret) for strategy in strategies]
    if settings.interpret:
        notes.append("all strategies play interpreted: --interpret was given")
    else:
        notes += [f"{p.strategy.name} plays interpreted: {p.reason}" for p in players if p.mode == "interpreted"]
    if settings.forgives(len(players)):
        notes += [
            f"{strategy.name} is an object of this Python program and plays in its process: a play of it that never ends, or "
            "ends the process, cannot be made a forfeit; give a file for that"
            for strategy in strategies if strategy.path is None
        ]  # fmt: skip
    plan = Plan(rules, seed, unit, games, players, form.matches, packs)
    playing = [player.strategy for player in plan.players]
    notes += fallback_notes(playing, rules) + clock_notes(playing)
    entries = [p.strategy.describe() for p in plan.players]
    form.same = [k for k, (i, j) in enumerate(form.matches) if _same(entries[i], entries[j])]
    return Prepared(plan, form, watcher, notes, rules_name)


def fallback_notes(strategies: Sequence[Strategy], rules: RuleSet) -> list[str]:
    """What strategies have to make do with under these rules, one line each: numbers of other rules, tables nobody counted."""
    serving: dict[str, list[str]] = {}
    for strategy in strategies:
        section = strategy.stand_in(rules)
        if section is not None:
            serving.setdefault(section.name, []).append(strategy.name)
    notes = [
        f"{', '.join(names)}: no parameters for these rules; those for {section}, the nearest, serve"
        for section, names in serving.items()
    ]
    users = [strategy.name for strategy in strategies if strategy.uses_values]
    if users and is_fallback(rules) and not can_count():
        notes.append(
            f"{', '.join(users)}: what leads are worth under these rules is the stated guess, for nobody has counted it and "
            "counting takes compiled code"
        )
    return notes


def clock_notes(strategies: Sequence[Strategy]) -> list[str]:
    """A line for each strategy whose plays depend on how fast the machine is."""
    return [
        f"{s.name} thinks by the clock ({s.card.timed} is set): the digest of this run depends on the machine, and the same seed "
        "need not give the same games again"
        for s in strategies
        if s.by_the_clock
    ]


def _same(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(one["sha256"] == other["sha256"] and one["parameters"] == other["parameters"])
