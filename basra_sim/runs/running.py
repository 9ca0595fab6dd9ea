"""One run: strategies in, totals and files out. What `basra-sim run` does, as a library call.

Order: load and compile the strategies, plan, play chunk by chunk (playing.py), write the files.
"""

from __future__ import annotations

import hashlib
import json
import secrets
import shlex
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from basra_sim.errors import BadInput, BasraError, StrategyFault
from basra_sim.game.packs import read_packs
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import RuleSet
from basra_sim.players.python_objects import load_strategies
from basra_sim.players.strategy import Strategy
from basra_sim.records.counters import RunTotals
from basra_sim.records.run_folder import write_manifest
from basra_sim.version import __version__

if TYPE_CHECKING:
    from .playing import Playing

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
    tournament: str = "round-robin"  # or gauntlet, swiss, knockout, adaptive
    sprt: str | None = None  # "elo0=0,elo1=5[,alpha=.05,beta=.05]": each match ends when the test is decided
    until: str | None = None  # "0.2%": each match ends when its interval, valid at any time, is so narrow to each side
    on_fault: str | None = None  # "stop" or "forfeit"; None: stop with two strategies, forfeit with more
    play_timeout: float = 10.0  # seconds of CPU time for a play, where faults are forfeits and the strategy not built in
    backend: str = "threads"  # or "dask": on the workers of `scheduler`
    scheduler: str | None = None
    chunk_pairs: int | None = None  # None: chunks of about a quarter of a second


@dataclass
class Outcome:
    """A run that has ended: whole, or stopped by `error` with everything so far in `totals`."""

    totals: RunTotals
    folder: Path | None
    error: BaseException | None = None
    summary: dict[str, Any] = field(default_factory=dict)
    resumable: bool = True  # if it was stopped: whether basra-sim resume can go on
    put_back: bool = False  # a fault stopped the extension of a run: its folder is as it was before
    left_out: list[str] = field(default_factory=list)  # matches of a run that was extended which the longer one does not have


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
    if settings.on_fault not in (None, "stop", "forfeit"):
        raise BadInput(f"--on-fault {settings.on_fault}: it is stop or forfeit")
    if not 0.01 <= settings.play_timeout <= 86_400:
        raise BadInput(f"--play-timeout {settings.play_timeout:g}: give seconds of CPU time, from 0.01 to 86400")
    if settings.backend not in ("threads", "dask"):
        raise BadInput(f"--backend {settings.backend}: it is threads or dask")
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


@dataclass
class Prepared:
    """A run that is checked, loaded and compiled, with nothing played yet."""

    plan: Any
    form: Any
    watcher: Any
    notes: list[str]
    rules_name: str


def plan_run(given: Sequence[Any], settings: Settings) -> Prepared:
    """Everything checked, loaded and compiled; BadInput for what cannot be played as asked."""
    from .tournament import make_form

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
    from basra_sim.players.ready import prepare
    from basra_sim.workers.plan import Plan

    players = [prepare(strategy, settings.interpret) for strategy in strategies]
    if settings.interpret:
        notes.append("all strategies play interpreted: --interpret was given")
    else:
        notes += [f"{p.strategy.name} plays interpreted: {p.reason}" for p in players if p.mode == "interpreted"]
    if forgives(settings, len(players)):
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
    from basra_sim.skill.value_tables import is_fallback
    from basra_sim.workers.value_counts import can_count

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


def make_watcher(settings: Settings) -> Any:
    """What ends a match early, from --sprt and --until; BadInput says what is wrong with them."""
    from .stopping import Watcher, read_sprt, read_until

    sprt = read_sprt(settings.sprt) if settings.sprt is not None else None
    until = read_until(settings.until) if settings.until is not None else None
    if sprt is not None and until is not None:
        raise BadInput("--sprt and --until both say when to stop: give one of them")
    if (sprt is not None or until is not None) and settings.tournament not in ("round-robin", "gauntlet"):
        option = "--sprt" if sprt else "--until"
        raise BadInput(f"{option} goes with a round robin or a gauntlet, not with --tournament {settings.tournament}")
    return Watcher(sprt, until)


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
    if settings.tournament != "round-robin":
        words += ["--tournament", settings.tournament]
    for name in ("sprt", "until", "on_fault"):
        if getattr(settings, name) is not None:
            words += [f"--{name.replace('_', '-')}", str(getattr(settings, name))]
    if settings.records != "none":
        words += ["--records", settings.records]
    if settings.interpret:
        words += ["--interpret"]
    if settings.play_timeout != Settings.play_timeout:
        words += ["--play-timeout", f"{settings.play_timeout:g}"]
    for folder in settings.strategies:
        words += ["--strategies", str(folder)]
    return shlex.join(words)


def run(
    strategies: Sequence[Any],
    settings: Settings | None = None,
    *,
    folder: Path | Callable[[], Path] | None = None,
    progress: Any = None,
    on_plan: Callable[[Prepared], None] | None = None,
    command: str | None = None,
    **asked: Any,
) -> Outcome:
    """Play every pair of strategies and return the outcome; keyword arguments are fields of Settings.

    `folder` (which must exist and be empty, or a function that makes one, called when all is known to be right) gets the
    files of the run. A strategy's fault or Ctrl-C ends the run early and
    is returned as `outcome.error`, with everything so far counted and written; BadInput is raised before anything is played.
    """
    settings = settings or Settings(**asked)
    prepared = plan_run(strategies, settings)
    settings.seed = prepared.plan.seed
    where = folder() if callable(folder) else folder
    if on_plan:
        on_plan(prepared)
    totals = totals_for(prepared, settings, command)
    begin = (lambda: write_manifest(where, totals)) if where is not None else None
    return play_out(prepared, settings, totals, where, progress, begin=begin)


