"""What a command imports: help costs what click costs, and the layers keep what is heavy out of what is light."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

PROGRAM = """
import json, sys
sys.argv = ["basra-sim", *{words!r}]
from basra_sim.cli import main
try:
    main()
except SystemExit:
    pass
print(json.dumps(sorted(sys.modules)))
"""
HEAVY = {"numba", "pandas", "numpy", "scipy", "matplotlib", "pyarrow", "rich", "joblib", "jinja2", "llvmlite"}


def modules(*words: str) -> set[str]:
    """The modules that a command leaves in the process."""
    program = PROGRAM.format(words=list(words))
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=True)
    return set(json.loads(result.stdout.splitlines()[-1]))


def imported(*words: str) -> set[str]:
    """The same, top-level names alone."""
    return {name.partition(".")[0] for name in modules(*words)}


@pytest.mark.parametrize("words", ["--help", "--version", "run --help", "show --help", "runs --help", "frobnicate"])
def test_help_is_click_alone(words):
    assert not imported(*words.split()) & HEAVY


def test_listing_rules_needs_no_engine():
    assert not imported("rules", "list") & {"numba", "pandas", "scipy", "matplotlib", "pyarrow"}


def test_a_run_loads_neither_pandas_nor_optimizers(tmp_path):
    """They would be a third of its memory, and half a second."""
    words = ["run", "first", "random", "--games", "20", "--seed", "1", "--records", "games", "--out", str(tmp_path / "run")]
    loaded = modules(*words)
    assert {"pyarrow.parquet", "numba"} <= loaded
    assert not loaded & {"pandas", "scipy.optimize", "scipy.stats", "matplotlib", "jinja2", "joblib", "choix"}


@pytest.mark.parametrize("module", ["", ".game.cards", ".game.rules", ".game.captures", ".game.judge", ".game.notation"])
def test_the_readable_core_needs_nothing(module):
    program = f"import sys, basra_sim{module}; print(' '.join(sys.modules))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    tops = {name.partition(".")[0] for name in result.stdout.split()}
    assert not tops & (HEAVY | {"click"})


def test_the_judge_does_not_know_what_it_judges():
    program = "import sys, basra_sim.game.judge; print(' '.join(sys.modules))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    judged = ("basra_sim.engine", "basra_sim.game.captures", "basra_sim.game.reasons", "basra_sim.workers")
    assert not [name for name in result.stdout.split() if name.startswith(judged)]
