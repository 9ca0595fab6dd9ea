"""Runs that get more games or more strategies, as a library call behind `basra-sim extend`.

The folder becomes that of a run which was asked for all of it at once, byte for byte, and only what is missing is played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from basra_sim.errors import BadInput, BasraError
from basra_sim.records.counters import RunTotals, match_name
from basra_sim.records.row_readers import rows_in
from basra_sim.records.run_folder import read_manifest, read_run, write_manifest

from .changed_inputs import check_unchanged
from .preparing import Prepared, plan_run
from .row_recording import FILES
from .run_settings import Settings, settings_of
from .run_state import RunState
from .running import Outcome, play_out, totals_for
from .stopping import make_watcher
from .tournament import FIRST_LOOK, Stage

# why a field cannot grow: what was played follows from who was there
_DRAWN = {
    "swiss": "its rounds are drawn from the whole field",
    "knockout": "its bracket is drawn from the whole field",
    "adaptive": "what it plays next depends on every match",
}


def extend(
    folder: Path,
    *,
    games: int | None = None,
    add: Sequence[str] = (),
    jobs: int = 1,
    backend: str = "threads",
    scheduler: str | None = None,
    progress: Any = None,
    on_plan: Callable[[Prepared], None] | None = None,
) -> Outcome:
    """Play what is missing for `games` a match in all, or for strategies that are added, on the same packs.

    Digest and files are those of a run that was asked for all of it at once. BadInput, in one line, where no such run can be
    had without playing all of it. If a strategy's fault stops it, the folder is as it was before.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    if not manifest["complete"]:
        raise BadInput(f"the run in {folder} is not complete: basra-sim resume {folder} first")
    before = settings_of(manifest, folder)
    settings = settings_of(manifest, folder, jobs=jobs, backend=backend, scheduler=scheduler)
    _check_asked(games, bool(add), before, folder)
    settings.games = before.games if games is None else games
    check_unchanged(manifest, folder, before)
    run = read_run(folder)
    _check_end(run, before, bool(add), folder)
    _check_records(run, before, folder)
    prepared = plan_run([*(entry["spec"] for entry in manifest["strategies"]), *add], settings)
    totals = totals_for(prepared, settings)
    if on_plan:
        on_plan(prepared)
    take_over = _taking_over(run, prepared, settings.tournament == "adaptive")
    return play_out(prepared, settings, totals, folder, progress, ready=take_over, begin=lambda: write_manifest(folder, totals))


def _taking_over(run: RunTotals, prepared: Prepared, is_adaptive: bool) -> Callable[[RunState], None]:
    """What puts that which was played before into the state of the longer run."""
    known = {m.name: (m, chain) for m, chain in zip(run.matches, run.chains, strict=True)}
    last = _last_stage(run, prepared) if is_adaptive else None

    def take_over(state: RunState) -> None:
        state.take_over(known, last)
        if state.spool is not None:
            state.spool.keep_earlier()

    return take_over


def _check_asked(games: int | None, adding: bool, before: Settings, folder: Path) -> None:
    """Refuse what does not go with the form of the run, or adds nothing to it."""
    if games is None and not adding:
        raise BadInput("say what to add: --games N (the new total of each match) or --add STRATEGY")
    if games is not None:
        _check_games(games, adding, before, folder)
    if adding and before.tournament in _DRAWN:
        why = _DRAWN[before.tournament]
        raise BadInput(f"--add: {folder} is a tournament --tournament {before.tournament}, and {why}; start a new run")


def _check_games(games: int, adding: bool, before: Settings, folder: Path) -> None:
    if before.packs is not None:
        raise BadInput(f"{folder} was played on given packs, one pair each; there are no more games to add")
    if games < before.games or (games + games % 2 == before.games and not adding):
        raise BadInput(f"--games {games:,}: {folder} already has {before.games:,} games a match; --games is the new total")


def _check_end(run: RunTotals, before: Settings, adding: bool, folder: Path) -> None:
    """Refuse more games for a run that did not end because its games were spent, or that cannot be told to have."""
    if len(run.chains) != len(run.matches):
        raise BasraError(f"{folder} lacks the digests of its matches; play it again with its command")
    watcher = make_watcher(before)
    if watcher and not adding and all(watcher.has_ended([int(c) for c in m.pair_scores]) for m in run.matches):
        option = f"--sprt {before.sprt}" if before.sprt else f"--until {before.until}"
        raise BadInput(f"{folder} has ended by its own rule, {option}, in every match: more games change nothing; "
                       "for another rule start a new run")  # fmt: skip
    if before.tournament == "adaptive":
        pairs = before.games // 2
        if "last" not in run.design:
            raise BadInput(f"{folder} was written before adaptive runs could be extended; play it again with more --games")
        if pairs < FIRST_LOOK:
            raise BadInput(f"{folder} was too short for {FIRST_LOOK} pairs of each match, with which a longer adaptive run "
                           "begins; start a new run with more --games")  # fmt: skip
        number = len(run.strategies)
        if sum(int(m.pairs) for m in run.matches) < pairs * number * (number - 1) // 2:
            raise BadInput(f"{folder} has ended by its own rule: every order is decided; for more games of each match start a "
                           "new run with --tournament round-robin")  # fmt: skip


def _check_records(run: RunTotals, before: Settings, folder: Path) -> None:
    """Refuse where the rows that were written are not all there."""
    if before.records == "none":
        return
    path = folder / FILES[before.records]
    wanted = sum(int(m.games if before.records == "games" else m.rounds) for m in run.matches)
    rows = rows_in(path)
    if rows != wanted:
        found = "is missing or damaged" if rows < 0 else f"has {rows:,} rows and not {wanted:,}"
        raise BadInput(f"{path} {found}, so it cannot be added to; play the run again with its command")


def _last_stage(run: RunTotals, prepared: Prepared) -> Stage:
    plan = prepared.plan
    number = {match_name(*plan.names(match)): match for match in range(len(plan.matches))}
    return Stage([(number[name], int(first), int(stop)) for name, first, stop in run.design["last"]])