def totals_for(prepared: Prepared, settings: Settings, command: str | None = None) -> RunTotals:
    """What was asked, with nothing counted yet."""
    plan = prepared.plan
    return RunTotals(
        rules=plan.rules.to_dict(),
        rules_name=prepared.rules_name,
        seed=plan.seed,
        unit=plan.unit,
        games_per_match=plan.games,
        strategies=[{**p.strategy.describe(), "mode": p.mode, "reason": p.reason} for p in plan.players],
        matches=[],
        digest="",
        command=command or command_of(plan, settings),
        version=__version__,
        notes=prepared.notes,
        settings=settings_json(plan, settings),
        complete=False,
    )


def play_out(
    prepared: Prepared,
    settings: Settings,
    totals: RunTotals,
    folder: Path | None,
    progress: Any,
    *,
    begin: Callable[[], None] | None = None,
    ready: Callable[[Playing], Any] | None = None,
) -> Outcome:
    """Play what is left of a run, and write its files.

    `ready` is given the run before anything is played, to take up what was played before; then `begin` is called.
    """
    from .playing import Playing

    with ExitStack() as stack:
        player = chunk_player(prepared.plan, settings)
        if player is not None:
            stack.callback(player.close)
        cluster = cluster_of(prepared.plan, settings)
        if cluster is not None:
            stack.callback(cluster.close)
        playing = Playing(
            prepared.plan, prepared.form, prepared.watcher, jobs=settings.jobs, records=settings.records, folder=folder,
            chunk_pairs=settings.chunk_pairs, progress=progress, extra=extra_bytes(vars(settings)),
            player=player, cluster=cluster,
        )  # fmt: skip
        if playing.spool is not None:
            stack.callback(playing.spool.close)
        if ready is not None:
            ready(playing)
        if begin is not None:
            begin()
        error = playing.go()
        playing.fill(totals, error)
        outcome = Outcome(totals, folder, error, left_out=[playing.name_of(index) for index in playing.waiting])
        if isinstance(error, StrategyFault) and playing.spool is not None and playing.put_back():
            outcome.resumable, outcome.put_back = False, True
        elif folder is not None:
            from basra_sim.analysis.tables.result_files import write_results
            from basra_sim.analysis.tables.summary import summarize

            outcome.summary = summarize(totals)
            try:
                write_results(folder, totals, outcome.summary, jobs=settings.jobs)
            except BasraError as full:
                outcome.error = error = error or full  # what was played is safe, and resume writes the files
            if playing.spool is not None and (error is None or isinstance(error, StrategyFault)):
                playing.spool.remove()  # nothing is left to be done, or can be done
                outcome.resumable = False
    return outcome


def forgives(settings: Settings, players: int) -> bool:
    """Whether a fault costs a strategy the game, and does not stop the run."""
    return settings.on_fault == "forfeit" or (settings.on_fault is None and players > 2)


def chunk_player(plan: Any, settings: Settings) -> Any:
    """What plays the chunks of a run: None for the plain way, in which a fault stops the run."""
    if not forgives(settings, len(plan.players)):
        return None
    from basra_sim.workers.guarded_matches import GuardedMatches

    return GuardedMatches(plan, settings.strategies, settings.interpret, settings.play_timeout)


def cluster_of(plan: Any, settings: Settings) -> Any:
    """The cluster that plays the chunks, or None for this machine."""
    if settings.backend == "threads":
        if settings.scheduler is not None:
            raise BadInput("--scheduler goes with --backend dask")
        return None
    from basra_sim.workers.cluster import Cluster

    forgiving = forgives(settings, len(plan.players))
    return Cluster(settings.scheduler, plan, settings.strategies, settings.interpret, forgiving, settings.play_timeout)


def extra_bytes(settings: dict[str, Any]) -> bytes:
    """What the digest covers beside the plan, from settings by name: nothing for a plain round robin."""
    names = {"tournament": "round-robin", "sprt": None, "until": None}
    extra = {name: settings[name] for name, usual in names.items() if settings[name] != usual}
    return json.dumps(extra, sort_keys=True, separators=(",", ":")).encode() if extra else b""


def settings_json(plan: Any, settings: Settings) -> dict[str, Any]:
    """What a manifest keeps so that the run can be taken up again; the same for any number of workers."""
    from basra_sim.engine.jit.primitives import sources_hash

    packs = settings.packs
    return {
        "games": settings.games,
        "unit": settings.unit,
        "rules": settings.rules if isinstance(settings.rules, str) else None,
        "set": list(settings.set),
        "packs": None if packs is None else str(packs),
        "packs_sha256": None if packs is None else hashlib.sha256(plan.packs.tobytes()).hexdigest(),
        "records": settings.records,
        "interpret": settings.interpret,
        "strategies": [str(folder) for folder in settings.strategies],
        "tournament": settings.tournament,
        "sprt": settings.sprt,
        "until": settings.until,
        "on_fault": settings.on_fault,
        "play_timeout": settings.play_timeout,
        "engine": sources_hash(),
    }


def raise_error(outcome: Outcome) -> None:
    """Raise what stopped a run, if anything did."""
    if isinstance(outcome.error, BasraError | KeyboardInterrupt):
        raise outcome.error
