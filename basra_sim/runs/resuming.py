"""Runs that are taken up again after a stop, as a library call behind `basra-sim resume`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from basra_sim.errors import BadInput
from basra_sim.game.rules import RuleSet
from basra_sim.records.counters import RunTotals
from basra_sim.records.run_folder import read_manifest
from basra_sim.records.spool import Spool, check_resumable

from .playing import Playing
from .running import Outcome, Prepared, Settings, plan_run, play_out
from .same_inputs import check_unchanged


def settings_of(manifest: dict[str, Any], folder: Path, **where: Any) -> Settings:
    """The settings that a run was played with, from its manifest; `where` it is played now: jobs, backend, scheduler."""
    saved = manifest.get("settings") or {}
    if not saved:
        raise BadInput(f"{folder} was written before runs could be taken up again; play it again with its command")
    rules = saved["rules"] if saved["rules"] is not None else RuleSet(**manifest["rules"])
    return Settings(
        games=manifest["games_per_match"] if manifest["unit"] != "packs" else saved["games"],
        seed=manifest["seed"], rules=rules, set=saved["set"] if saved["rules"] is not None else (), unit=saved["unit"],
        packs=saved["packs"], records=saved["records"], interpret=saved["interpret"],
        strategies=saved["strategies"], tournament=saved["tournament"], sprt=saved["sprt"], until=saved["until"],
        on_fault=saved["on_fault"], play_timeout=saved["play_timeout"], **where,
    )  # fmt: skip


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
    return play_out(prepared, settings, totals_of_manifest(manifest), folder, progress, ready=Playing.restore)
