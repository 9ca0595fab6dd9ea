"""Processes under guard: replaced when they are killed from outside or talk nonsense, and none is left behind."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from child_runs import bytes_of
from faulty_files import write

from basra_sim.records.counters import FORFEITS
from basra_sim.runs.preparing import plan_run
from basra_sim.runs.resuming import resume
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run
from basra_sim.workers.guarded_matches import GuardedMatches


def mine(view):
    return (view.hand & -view.hand).bit_length() - 1


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """A process for strategies that are files: (exits, clean), (exits, greedy) and (clean, greedy) are matches 3, 4 and 5."""
    root = tmp_path_factory.mktemp("cells")
    prepared = plan_run([mine, write(root, "exits"), write(root, "clean"), "greedy"], Settings(games=400_000, seed=1))
    made = GuardedMatches(prepared.plan, (), False, 10.0)
    yield made, prepared
    made.close()


def test_an_object_takes_no_protection_from_files(cells):
    """A function of this program cannot be killed, and a note says so; files that meet each other still play in processes."""
    made, prepared = cells
    assert sum("cannot be made a forfeit" in note for note in prepared.notes) == 1
    assert made.guarded == {3, 4, 5}
    chunk = made(prepared.plan, 3, 0, 100)
    assert {why for _, why in chunk.forfeits.values()} == {FORFEITS.index("exited")}
    assert not any("cannot be made" in note for note in plan_run([mine, "first"], Settings(games=2)).notes)


def test_a_worker_killed_from_outside_is_replaced(cells):
    made, prepared = cells
    whole = made(prepared.plan, 5, 0, 20_000)
    child = made._all[0].child
    killer = threading.Timer(0.05, lambda: os.kill(child, signal.SIGKILL))
    killer.start()
    again = made(prepared.plan, 5, 0, 20_000)
    killer.join()
    assert made.replaced == 1 and made._all[0].child != child
    assert np.array_equal(whole.games, again.games) and not again.forfeits


def test_a_process_that_ended_has_not_taken_too_long(cells, monkeypatch):
    """The system tells no CPU time of a process that is gone; that must not be taken for much time."""
    asked = itertools.count()
    monkeypatch.setattr("basra_sim.workers.guard.cpu_seconds", lambda process: None if next(asked) % 2 else 0.5)
    monkeypatch.setattr("basra_sim.workers.guard.POLL_SECONDS", 0.001)
    made, prepared = cells
    chunk = made(prepared.plan, 4, 0, 200)
    assert len(chunk.forfeits) > 3 and {why for _, why in chunk.forfeits.values()} == {FORFEITS.index("exited")}


def test_a_worker_that_talks_nonsense_is_replaced(cells, monkeypatch):
    """It is alive and cannot be understood any more: nobody waits for it for good."""
    monkeypatch.setattr("basra_sim.workers.guard.GONE_SECONDS", 0.1)
    made, prepared = cells
    whole = made(prepared.plan, 5, 0, 20)
    cell = made._all[0]
    cell._answers.put(("gone", None))
    again = made(prepared.plan, 5, 0, 20)
    assert made._all[0] is not cell and np.array_equal(whole.games, again.games) and not again.forfeits


def _state(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"


def test_no_process_is_left_when_the_run_itself_is_killed(tmp_path):
    """kill -9 of the run: its cells see their input end and go too; the run is then resumed to the same bytes."""
    path = write(tmp_path, "exits")
    asked = {"games": 300, "seed": 9, "on_fault": "forfeit", "chunk_pairs": 32}
    folder = tmp_path / "killed"
    folder.mkdir()
    code = (
        "import sys\nfrom pathlib import Path\n"
        "from basra_sim.runs.run_settings import Settings\nfrom basra_sim.runs.running import run\n"
        f"run(['first', {path!r}], Settings(**{asked!r}), folder=Path({str(folder)!r}))\n"
    )
    child = subprocess.Popen([sys.executable, "-c", code])
    end = time.monotonic() + 60
    while not (folder / "unfinished" / "state.bin").exists() and time.monotonic() < end:
        time.sleep(0.01)
    cells = [int(p) for p in subprocess.run(["pgrep", "-P", str(child.pid)], capture_output=True, text=True).stdout.split()]
    child.kill()
    child.wait()
    assert cells
    end = time.monotonic() + 20
    while any(os.path.exists(f"/proc/{cell}") and "Z" not in _state(cell) for cell in cells) and time.monotonic() < end:
        time.sleep(0.05)
    assert not any(os.path.exists(f"/proc/{cell}") and "Z" not in _state(cell) for cell in cells)
    resume(folder)
    whole = tmp_path / "whole"
    whole.mkdir()
    run(["first", path], Settings(**asked), folder=whole)
    assert bytes_of(folder) == bytes_of(whole)
