"""Built-in shuffles give packs, the same ones however they are cut, and those of real machines."""

from __future__ import annotations

import numpy as np
import pytest

from basra_sim.shuffles.battery.outcomes import FOUND, judge
from basra_sim.shuffles.battery.tally import tally
from basra_sim.shuffles.generators.built_in_shuffles import Generator


def test_generators_are_the_same_whatever_the_chunk_and_give_packs():
    from basra_sim.shuffles.generators.shuffle_list import algorithms

    for name in algorithms():
        for start in ("new", "prev"):
            decks = Generator(name, 5, 52, start).decks(300)
            assert (np.sort(decks, axis=1) == np.arange(52)).all(), name
        parts = np.concatenate(list(Generator(name, 5, 52, "prev").chunks(300, chunk=77)))
        assert np.array_equal(parts, decks), name
        if name in ("collected", "engine"):
            continue  # packs of 52 only
        small = Generator(name if name not in ("piles", "partial") else f"{name}:2", 5, 5).decks(50)
        assert (np.sort(small, axis=1) == np.arange(5)).all(), name


def test_java_generator_equals_a_real_machine():
    """The last card of Collections.shuffle(0..51, new Random(seed)) for seeds 0..11, from a JVM."""
    assert Generator("java:seq").decks(12)[:, -1].tolist() == [44, 17, 44, 18, 42, 15, 43, 16, 40, 13, 41, 14]


def test_the_simulators_own_shuffle_is_tested_like_any_other():
    outcome = judge(tally(Generator("engine", 7).chunks(200_000), 52))
    assert outcome.verdict != FOUND


@pytest.mark.slow
def test_the_simulators_own_shuffle_at_ten_million_packs():
    """`basra-sim shuffle test --algo engine -n 100000000` is the same at 10^8."""
    outcome = judge(tally(Generator("engine", 2024).chunks(10_000_000), 52))
    assert outcome.verdict != FOUND
