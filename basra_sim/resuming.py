"""Runs that are taken up again: resume after a stop, extend by games or strategies. Library calls behind the verbs."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from . import __version__
from .errors import BadInput, BasraError
from .files import LIBRARIES, match_name, read_manifest, read_run, write_manifest
from .records import RunTotals
from .registry import load
from .rules import RuleSet, load_rules
from .run import Outcome, Prepared, Settings, command_of, plan_run, play_out, settings_json
from .spool import UNFINISHED, Spool, check_resumable


def settings_of(manifest: dict[str, Any], folder: Path, jobs: int = 1) -> Settings:
    """The settings that a run was played with, from its manifest."""
    saved = manifest.get("settings") or {}
    if not saved:
        raise BadInput(f"{folder} was written before runs could be taken up again; play it again with its command")
    rules = saved["rules"] if saved["rules"] is not None else RuleSet(**manifest["rules"])
    return Settings(
        games=manifest["games_per_match"] if manifest["unit"] != "packs" else saved["games"],
        seed=manifest["seed"], rules=rules, set=saved["set"] if saved["rules"] is not None else (), unit=saved["unit"],
        packs=saved["packs"], jobs=jobs, records=saved["records"], interpret=saved["interpret"],
        strategies=saved["strategies"], tournament=saved["tournament"], sprt=saved["sprt"], until=saved["until"],
        on_fault=saved["on_fault"], play_timeout=saved["play_timeout"],
    )  # fmt: skip


# ---------------------------------------------------------------------------------------------- what has changed since
def _current_versions() -> dict[str, str]:
    versions = {"basra-sim": __version__, "python": platform.python_version()}
    for library in LIBRARIES:
        versions[library] = importlib.metadata.version(library)
    return versions


def check_unchanged(manifest: dict[str, Any], folder: Path, settings: Settings) -> None:
    """Refuse to go on where the answer could differ: versions, engine, rules, strategy files, packs."""
    from .jit import sources_hash

    way_out = f"the rest would not fit; play it anew: {manifest['command']}"
    now = _current_versions()
    for name, version in manifest["versions"].items():
        if now.get(name) != version:
            raise BadInput(f"{folder} was begun with {name} {version} and this is {now.get(name)}: {way_out}")
    if manifest["settings"]["engine"] != sources_hash():
        raise BadInput(f"{folder} was begun with other sources of the engine (same version, changed since): {way_out}")
    if isinstance(settings.rules, str):
        rules = load_rules(settings.rules, settings.set)
        if settings.unit != "game" or settings.packs is not None:
            rules = replace(rules, single_round=True)
        if rules.to_dict() != RuleSet(**manifest["rules"]).to_dict():
            raise BadInput(f"{folder}: the rules {settings.rules} have changed since it was begun: {way_out}")
    for entry in manifest["strategies"]:
        _check_strategy(entry, folder, settings, RuleSet(**manifest["rules"]), way_out)
    if settings.packs is not None:
        import hashlib

        from .packs import read_packs

        if hashlib.sha256(read_packs(settings.packs).tobytes()).hexdigest() != manifest["settings"]["packs_sha256"]:
            raise BadInput(f"{folder}: the packs in {settings.packs} have changed since it was begun: {way_out}")


def _check_strategy(entry: dict[str, Any], folder: Path, settings: Settings, rules: RuleSet, way_out: str) -> None:
    if not entry.get("file"):
        raise BadInput(f"{folder}: strategy {entry['name']} was an object of a Python program, which alone can play it again")
    try:
        strategy = load(entry["spec"], settings.strategies).under(rules)
    except BadInput as error:
        raise BadInput(f"{folder} cannot go on: {error}") from None
    if strategy.sha256 != entry["sha256"]:
        raise BadInput(f"{folder}: the file of strategy {entry['name']} ({strategy.path}) has changed since: {way_out}")
    if strategy.parameters._asdict() != entry["parameters"]:
        raise BadInput(f"{folder}: the parameters of strategy {entry['name']} have changed since: {way_out}")


# ---------------------------------------------------------------------------------------------- resume
def totals_of_manifest(manifest: dict[str, Any]) -> RunTotals:
    """What was asked, with nothing counted yet."""
    keys = ("rules", "rules_name", "seed", "unit", "games_per_match", "strategies", "command", "version", "notes", "settings")
    return RunTotals(matches=[], digest="", complete=False, **{key: manifest[key] for key in keys})


def resume(
    folder: Path, *, jobs: int = 1, progress: Any = None, on_plan: Callable[[Prepared], None] | None = None
) -> Outcome:
    """Go on with a run that was stopped; it ends with the files and the digest of one that never was.

    BadInput, in one line, where that cannot be promised.
    """
    folder = Path(folder)
    check_resumable(folder)
    manifest = read_manifest(folder)
    settings = settings_of(manifest, folder, jobs)
    if manifest["complete"]:
        spool = Spool(folder)  # refused if somebody is at it
        spool.remove()
        raise BadInput(f"the run in {folder} is complete; basra-sim extend {folder} --games N plays more")
    check_unchanged(manifest, folder, settings)
    prepared = plan_run([entry["spec"] for entry in manifest["strategies"]], settings)
    if on_plan:
        on_plan(prepared)
    extended = bool(manifest["settings"].get("extended"))
    return play_out(prepared, settings, totals_of_manifest(manifest), folder, progress, resumed=True, extended=extended)


# ---------------------------------------------------------------------------------------------- extend
def _new_settings(manifest: dict[str, Any], folder: Path, games: int | None, add: Sequence[str], jobs: int) -> Settings:
    settings = settings_of(manifest, folder, jobs)
    if games is None and not add:
        raise BadInput("say what to add: --games N (the new total of each match) or --add STRATEGY")
    for name, usual in (("tournament", ("round-robin", "gauntlet")), ("sprt", (None,)), ("until", (None,))):
        if getattr(settings, name) not in usual:
            raise BadInput(f"{folder} was played with --{name} {getattr(settings, name)}, whose end depends on its results; "
                           "start a new run instead")  # fmt: skip
    if settings.records != "none":
        raise BadInput(f"{folder} has --records {settings.records}, whose rows cannot be added to; start a new run instead")
    if games is not None:
        if settings.packs is not None:
            raise BadInput(f"{folder} was played on given packs, one pair each; there are no more games to add")
        games += games % 2
        if games < settings.games or (games == settings.games and not add):
            raise BadInput(f"--games {games:,}: {folder} already has {settings.games:,} games a match; --games is the new total")
        settings.games = games
    return settings


def extend(
    folder: Path,
    *,
    games: int | None = None,
    add: Sequence[str] = (),
    jobs: int = 1,
    progress: Any = None,
    on_plan: Callable[[Prepared], None] | None = None,
) -> Outcome:
    """Play what is missing for more games a match, or for more strategies, on the same packs, into the same folder.

    The tables are those of a run that was asked for all of it at once; its digest is the digest of matches.
    """
    folder = Path(folder)
    manifest = read_manifest(folder)
    if not manifest["complete"]:
        raise BadInput(f"the run in {folder} is not complete: basra-sim resume {folder} first")
    settings = _new_settings(manifest, folder, games, add, jobs)
    check_unchanged(manifest, folder, settings_of(manifest, folder))
    old = read_run(folder)
    if len(old.chains) != len(old.matches):
        raise BasraError(f"{folder} lacks the digests of its matches; play it again with its command")
    prepared = plan_run([*(entry["spec"] for entry in manifest["strategies"]), *add], settings)
    plan = prepared.plan
    totals = RunTotals(
        rules=plan.rules.to_dict(), rules_name=prepared.rules_name, seed=plan.seed, unit=plan.unit,
        games_per_match=plan.games,
        strategies=[{**p.strategy.describe(), "mode": p.mode, "reason": p.reason} for p in plan.players],
        matches=[], digest="", command=command_of(plan, settings), version=__version__, notes=prepared.notes,
        settings={**settings_json(plan, settings), "extended": True}, complete=False,
    )  # fmt: skip
    if on_plan:
        on_plan(prepared)
    known = {match_name(m.a, m.b): (m, chain) for m, chain in zip(old.matches, old.chains, strict=True)}
    return play_out(
        prepared, settings, totals, folder, progress, extended=True, known=known,
        begin=lambda: write_manifest(folder, totals),
    )  # fmt: skip


def leftover(folder: Path) -> Path:
    """Where the state of an unfinished run lies."""
    return Path(folder) / UNFINISHED
