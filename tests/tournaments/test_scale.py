"""Memory is flat: ten times the games take no more of it, with records and without."""

from __future__ import annotations

import subprocess
import sys

import pytest

CODE = """
import resource, sys
from pathlib import Path
from basra_sim.run import Settings, run
games, records, folder = int(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
folder.mkdir()
outcome = run(["first", "random"], Settings(games=games, seed=1, records=records, jobs=2, unit="round"), folder=folder)
assert outcome.error is None
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""


def peak(games, records, folder):
    """Kilobytes at most of a process that plays so many games."""
    words = [sys.executable, "-c", CODE, str(games), records, str(folder)]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("records", ["none", "games", "rounds"])
def test_ten_million_take_no_more_memory_than_one(tmp_path, records):
    one, ten = (peak(games, records, tmp_path / str(games)) for games in (1_000_000, 10_000_000))
    print(f"{records}: {one / 1024:.0f} MB, {ten / 1024:.0f} MB")
    assert ten < 1.1 * one


@pytest.mark.slow
def test_three_times_the_games_take_no_more_memory(tmp_path):
    """The same in little."""
    one, three = (peak(games, "none", tmp_path / str(games)) for games in (100_000, 300_000))
    assert three < 1.1 * one
