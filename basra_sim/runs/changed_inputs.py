"""Whether a run can go on with the same answer: versions, engine, rules, strategy files and packs, against its manifest."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

from basra_sim.engine.jit.cache_folder import sources_hash
from basra_sim.errors import BadInput
from basra_sim.game.packs import read_packs
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import RuleSet
from basra_sim.players.loading import load
from basra_sim.records.run_folder import versions_of
from basra_sim.version import __version__

from .run_settings import Settings


def check_unchanged(manifest: dict[str, Any], folder: Path, settings: Settings) -> None:
    """Refuse to go on where the answer could differ: versions, engine, rules, strategy files, packs."""
    way_out = f"the rest would not fit; play it anew: {manifest['command']}"
    now = versions_of(__version__)
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
    packs = settings.packs
    if packs is not None and hashlib.sha256(read_packs(packs).tobytes()).hexdigest() != manifest["settings"]["packs_sha256"]:
        raise BadInput(f"{folder}: the packs in {packs} have changed since it was begun: {way_out}")


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
