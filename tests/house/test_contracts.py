"""Every import contract bites: an import planted against it breaks it, and without it the contract holds."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tomllib
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from typing import Any

import grimp
import pytest
from importlinter.configuration import configure
from importlinter.contracts.acyclic_siblings import AcyclicSiblingsContract
from importlinter.contracts.forbidden import ForbiddenContract
from importlinter.contracts.layers import LayersContract

ROOT = Path(__file__).parents[2]
configure()
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
KINDS = {"layers": LayersContract, "forbidden": ForbiddenContract, "acyclic_siblings": AcyclicSiblingsContract}


@pytest.fixture(scope="module")
def graph() -> grimp.ImportGraph:
    return grimp.build_graph("basra_sim", include_external_packages=True, cache_dir=None)


def kept(contract: dict[str, Any], graph: grimp.ImportGraph) -> bool:
    options = {
        name: str(value) if isinstance(value, bool) else value for name, value in contract.items() if name not in ("name", "type")
    }
    session = {"root_packages": ["basra_sim"], "include_external_packages": True}
    made = KINDS[contract["type"]](contract["name"], session, options)
    return bool(made.check(deepcopy(graph), verbose=False).kept)


def inside(package: str, graph: grimp.ImportGraph) -> str:
    """A module that lies in a package, itself if it is a module."""
    below = [] if graph.is_module_squashed(package) else sorted(graph.find_descendants(package))
    return below[0] if below else package


def names_of(layer: str) -> list[str]:
    return [name.strip(" ()") for part in layer.split("|") for name in part.split(":")]


def planted(contract: dict[str, Any], graph: grimp.ImportGraph) -> list[tuple[str, str]]:
    """Imports against a contract: from its lowest layer to its highest, between siblings, or the forbidden one itself."""
    if contract["type"] == "forbidden":
        return [
            (inside(source, graph), target if target not in graph.modules else inside(target, graph))
            for source in contract["source_modules"]
            for target in contract["forbidden_modules"]
        ]
    if contract["type"] == "acyclic_siblings":
        return [("basra_sim.errors", "basra_sim.game.cards"), ("basra_sim.game.cards", "basra_sim.game.notation")]
    found = []
    for container in contract["containers"]:
        layers = [[inside(f"{container}.{name}", graph) for name in names_of(layer)] for layer in contract["layers"]]
        found += [(below, above) for high, low in pairwise(layers) for below in low for above in high]
        found += [(layer[0], layer[1]) for layer in layers if len(layer) > 1]
    return found


@pytest.mark.parametrize("contract", SETTINGS["contracts"], ids=lambda contract: contract["name"])
def test_it_holds_and_each_import_against_it_breaks_it(contract, graph):
    assert kept(contract, graph)
    bad = planted(contract, graph)
    assert bad
    for importer, imported in bad:
        spoiled = deepcopy(graph)
        if imported not in spoiled.modules:
            spoiled.add_module(imported, is_squashed=True)
        spoiled.add_import(importer=importer, imported=imported)
        assert not kept(contract, spoiled), f"{importer} may import {imported} under '{contract['name']}'"


def test_the_command_refuses_a_planted_import(tmp_path):
    shutil.copytree(ROOT / "basra_sim", tmp_path / "basra_sim", ignore=shutil.ignore_patterns("__pycache__", "data"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    cards = tmp_path / "basra_sim" / "game" / "cards.py"
    cards.write_text(cards.read_text() + "\n\ndef planted():\n    from basra_sim.cli import main\n\n    main()\n")
    done = subprocess.run(
        [sys.executable, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command()", "--no-cache"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(tmp_path)}, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert done.returncode == 1 and "basra_sim.game.cards -> basra_sim.cli" in done.stdout, done.stdout + done.stderr
