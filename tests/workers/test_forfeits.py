"""Strategies cannot stop a tournament: every kind of fault costs the right one the game, and nothing else."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pyarrow.parquet as pq
import pytest
from child_runs import bytes_of

from basra_sim.analysis.tables.summary import summarize
from basra_sim.errors import StrategyFault
from basra_sim.records.counters import FORFEITS
from basra_sim.runs.preparing import plan_run
from basra_sim.runs.resuming import resume
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run
from basra_sim.workers.guarded_matches import GuardedMatches

HEAD = "from basra_sim.view import lowest\nimport os, time\nMEMORY = {}\n"
CLEAN = HEAD + "def choose(view):\n    return lowest(view.hand)\n"
RARE = "view.ply > 44 and view.floor % 101 == 3"
# each plays as CLEAN does but for a rare moment; those that touch MEMORY cannot be compiled
FAULTS = {
    "illegal": ("        return lowest(view.unseen | 1 << 51)\n", "illegal"),
    "nonsense": ("        return 99\n", "no_card"),
    "texts": ("        return MEMORY.get(1, 'a card')\n", "no_card"),
    "raises": ("        raise ValueError('no idea')\n", "raised"),
    "leaves": ("        raise SystemExit(0)\n", "raised"),
    "interrupts": ("        raise KeyboardInterrupt\n", "raised"),
    "loops": ("        x = view.floor\n        while x % 101 == 3:\n            x += 101\n", "timeout"),
    "prints": ("        while True:\n            print('x' * 1000)\n            MEMORY[0] = 1\n", "timeout"),
    "exits": ("        MEMORY[0] = os._exit(0)\n", "exited"),
    "crashes": ("        os.kill(os.getpid(), 11)\n        MEMORY[0] = 1\n", "exited"),
    "eats": ("        MEMORY[0] = bytes(1 << 40)\n", "memory"),
}


def write(folder, name):
    path = folder / f"{name}.py"
    body = FAULTS[name][0] if name in FAULTS else ""
    path.write_text(HEAD + f"def choose(view):\n    if {RARE}:\n{body}    return lowest(view.hand)\n" if body else CLEAN)
    return str(path)


@pytest.fixture(scope="module")
def field(tmp_path_factory):
    """A gauntlet of a built-in strategy against one of each kind of fault, and the same against one without faults."""
    root = tmp_path_factory.mktemp("faults")
    settings = {"games": 60, "seed": 3, "play_timeout": 0.3, "tournament": "gauntlet", "records": "games"}
    names = list(FAULTS)
    folder = root / "run"
    folder.mkdir()
    faulty = run(["greedy", *(write(root, name) for name in names)], Settings(**settings), folder=folder)
    clean = root / "clean"
    clean.mkdir()
    run(["greedy", write(root, "clean")], Settings(**settings | {"tournament": "round-robin"}), folder=clean)
    return faulty, pq.read_table(folder / "games.parquet").to_pandas(), pq.read_table(clean / "games.parquet").to_pandas()


def test_every_fault_is_counted_by_kind_and_the_other_seat_is_never_blamed(field):
    outcome, _, _ = field
    assert outcome.error is None and outcome.totals.complete
    for match in outcome.totals.matches:
        assert match.a == "greedy" and match.forfeits[0].sum() == 0
        kinds = {why: int(n) for why, n in zip(FORFEITS, match.forfeits[1], strict=True) if n}
        assert list(kinds) == [FAULTS[match.b][1]], match.b
    assert len({int(match.forfeits.sum()) for match in outcome.totals.matches}) == 1  # the moments are the same


def test_forfeits_are_lost_and_all_other_games_stand(field):
    _, games, clean = field
    columns = [name for name in games.columns if name != "match"]
    for name, rows in games.groupby("match", observed=True):
        lost = (rows["rounds"] == 0).to_numpy()
        assert 0 < lost.sum() < 15, name
        assert (rows["winner"][lost] == "a").all()
        assert (rows[["score_a", "score_b", "cards_a", "basras_b"]][lost] == 0).all(axis=None)
        same = (rows[columns].astype(str).to_numpy() == clean[columns].astype(str).to_numpy()).all(axis=1)
        assert (same | lost).all(), name


def test_points_leave_forfeits_out_and_results_count_them(field):
    outcome, games, _ = field
    for match, entry in zip(outcome.totals.matches, summarize(outcome.totals)["matches"], strict=True):
        rows = games[games["match"] == entry["match"]]
        assert entry["wins_a"] + entry["wins_b"] + entry["draws"] == 60 == sum(k for k in match.lengths)
        assert sum(entry["pair_scores"]) == 30 and entry["wins_a"] == (rows["winner"] == "a").sum()
        assert entry["points_per_round_a"] == pytest.approx(rows["score_a"].sum() / rows["rounds"].sum())
        assert match.group_sums[:, 0].sum() == match.pair_sums[11] == 2 * entry["wins_a"] + entry["draws"]
        both = (rows["rounds"] > 0).to_numpy().reshape(-1, 2).all(axis=1)
        assert match.pair_margins.sum() == both.sum()


def test_a_time_limit_that_struck_is_said(field):
    outcome, _, _ = field
    assert any("depends on the machine" in note for note in outcome.totals.notes)
    assert any("forfeited by faults" in note for note in outcome.totals.notes)


def test_two_strategies_stop_loudly(tmp_path):
    outcome = run(["greedy", write(tmp_path, "raises")], Settings(games=300, seed=3))
    assert isinstance(outcome.error, StrategyFault) and "raises raised ValueError" in str(outcome.error)
    assert not outcome.totals.complete and int(outcome.totals.matches[0].winners[:, 2].sum()) == 0


def test_both_at_fault_forfeit_their_own_games(tmp_path):
    outcome = run([write(tmp_path, "raises"), write(tmp_path, "illegal")], Settings(games=200, seed=3, on_fault="forfeit"))
    match = outcome.totals.matches[0]
    assert match.forfeits[0, FORFEITS.index("raised")] > 0 and match.forfeits[1, FORFEITS.index("illegal")] > 0
    assert match.forfeits.sum() == match.lengths[0]


def test_the_same_forfeits_whatever_the_workers(tmp_path):
    files = [write(tmp_path, "exits"), write(tmp_path, "nonsense")]
    found = []
    for jobs, chunk in ((1, 13), (2, 64)):
        folder = tmp_path / f"{jobs}"
        folder.mkdir()
        run(["first", *files], Settings(games=60, seed=9, jobs=jobs, chunk_pairs=chunk), folder=folder)
        found.append(bytes_of(folder))
    assert found[0] == found[1]


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


def _state(process):
    try:
        with open(f"/proc/{process}/stat") as file:
            return file.read().rpartition(")")[2].split()[0]
    except OSError:
        return "Z"
