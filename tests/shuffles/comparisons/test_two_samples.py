"""Two samples: no more false alarms than said, also when both are biased alike."""

from __future__ import annotations

import pytest

from basra_sim.shuffles.battery.outcomes import FOUND, NONE, TOO_FEW
from basra_sim.shuffles.battery.tally import tally
from basra_sim.shuffles.comparisons.two_samples import compare
from basra_sim.shuffles.generators.built_in_shuffles import Generator


def counted(spec, decks, seed, start="new"):
    return tally(Generator(spec, seed, 52, start).chunks(decks), 52, workers=1)


@pytest.mark.parametrize("spec", ["fisher-yates", "naive", "riffle:5"])
def test_two_samples_of_one_shuffle_seldom_differ(spec):
    flagged = 0
    for seed in range(40):
        flagged += compare(counted(spec, 150, 100 + seed), counted(spec, 250, 900 + seed)).verdict != NONE
    assert flagged <= 9  # weak or found at .05: 2 expected, and 5 sigma


def test_different_shuffles_differ():
    assert compare(counted("naive", 800, 1), counted("fisher-yates", 800, 2)).verdict == FOUND
    assert compare(counted("sattolo", 60, 1), counted("fisher-yates", 60, 2)).verdict == FOUND
    assert compare(counted("fisher-yates", 5, 1), counted("fisher-yates", 900, 2)).verdict == TOO_FEW
