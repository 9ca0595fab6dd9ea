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
print(json.dumps(sorted({{name.partition(".")[0] for name in sys.modules}})))
"""
HEAVY = {"numba", "pandas", "numpy", "scipy", "matplotlib", "pyarrow", "rich", "joblib", "jinja2", "llvmlite"}


def imported(*words: str) -> set[str]:
    """The top-level modules that a command leaves in the process."""
    program = PROGRAM.format(words=list(words))
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    return set(json.loads(result.stdout.splitlines()[-1]))


@pytest.mark.parametrize("words", ["--help", "--version", "run --help", "show --help", "runs --help", "frobnicate"])
def test_help_is_click_alone(words):
    assert not imported(*words.split()) & HEAVY


def test_listing_rules_needs_no_engine():
    assert not imported("rules", "list") & {"numba", "pandas", "scipy", "matplotlib", "pyarrow"}


@pytest.mark.parametrize("module", ["", ".cards", ".rules", ".captures", ".reference", ".notation"])
def test_the_readable_core_needs_nothing(module):
    program = f"import sys, basra_sim{module}; print(' '.join(sys.modules))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    tops = {name.partition(".")[0] for name in result.stdout.split()}
    assert not tops & (HEAVY | {"click"})


def test_the_judge_does_not_know_what_it_judges():
    program = "import sys, basra_sim.reference; print(' '.join(sys.modules))"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True)
    judged = {f"basra_sim.{name}" for name in ("captures", "table", "table_build", "engine", "jit", "view", "simulate")}
    assert not judged & set(result.stdout.split())
