"""Memory is flat: ten times the games take no more of it, with records and without. Each process is looked at by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from basra_sim.workshop.run_bench import memory_of_run

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="the system does not say what a process takes"),
]


@pytest.mark.parametrize("records", ["none", "games", "rounds"])
def test_ten_million_games_take_no_more_memory_than_one(records):
    (one, _), (ten, _) = (memory_of_run(games, records) for games in (1_000_000, 10_000_000))
    print(f"{records}: {one:.0f} MB, {ten:.0f} MB")
    assert ten < 1.1 * one


def test_nor_where_strategies_play_in_processes_of_their_own():
    (one, worker), (ten, larger) = (memory_of_run(games, "games", cells=True) for games in (100_000, 1_000_000))
    print(f"{one:.0f} MB, {ten:.0f} MB; a worker {worker:.0f} MB, {larger:.0f} MB")
    assert ten < 1.1 * one and 0 < larger < 1.1 * worker


def test_three_times_the_games_take_no_more_memory():
    """The same in little."""
    (one, _), (three, _) = (memory_of_run(games, "none") for games in (100_000, 300_000))
    assert three < 1.1 * one
