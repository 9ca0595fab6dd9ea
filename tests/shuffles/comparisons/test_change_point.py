"""Changes along a log are found where they are, and seldom called where there are none."""

from __future__ import annotations

import numpy as np

from basra_sim.shuffles.battery.outcomes import FOUND, NONE
from basra_sim.shuffles.comparisons.change_point import ChangeFinder
from basra_sim.shuffles.generators.built_in_shuffles import Generator


def test_change_point_is_found_where_it_is():
    finder = ChangeFinder(52, np.arange(52))
    decks = np.concatenate([Generator("fisher-yates", 1).decks(1000), Generator("naive", 2).decks(800)])
    for start in range(0, 1800, 333):
        labels = [f"game {i}" for i in range(start, min(start + 333, 1800))]
        finder.add(decks[start : start + 333], labels)
    change = finder.best()
    assert change.verdict == FOUND and abs(change.deck - 1000) <= 60
    assert change.label == f"game {change.deck}"


def test_no_change_is_seldom_called():
    called = 0
    for seed in range(60):
        finder = ChangeFinder(52, np.arange(52))
        finder.add(Generator("naive", seed).decks(400))
        called += finder.best().verdict != NONE
    assert called <= 9
