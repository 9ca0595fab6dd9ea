"""Effect sizes of known cases: riffles and repeated decks."""

from __future__ import annotations

import pytest

from basra_sim.shuffles.battery.effect_sizes import repeated_decks, riffle_equivalent
from basra_sim.shuffles.battery.tally import tally
from basra_sim.shuffles.generators.built_in_shuffles import Generator


def test_riffle_equivalent_finds_the_number_of_riffles():
    for k in (3, 5, 7):
        counts = tally(Generator(f"riffle:{k}", 2).chunks(2000), 52)
        found = riffle_equivalent(counts.histogram("rising"), 52)
        assert found.low <= k <= found.high and found.riffles == pytest.approx(k, abs=0.25)
    fair = tally(Generator("fisher-yates", 2).chunks(2000), 52)
    assert riffle_equivalent(fair.histogram("rising"), 52).low > 8


def test_repeats_and_their_distance():
    counts = tally(Generator("forked:8", 1).chunks(400), 52)
    repeats = repeated_decks(counts)
    assert (repeats.lag, repeats.first) == (50, (1, 51))
    assert repeats.pairs == 50 * 28
