"""One run: strategies in, totals and files out. What `basra-sim run` does, as a library call.

Order: make it ready (preparing.py), play chunk by chunk (playing.py), write the files.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from basra_sim.analysis.tables.result_files import write_results
from basra_sim.analysis.tables.summary import summarize
from basra_sim.engine.jit.cache_folder import sources_hash
from basra_sim.errors import BadInput, BasraError, StrategyFault
from basra_sim.records.counters import RunTotals
from basra_sim.records.run_folder import write_manifest
from basra_sim.version import __version__
from basra_sim.workers.cluster import Cluster
from basra_sim.workers.guarded_matches import GuardedMatches
from basra_sim.workers.plan import Plan

from .playing import Playing
from .preparing import Prepared, plan_run
from .run_settings import Settings, command_of, extra_bytes, settings_json
from .run_state import RunState
from .run_totals import fill


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
        command=command or command_of(settings, [p.strategy.spec for p in plan.players], plan.unit, plan.games, plan.seed),
        version=__version__,
        notes=prepared.notes,
        settings=settings_json(settings, plan.packs, sources_hash()),
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
    ready: Callable[[RunState], Any] | None = None,
) -> Outcome:
    """Play what is left of a run, and write its files.

    `ready` is given the state of the run before anything is played, to take up what was played before; then `begin` is called.
    """

    with ExitStack() as stack:
        playing = _playing(prepared, settings, folder, progress, stack)
        state = playing.state
        if ready is not None:
            ready(state)
        if begin is not None:
            begin()
        error = playing.go()
        fill(totals, state, extra_bytes(vars(settings)), error is None)
        outcome = Outcome(totals, folder, error, left_out=[state.matches[index].name for index in state.waiting])
        if isinstance(error, StrategyFault) and state.put_back():
            outcome.resumable, outcome.put_back = False, True
        elif folder is not None:
            _write(outcome, folder, state, settings.jobs)
    return outcome


def _playing(prepared: Prepared, settings: Settings, folder: Path | None, progress: Any, stack: ExitStack) -> Playing:
    """What plays a run, with all that `stack` has to close again."""
    player = chunk_player(prepared.plan, settings)
    if player is not None:
        stack.callback(player.close)
    cluster = cluster_of(prepared.plan, settings)
    if cluster is not None:
        stack.callback(cluster.close)
    playing = Playing(
        prepared.plan, prepared.form, prepared.watcher, jobs=settings.jobs, records=settings.records, folder=folder,
        chunk_pairs=settings.chunk_pairs, progress=progress, player=player, cluster=cluster,
    )  # fmt: skip
    if playing.state.spool is not None:
        stack.callback(playing.state.spool.close)
    return playing


def _write(outcome: Outcome, folder: Path, state: RunState, jobs: int) -> None:
    """The files of a run that has ended, whole or not."""
    outcome.summary = summarize(outcome.totals)
    try:
        write_results(folder, outcome.totals, outcome.summary, jobs=jobs)
    except BasraError as full:
        outcome.error = outcome.error or full  # what was played is safe, and resume writes the files
    if state.spool is not None and (outcome.error is None or isinstance(outcome.error, StrategyFault)):
        state.spool.remove()  # nothing is left to be done, or can be done
        outcome.resumable = False


def chunk_player(plan: Plan, settings: Settings) -> GuardedMatches | None:
    """What plays the chunks of a run: None for the plain way, in which a fault stops the run."""
    if not settings.forgives(len(plan.players)):
        return None
    return GuardedMatches(plan, settings.strategies, settings.interpret, settings.play_timeout)


def cluster_of(plan: Plan, settings: Settings) -> Cluster | None:
    """The cluster that plays the chunks, or None for this machine."""
    if settings.backend == "threads":
        if settings.scheduler is not None:
            raise BadInput("--scheduler goes with --backend dask")
        return None
    forgiving = settings.forgives(len(plan.players))
    return Cluster(settings.scheduler, plan, settings.strategies, settings.interpret, forgiving, settings.play_timeout)


def raise_error(outcome: Outcome) -> None:
    """Raise what stopped a run, if anything did."""
    if isinstance(outcome.error, BasraError | KeyboardInterrupt):
        raise outcome.error
