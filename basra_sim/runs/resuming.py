"""Runs that are taken up again after a stop, as a library call behind `basra-sim resume`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from basra_sim.errors import BadInput
from basra_sim.records.counters import RunTotals
from basra_sim.records.run_folder import read_manifest
from basra_sim.records.spool import Spool, check_resumable

from .changed_inputs import check_unchanged
from .preparing import Prepared, plan_run
from .run_settings import settings_of
from .run_state import RunState
from .running import Outcome, play_out


def totals_of_manifest(manifest: dict[str, Any]) -> RunTotals:
    """What was asked, with nothing counted yet."""
    keys = ("rules", "rules_name", "seed", "unit", "games_per_match", "strategies", "command", "version", "notes", "settings")
    return RunTotals(matches=[], digest="", complete=False, **{key: manifest[key] for key in keys})


def resume(
    folder: Path,
    *,
    jobs: int = 1,
    backend: str = "threads",
    scheduler: str | None = None,
    progress: Any = None,
    on_plan: Callable[[Prepared], None] | None = None,
) -> Outcome:
    """Go on with a run that was stopped; it ends with the files and the digest of one that never was.

    BadInput, in one line, where that cannot be promised.
    """
    folder = Path(folder)
    check_resumable(folder)
    manifest = read_manifest(folder)
    settings = settings_of(manifest, folder, jobs=jobs, backend=backend, scheduler=scheduler)
    if manifest["complete"]:
        spool = Spool(folder)  # refused if somebody is at it
        spool.remove()
        raise BadInput(f"the run in {folder} is complete; basra-sim extend {folder} --games N plays more")
    check_unchanged(manifest, folder, settings)
    prepared = plan_run([entry["spec"] for entry in manifest["strategies"]], settings)
    if on_plan:
        on_plan(prepared)
    return play_out(prepared, settings, totals_of_manifest(manifest), folder, progress, ready=RunState.restore)
