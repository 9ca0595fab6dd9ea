"""One run: strategies in, totals and files out. What `basra-sim run` does, as a library call.

Order: load and compile the strategies, plan, play chunk by chunk (digest, records, counters), write the files.
"""

from __future__ import annotations

import hashlib
import secrets
import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from . import __version__
from .errors import BadInput, BasraError
from .files import match_name
from .packs import read_packs
from .records import MatchTotals, RunTotals
from .registry import Strategy, distinct_names, from_object, load
from .rules import RuleSet, load_rules
from .schedule import round_robin

UNITS = ("game", "round", "packs")
RECORDS = ("none", "rounds", "games")
MOST_SEED = (1 << 64) - 1


@dataclass
class Settings:
    """Everything that a run can be asked; the defaults are those of `basra-sim run`."""

    games: int = 10_000  # per match; rounds if unit is "round"; ignored with packs
    seed: int | None = None  # drawn if None
    rules: str | RuleSet = "egyptian-v2"
    set: Sequence[str] = ()  # OPTION=VALUE on top of the rules
    unit: str = "game"  # "game" or "round"
    packs: str | Path | None = None  # a pack file: each pack is one pair of rounds
    jobs: int = 1
    records: str = "none"  # "rounds" or "games" write a Parquet file of them
    interpret: bool = False
    strategies: Sequence[str | Path] = ()  # folders to search first
    chunk_pairs: int = 4096


@dataclass
class Outcome:
    """A run that has ended: whole, or stopped by `error` with everything so far in `totals`."""

    totals: RunTotals
    folder: Path | None
    error: BaseException | None = None
    summary: dict[str, Any] = field(default_factory=dict)


def load_strategies(given: Sequence[Any], folders: Sequence[str | Path]) -> list[Strategy]:
    """Strategies from specs, loaded strategies, functions or objects with a `choose`; repeated names get #2, #3."""
    loaded = []
    for one in given:
        if isinstance(one, Strategy):
            loaded.append(replace(one))
        else:
            loaded.append(load(one, folders) if isinstance(one, str) else from_object(one))
    distinct_names(loaded)
    return loaded


def check(settings: Settings, strategies: int) -> tuple[int, int, list[str]]:
    """The games a match, the seed and the notes of a run; BadInput for what cannot be asked."""
    if strategies < 2:
        raise BadInput("a run needs two strategies or more; to see one against itself, name it twice")
    if settings.jobs < 1:
        raise BadInput(f"--jobs {settings.jobs}: at least 1 worker is needed")
    if settings.games < 1:
        raise BadInput(f"--games {settings.games}: at least 1 game a match is needed")
    if settings.unit not in ("game", "round"):
        raise BadInput(f"--unit {settings.unit}: it is game or round")
    if settings.records not in RECORDS:
        raise BadInput(f"--records {settings.records}: it is one of {', '.join(RECORDS)}")
    seed = secrets.randbits(40) if settings.seed is None else settings.seed
    if not 0 <= seed <= MOST_SEED:
        raise BadInput(f"--seed {seed}: a seed is a whole number from 0 to 2^64-1")
    notes = []
    games = settings.games
    if games % 2 and settings.packs is None:
        word = "rounds" if settings.unit == "round" else "games"
        notes.append(f"{games:,} {word} a match rounded up to {games + 1:,}: they are played in pairs with the seats swapped")
        games += 1
    return games, seed, notes


def plan_run(given: Sequence[Any], settings: Settings) -> tuple[Any, list[str], str]:
    """(plan, notes, name of the rules): everything checked, loaded and compiled, nothing played yet."""
    games, seed, notes = check(settings, len(given))
    packs = read_packs(settings.packs) if settings.packs is not None else None
    rules = settings.rules if isinstance(settings.rules, RuleSet) else load_rules(settings.rules, settings.set)
    rules_name = rules.name
    unit = settings.unit
    if packs is not None:
        unit, games = "packs", 2 * len(packs)
    if unit != "game":
        rules = replace(rules, single_round=True)
    strategies = load_strategies(given, settings.strategies)
    from .players import prepare
    from .simulate import Plan

    players = [prepare(strategy, settings.interpret) for strategy in strategies]
    if settings.interpret:
        notes.append("all strategies play interpreted: --interpret was given")
    else:
        notes += [f"{p.strategy.name} plays interpreted: {p.reason}" for p in players if p.mode == "interpreted"]
    return Plan(rules, seed, unit, games, players, round_robin(len(players)), packs), notes, rules_name


