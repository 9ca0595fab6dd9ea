"""Runs that are killed at any moment and go on to the same bytes; locks and refusals."""

from __future__ import annotations

import contextlib
import errno
import json
import random
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest
from child_runs import bytes_of, fresh, in_child, kill, pressed_at, wait_for
from click.testing import CliRunner

from basra_sim.cli import cli
from basra_sim.errors import BadInput, BasraError
from basra_sim.records import spool as spools
from basra_sim.records.disk import disk_errors
from basra_sim.records.run_folder import read_manifest, read_run
from basra_sim.runs.playing import Playing
from basra_sim.runs.resuming import resume
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.run_state import RunState
from basra_sim.runs.running import run

FIELD = ["random", "first", "greedy", "random"]


ASKED = {"games": 1200, "seed": 5, "chunk_pairs": 16}


def settings(**more):
    return Settings(**ASKED | more)


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A run never interrupted, with each kind of records."""
    root = tmp_path_factory.mktemp("whole")
    return {records: fresh(root, records, FIELD, **ASKED, records=records) for records in ("none", "games", "rounds")}


@pytest.mark.parametrize("records", ["none", "games", "rounds"])
def test_killed_at_random_moments_it_ends_with_the_same_bytes(tmp_path, monkeypatch, records):
    """kill -9 at 12 points or more of one run of four strategies, then to the end."""
    rng = random.Random(records)
    folder = tmp_path / "killed"
    folder.mkdir()
    state = folder / spools.UNFINISHED / spools.STATE
    kills = 0
    asked = {"records": records, "games": 8_000}
    monkeypatch.setattr(Playing, "_size", lambda self, match: 8)  # so a quick machine is not done before the kills are
    child = in_child(lambda: run(FIELD, settings(**asked), folder=folder))
    wait_for(state.exists)
    for _ in range(20):
        time.sleep(rng.uniform(0, 0.1))
        if not kill(child):
            break
        kills += 1
        if kills >= 12:
            break
        before = state.stat().st_mtime_ns
        child = in_child(lambda: resume(folder))
        if rng.random() < 0.7:  # otherwise it may be killed while it reads what there is
            with contextlib.suppress(FileNotFoundError):
                wait_for(lambda before=before: not state.exists() or state.stat().st_mtime_ns != before, 5)
    assert kills >= 10
    monkeypatch.undo()
    if not read_manifest(folder)["complete"]:
        resume(folder, jobs=2)
    assert bytes_of(folder) == bytes_of(fresh(tmp_path, "whole", FIELD, seed=5, **asked))
    assert [path.name for path in folder.iterdir() if path.is_dir()] == []


def test_every_chunk_but_the_one_in_flight_is_kept(tmp_path):
    folder = tmp_path / "x"
    folder.mkdir()
    child = in_child(lambda: run(FIELD, settings(games=100_000), folder=folder))
    state = folder / spools.UNFINISHED / spools.STATE
    wait_for(state.exists)
    time.sleep(0.3)
    kill(child)
    spool = spools.Spool(folder)
    _, totals = spool.load()
    spool.close()
    assert sum(m.pairs for m in totals.values()) >= 16
    with pytest.raises(BadInput, match="unfinished and has no tables yet: basra-sim resume"):
        read_run(folder)


def test_a_torn_state_falls_back_to_the_last_whole_one(tmp_path, whole):
    folder = tmp_path / "x"
    folder.mkdir()
    child = in_child(lambda: run(FIELD, settings(), folder=folder))
    place = folder / spools.UNFINISHED
    wait_for((place / spools.SAFE).exists)
    time.sleep(0.1)
    kill(child)
    data = (place / spools.STATE).read_bytes() if (place / spools.STATE).exists() else b""
    (place / spools.STATE).write_bytes(data[: len(data) // 2])  # what a power cut may leave
    resume(folder)
    assert bytes_of(folder) == bytes_of(whole["none"])


def test_a_full_disk_stops_the_run_and_it_goes_on(tmp_path, whole, monkeypatch):
    folder = tmp_path / "x"
    folder.mkdir()
    save, count = RunState.save, [0]

    def full(self):
        count[0] += 1
        if count[0] == 50:
            raise BasraError("cannot write: no space left on the disk")
        save(self)

    monkeypatch.setattr(RunState, "save", full)
    outcome = run(FIELD, settings(), folder=folder)
    assert "no space left" in str(outcome.error) and outcome.resumable and not outcome.totals.complete
    monkeypatch.undo()
    assert resume(folder).error is None
    assert bytes_of(folder) == bytes_of(whole["none"])


@pytest.mark.parametrize("where", ["rows", "tables"])
def test_a_disk_that_is_full_at_the_end_loses_nothing(tmp_path, whole, monkeypatch, where):
    """The last rows of the Parquet file, or the tables, find no room: nothing half is left, and resume writes them."""
    folder = tmp_path / "x"
    folder.mkdir()

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "full")

    def no_room(*_):
        with disk_errors(folder / "totals.json"):
            full()

    with monkeypatch.context() as patch:
        if where == "rows":
            writer = SimpleNamespace(write_table=full, close=lambda: None)
            patch.setattr("basra_sim.records.row_writers.GamesWriter._open", lambda self: writer)
        else:
            patch.setattr("basra_sim.analysis.tables.result_files.write_totals", no_room)
        outcome = run(FIELD, settings(records="games"), folder=folder)
    assert "no space left" in str(outcome.error) and outcome.resumable and outcome.summary["games"] == 7200
    assert not list(folder.glob("*.part")) and not read_manifest(folder)["complete"]
    assert resume(folder).error is None
    assert bytes_of(folder) == bytes_of(whole["games"])


def test_ctrl_c_keeps_what_was_played(tmp_path, whole):
    folder = tmp_path / "x"
    folder.mkdir()
    with pressed_at(40):
        outcome = run(FIELD, settings(jobs=2), folder=folder)
    assert isinstance(outcome.error, KeyboardInterrupt) and outcome.resumable
    partial = read_run(folder)
    assert not partial.complete and sum(m.games for m in partial.matches) == 37 * 32 + 16 + 32
    resume(folder)
    assert bytes_of(folder) == bytes_of(whole["none"])


def test_a_second_process_is_refused(tmp_path):
    folder = tmp_path / "x"
    folder.mkdir()
    child = in_child(lambda: run(FIELD, settings(games=1_000_000), folder=folder))
    try:
        wait_for((folder / spools.UNFINISHED / spools.STATE).exists)
        with pytest.raises(BadInput, match=rf"is being played by process {child}; wait for it"):
            resume(folder)
    finally:
        assert kill(child)
    spools.Spool(folder).close()  # the lock died with its owner


# ---------------------------------------------------------------------------------------------- refusals
@pytest.fixture
def stopped(tmp_path):
    """A run stopped in the middle whose strategies, rules and packs are files that a test may change."""
    strategy = tmp_path / "mine.py"
    strategy.write_text("from basra_sim.view import lowest\ndef choose(view):\n    return lowest(view.hand)\n")
    rules = tmp_path / "house.toml"
    rules.write_text('target = 51\n')
    folder = tmp_path / "run"
    folder.mkdir()
    with pressed_at(3):
        run(["random", str(strategy)], settings(games=200, rules=str(rules)), folder=folder)
    return folder


def refusal(folder):
    with pytest.raises(BadInput) as error:
        resume(folder)
    assert "\n" not in str(error.value)
    return str(error.value)


def test_a_changed_strategy_is_refused(stopped):
    path = stopped.parent / "mine.py"
    path.write_text(path.read_text() + "# changed\n")
    text = refusal(stopped)
    assert "mine" in text and "has changed since" in text and "basra-sim run" in text
    path.unlink()
    assert "no strategy file" in refusal(stopped)


def test_changed_rules_are_refused(stopped):
    (stopped.parent / "house.toml").write_text('target = 61\n')
    assert "rules" in refusal(stopped) and "have changed since" in refusal(stopped)


@pytest.mark.parametrize("library", ["basra-sim", "numba", "numpy"])
def test_other_versions_are_refused(stopped, library):
    path = stopped / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["versions"][library] = "0.0.1"
    path.write_text(json.dumps(manifest))
    assert f"begun with {library} 0.0.1" in refusal(stopped)


def test_what_cannot_be_resumed_says_so(tmp_path, whole):
    assert "there is no folder" in refusal(tmp_path / "nothing")
    (tmp_path / "empty").mkdir()
    assert "no run folder" in refusal(tmp_path / "empty")
    assert "is complete; basra-sim extend" in refusal(whole["none"])


# ---------------------------------------------------------------------------------------------- as a user meets it
def test_ctrl_c_at_the_command_line_says_how_to_go_on(tmp_path):
    program = [sys.executable, "-m", "basra_sim"]
    child = subprocess.Popen(
        [*program, "run", "random", "first", "greedy", "--games", "4000000", "--seed", "7", "-j", "2", "-o", "my run", "-q"],
        cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    state = tmp_path / "my run" / spools.UNFINISHED / spools.STATE
    wait_for(state.exists, 60)
    time.sleep(0.2)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=30)
    assert child.returncode == 130 and "INCOMPLETE" in out and "Traceback" not in err
    assert err.strip().splitlines()[-1].endswith("to go on: basra-sim resume 'my run'")
    assert "may be watched" in " ".join(out.split())  # whoever stops a run may have looked at it
    assert "basra-sim resume" in CliRunner().invoke(cli, ["runs", str(tmp_path)], standalone_mode=False).output
    again = subprocess.Popen([*program, "resume", "my run", "-q"], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    before = state.stat().st_mtime_ns
    wait_for(lambda: state.stat().st_mtime_ns != before, 60)
    again.send_signal(signal.SIGINT)
    assert "basra-sim resume 'my run'" in again.communicate(timeout=30)[1] and again.returncode == 130
