"""What the benchmarks of whole runs do is what they say; how long it takes is not looked at."""

from __future__ import annotations

from basra_sim.records.run_folder import read_manifest
from basra_sim.workshop import run_bench as bench_runs


def test_both_forms_find_the_known_order(tmp_path, monkeypatch):
    monkeypatch.setattr(bench_runs, "SLIPS", range(0, 96, 12))
    even, adaptive = (bench_runs.games_to_order(tmp_path, 1, even) for even in (True, False))
    assert even[1] == adaptive[1] == 0  # wrong orders
    assert 28 * 2 * 64 < adaptive[0] < even[0]
    assert even[0] % 28 == 0  # every match is as long


def test_the_run_that_is_taken_up_again_was_killed_before_its_end(tmp_path):
    playing, whole = bench_runs.resume(20_000, "games", tmp_path / "run")
    assert 0 < playing <= whole
    assert read_manifest(tmp_path / "run")["complete"]
    assert not (tmp_path / "run" / "unfinished").exists()
