"""What was played in the round, as strategies are told it: by `played` and `first_floor`, compiled and interpreted."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from judging import V2, compare, judged, plan_of

from basra_sim.engine.floor_table.kept_tables import load_table
from basra_sim.engine.jit.compiling import JIT_ON
from basra_sim.engine.view_helpers import first_floor, play_on, played
from basra_sim.game.cards import members
from basra_sim.game.rules import PRESETS
from basra_sim.workers.worker import Worker

# Plays the round again from its first floor, faults where that does not lead to the floor as it lies, and lets every card,
# whose it was and what it took decide. What the judge's own strategy must play, from the judge's own history.
AGAIN = """
from basra_sim.view import first_floor, nth_card, play_on, played, popcount


def choose(view):
    floor, h = first_floor(view), view.leading
    if popcount(floor.cards) != 4 or played(view, -1) != -1 or played(view, view.ply) != -1 or played(view, 47) != -1:
        return -2
    for ply in range(view.ply):
        what = play_on(view, floor, played(view, ply))
        floor, h = what.floor, (31 * h + played(view, ply) + 7 * what.taken + ply * what.points) % 1000003
    if floor.cards != view.floor:
        return -3
    return nth_card(view.hand, h % popcount(view.hand))
"""


@pytest.fixture
def again(tmp_path):
    (tmp_path / "again.py").write_text(AGAIN)
    return str(tmp_path / "again.py")


@pytest.mark.parametrize("interpret", [False, True], ids=["compiled", "interpreted"])
@pytest.mark.parametrize("preset", PRESETS if JIT_ON else ["egyptian-v2"])
def test_games_of_a_strategy_that_plays_by_what_was_played(preset, interpret, again):
    """Both seats, leading and dealing, in games of several rounds: the judge tells its strategies what it has played itself."""
    for two in ((again, "greedy"), ("random", again), (again, again)):
        plan = plan_of(PRESETS[preset], two, seed=17, pairs=3, interpret=interpret)
        assert interpret or not JIT_ON or all(player.mode == "compiled" for player in plan.players)
        assert compare(plan) >= 6


def test_each_view_tells_what_the_judge_played():
    told = []

    def watch(view):
        cards = [played(view, ply) for ply in range(-3, 52)]
        assert set(cards[:3] + cards[3 + view.ply :]) == {-1}
        told.append((view.ply, view.leading, cards[3 : 3 + view.ply], first_floor(view).cards, view.history))
        floor = first_floor(view)
        for card in cards[3 : 3 + view.ply]:
            floor = play_on(view, floor, card).floor
        assert floor.cards == view.floor
        return max(members(view.hand))

    plan = plan_of(V2, (watch, "first"), seed=4, pairs=2)
    assert Worker(plan, 0, load_table(V2), 2, False).play(0, 2) == (2, None)
    engine, told[:] = told[:], []
    wanted = []
    for pair, game in ((0, 0), (0, 1), (1, 0), (1, 1)):
        judge = judged(plan, pair, game)
        for number, result in enumerate(judge.result.rounds):
            cards = [event.card for event in judge.plies[48 * number : 48 * number + 48]]
            leading = int(result.leader == game)
            wanted += [(p, leading, cards[:p], result.first_floor, tuple(cards[:p])) for p in range(1 - leading, 48, 2)]
    assert engine == told == wanted
    assert {leading for _, leading, *_ in wanted} == {0, 1}


@pytest.mark.skipif(not JIT_ON, reason="it is what this starts")
def test_the_same_without_compiling():
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", str(Path(__file__))],
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stdout[-3000:]
