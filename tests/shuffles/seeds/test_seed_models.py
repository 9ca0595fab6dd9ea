"""The models make the decks of the real generators, and draws and deals are inverse."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest
from made_decks import made_by

from basra_sim.shuffles.seeds.seed_models import (
    BOUNDS,
    MODELS,
    deal,
    draws_of,
    glibc_coefficients,
    glibc_start,
    java_seed_of,
    java_state_of,
)

VECTORS = json.loads((Path(__file__).parents[2] / "data/shuffles/seed_vectors.json").read_text())


@pytest.mark.parametrize("name", ["java", "glibc", "mt-modulo"])
def test_models_make_the_decks_of_the_real_generators(name: str) -> None:
    for seed, deck in VECTORS[name].items():
        assert draws_of(deck, False) == MODELS[name].draws(int(seed), BOUNDS)
        assert deal(MODELS[name].draws(int(seed), BOUNDS), range(52), False) == deck


def test_the_last_cards_of_java_seeds_0_to_11() -> None:
    last = [made_by("java", seed)[-1] for seed in range(12)]
    assert last == [44, 17, 44, 18, 42, 15, 43, 16, 40, 13, 41, 14]


@pytest.mark.parametrize("seed", [0, 1, 42, 1_700_000_000, 2**32 - 1])
def test_models_of_python_and_numpy_against_the_libraries(seed: int) -> None:
    deck = list(range(52))
    random.Random(seed).shuffle(deck)
    assert made_by("mt-python", seed).tolist() == deck
    assert made_by("mt-numpy", seed).tolist() == np.random.RandomState(seed).permutation(52).tolist()


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        ("java:seq", "java"),
        ("lcg:borland,seq", "borland"),
        ("lcg:msvc,seq", "msvc"),
        ("lcg:ansi,seq", "ansi"),
        ("lcg:low,seq", "low"),
        ("mt19937:seq", "mt-python"),
    ],
)
def test_the_built_in_shuffles_use_the_same_generators(spec: str, name: str) -> None:
    from basra_sim.shuffles.generators.built_in_shuffles import Generator

    decks = Generator(spec).decks(20)
    assert decks.tolist() == [made_by(name, seed).tolist() for seed in range(20)]


def test_draws_and_deals_are_inverse_both_ways() -> None:
    deck = np.random.default_rng(1).permutation(52).tolist()
    for upwards in (False, True):
        draws = draws_of(deck, upwards)
        assert all(0 <= draw < bound for draw, bound in zip(draws, BOUNDS, strict=True))
        assert deal(draws, range(52), upwards) == deck


def test_glibc_coefficients_give_the_outputs_of_the_model() -> None:
    start = np.array([word & 0xFFFFFFFF for word in glibc_start(42)], dtype=np.uint32)
    outputs = [int((row * start).sum(dtype=np.uint32)) >> 1 for row in glibc_coefficients(3)]
    assert outputs == [71876166, 708592740, 1483128881]  # printed by a C program after srand(42)


def test_java_seeds_and_states() -> None:
    assert java_seed_of(java_state_of(1234567890123)) == 1234567890123
