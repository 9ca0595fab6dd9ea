"""The face of the library: every public name and setting is told in docs/api.md, whose example runs; importing costs nothing."""

from __future__ import annotations

import dataclasses
import doctest
import re
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest

import basra_sim
from basra_sim.errors import BadInput
from basra_sim.runs.run_settings import Settings

PAGE = Path(__file__).parents[2] / "docs" / "api.md"
NAMES = {
    "run", "load", "Result", "RuleSet", "PRESETS", "load_rules", "notation", "BasraError", "BadInput", "StrategyFault",
    "__version__",
}  # fmt: skip


def told(title: str) -> set[str]:
    """The names in the first column of a section's table."""
    part = f"\n## names\n{PAGE.read_text(encoding='utf-8')}".split(f"\n## {title}\n")[1].split("\n## ")[0]
    rows = [line.split(" | ")[0] for line in part.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`(\w+)", row)}


def test_the_example_of_the_page():
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0


def test_every_name_is_told_and_there():
    assert set(basra_sim.__all__) == NAMES == told("names")
    for name in NAMES:
        assert getattr(basra_sim, name) is not None and name in dir(basra_sim)
    assert not hasattr(basra_sim, "walk")


def test_every_setting_is_told():
    assert {field.name for field in dataclasses.fields(Settings)} == told("run")
    with pytest.raises(TypeError, match="gamse"):
        basra_sim.run("greedy", "random", gamse=2)


def test_what_a_result_has_is_told():
    made = basra_sim.run("greedy", "random", games=2, seed=1)
    assert {name for name in dir(made) if not name.startswith("_")} == told("Result")


def test_a_run_is_loaded_as_it_was_played(tmp_path):
    played = basra_sim.run("greedy", "first", "random", games=40, seed=2, records="rounds", folder=tmp_path / "run")
    loaded = basra_sim.load(tmp_path / "run")
    assert loaded.digest == played.digest and loaded.games == played.games == 120 and loaded.folder == played.folder
    assert loaded.summary == played.summary
    assert loaded.score("greedy", "first") == 1 - loaded.score("first", "greedy")
    assert loaded.table() == played.table()
    assert list(loaded.frames()) == list(played.frames())
    for name, frame in played.frames().items():
        pd.testing.assert_frame_equal(frame, loaded.frame(name))
    csv = pd.read_csv(tmp_path / "run" / "matches.csv")
    assert list(csv.columns) == list(loaded.frame("matches").columns)
    assert loaded.frame("ranking")["strategy"].to_list() == [row["strategy"] for row in loaded.summary["ranking"]]
    with pytest.raises(KeyError, match="greedy and nobody did not meet"):
        loaded.match("greedy", "nobody")
    with pytest.raises(BadInput, match="no table 'matchs': did you mean matches"):
        loaded.frame("matchs")


def test_the_tables_are_those_of_analyze(basra_sim, tmp_path):
    import basra_sim as library

    library.run("greedy", "random", games=40, seed=2, records="rounds", folder=tmp_path / "run")
    said = basra_sim("analyze", tmp_path / "run", "--format", "json")
    named = re.findall(r'"name": "(\w+)"', said.out)
    assert named and list(library.load(tmp_path / "run").frames()) == ["ranking", "matches", *named]


def test_what_is_no_run_folder(tmp_path):
    with pytest.raises(BadInput, match="is no run folder"):
        basra_sim.load(tmp_path)


def test_an_old_notebook_goes_on():
    from basra_sim import play

    assert play is basra_sim.run


def test_importing_it_costs_nothing():
    code = "import sys; before = set(sys.modules); import basra_sim; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    roots = {name.split(".")[0] for name in loaded}
    assert roots - set(sys.stdlib_module_names) == {"basra_sim"}
    assert not [name for name in loaded if name.startswith("basra_sim.") and name != "basra_sim.version"]