def command_of(plan: Any, settings: Settings) -> str:
    """The command that plays the same run again, whatever machine and number of workers."""
    words = ["basra-sim", "run", *(player.strategy.spec for player in plan.players)]
    if plan.unit == "packs":
        words += ["--packs", str(settings.packs)]
    else:
        words += ["--games", str(plan.games)]
        if plan.unit == "round":
            words += ["--unit", "round"]
    words += ["--seed", str(plan.seed)]
    if settings.rules != "egyptian-v2":
        words += ["--rules", settings.rules if isinstance(settings.rules, str) else settings.rules.name]
    for setting in settings.set:
        words += ["--set", setting]
    for folder in settings.strategies:
        words += ["--strategies", str(folder)]
    return shlex.join(words)


def run(
    strategies: Sequence[Any],
    settings: Settings | None = None,
    *,
    folder: Path | None = None,
    progress: Any = None,
    on_plan: Callable[[Any, list[str]], None] | None = None,
    command: str | None = None,
    **asked: Any,
) -> Outcome:
    """Play every pair of strategies and return the outcome; keyword arguments are fields of Settings.

    `folder` (which must exist and be empty) gets the files of the run. A strategy's fault or Ctrl-C ends the run early and
    is returned as `outcome.error`, with everything so far counted and written; BadInput is raised before anything is played.
    """
    settings = settings or Settings(**asked)
    plan, notes, rules_name = plan_run(strategies, settings)
    if on_plan:
        on_plan(plan, notes)
    totals = RunTotals(
        rules=plan.rules.to_dict(),
        rules_name=rules_name,
        seed=plan.seed,
        unit=plan.unit,
        games_per_match=plan.games,
        strategies=[{**p.strategy.describe(), "mode": p.mode, "reason": p.reason} for p in plan.players],
        matches=[],
        digest="",
        command=command or command_of(plan, settings),
        version=__version__,
        notes=notes,
    )
    error = _play_into(totals, plan, settings, folder, progress)
    outcome = Outcome(totals, folder, error)
    if folder is not None:
        from .analysis.results import write_results

        outcome.summary = write_results(folder, totals, jobs=settings.jobs)
    return outcome


def _play_into(totals: RunTotals, plan: Any, settings: Settings, folder: Path | None, progress: Any) -> BaseException | None:
    """Play the plan, adding to `totals` and to the record files as chunks come in schedule order."""
    from .simulate import fault_error, match_totals, play

    totals.matches = match_totals(plan)
    digest = hashlib.sha256(plan.header())
    started = time.perf_counter()
    error: BaseException | None = None
    with ExitStack() as stack:
        games, rounds = _writers(stack, plan, totals.matches, settings, folder)
        want_rounds = rounds is not None
        try:
            for chunk in play(
                plan, jobs=settings.jobs, chunk_pairs=settings.chunk_pairs, want_rounds=want_rounds, progress=progress
            ):
                match = totals.matches[chunk.match]
                match.add(chunk.totals)
                digest.update(np.ascontiguousarray(chunk.games).tobytes())
                if games is not None:
                    games.append(match_name(match.a, match.b), chunk.first_pair, chunk.games.reshape(-1))
                if rounds is not None:
                    rounds.append(match_name(match.a, match.b), match.a, match.b, chunk.rounds)
                if chunk.fault is not None:
                    error = fault_error(plan, chunk.match, chunk.fault)
        except KeyboardInterrupt as interrupt:
            error = interrupt
            if progress is not None:
                progress.stop = True
        for writer in (games, rounds):
            if writer is not None:
                writer.close()
    totals.seconds = time.perf_counter() - started
    totals.digest = digest.hexdigest()
    totals.complete = error is None
    return error


def _writers(
    stack: ExitStack, plan: Any, matches: Sequence[MatchTotals], settings: Settings, folder: Path | None
) -> tuple[Any, Any]:
    if settings.records == "none" or folder is None:
        return None, None
    from .parquet import GamesWriter, RoundsWriter

    names = [match_name(match.a, match.b) for match in matches]
    if settings.records == "games":
        return stack.enter_context(GamesWriter(folder / "games.parquet", names)), None
    strategies = [player.strategy.name for player in plan.players]
    return None, stack.enter_context(RoundsWriter(folder / "rounds.parquet", names, strategies))


def raise_error(outcome: Outcome) -> None:
    """Raise what stopped a run, if anything did."""
    if isinstance(outcome.error, BasraError | KeyboardInterrupt):
        raise outcome.error
