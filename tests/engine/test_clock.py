"""Searches that are given milliseconds: they play, they say that nothing of it can be repeated, and nobody tries to."""

from __future__ import annotations

import json
import time

import numpy as np
import pytest
from click.testing import CliRunner

from basra_sim.cli.learn_verbs.strategies_verb import strategies
from basra_sim.cli.run_verbs.run_verb import run as run_command
from basra_sim.engine.clock import thread_time
from basra_sim.engine.jit.compiling import kernel
from basra_sim.errors import BadInput
from basra_sim.players.loading import load
from basra_sim.runs.running import run
from basra_sim.runs.verifying import verify
from basra_sim.workshop.strategy_checks import check

TIMED = ["pimc:ms=1,listed=10", "ismcts:ms=1", "best:ms=1,listed=10"]
SAID = "thinks by the clock (ms is set): the digest of this run depends on the machine"


def test_compiled_code_reads_the_clock_of_its_thread():
    @kernel
    def read(address):
        return thread_time(address)

    words = np.zeros(2, np.int64)
    before = time.thread_time_ns()
    between = read(words.ctypes.data)
    assert before <= between <= time.thread_time_ns()
    assert thread_time(0) >= between


@pytest.mark.parametrize("name", TIMED)
def test_the_run_says_that_its_digest_depends_on_the_machine(name, tmp_path):
    (tmp_path / "run").mkdir()
    outcome = run([name, "greedy"], games=2, unit="round", seed=1, folder=tmp_path / "run")
    assert outcome.error is None
    assert [note for note in outcome.totals.notes if note.startswith(name)] == [
        f"{name} {SAID}, and the same seed need not give the same games again"
    ]
    assert any(SAID in note for note in json.loads((tmp_path / "run" / "summary.json").read_text())["notes"])
    found = verify(tmp_path / "run")
    assert not found.wrong and found.replayed == 0
    assert any("nothing was replayed" in line for line in found.checked)


def test_a_count_says_nothing_of_the_kind():
    outcome = run(["pimc:worlds=2,listed=8", "greedy"], games=2, unit="round", seed=1)
    assert outcome.totals.notes == []


def test_the_terminal_says_it(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = [TIMED[0], "greedy", "--games", "2", "--unit", "round", "--seed", "1", "--jobs", "1"]
    result = CliRunner().invoke(run_command, words)
    assert result.exit_code == 0, result.output
    assert SAID in " ".join(result.output.split())


def test_show_and_list_say_it():
    shown = CliRunner().invoke(strategies, ["show", "pimc:ms=5"]).output
    assert "NOT reproducible: it thinks by the clock (ms=5)" in shown
    shown = CliRunner().invoke(strategies, ["show", "pimc"]).output
    assert "the same seed gives the same plays while ms is 0" in " ".join(shown.split())
    assert json.loads(CliRunner().invoke(strategies, ["show", "ismcts:ms=5", "--format", "json"]).output)["reproducible"] is False
    assert "same plays" in CliRunner().invoke(strategies, ["show", "greedy"]).output


def test_check_does_not_ask_it_to_repeat_itself():
    report = check(load("ismcts:ms=1"), games=2, seconds=0.5, another_process=False)
    assert not report.at_fault
    assert {finding.check: finding.verdict for finding in report.findings}["repeatable"] == "note"


def test_a_file_must_name_a_parameter_of_its_own(tmp_path):
    file = tmp_path / "odd.py"
    file.write_text("TIMED = 'ms'\n\n\ndef choose(view):\n    return 0\n")
    with pytest.raises(BadInput, match="TIMED = 'ms' is none of its PARAMETERS"):
        load(str(file))
