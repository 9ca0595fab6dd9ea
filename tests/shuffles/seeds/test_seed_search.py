"""Planted seeds are found, at the ends of a range too, and none where there is none."""

from __future__ import annotations

from datetime import UTC, datetime

import numpy as np
import pytest
from made_decks import ORDERS, made_by

from basra_sim.errors import BadInput
from basra_sim.shuffles.seeds.seed_models import (
    MODELS,
)
from basra_sim.shuffles.seeds.seed_search import Hit, make_table, search, seed_meaning, seed_ranges

NEW = {"ours": ORDERS["A2K-CDHS"]}


@pytest.mark.parametrize(
    ("seed", "order", "upwards", "backwards"),
    [(42, "A2K-CDHS", False, False), (2**48 - 5, "SHDC-2KA", True, True), (1_700_000_000_123, "new-deck", False, True)],
)
def test_the_48_bits_of_java_come_back_from_one_deck_in_any_usual_order(
    seed: int, order: str, upwards: bool, backwards: bool
) -> None:
    deck = made_by("java", seed, order, upwards, backwards)
    hits = search(make_table((deck, ORDERS)), MODELS["java"]).hits
    assert [hit.seed for hit in hits] == [seed]
    assert (hits[0].hypothesis.order, hits[0].hypothesis.upwards, hits[0].hypothesis.reversed) == (order, upwards, backwards)


@pytest.mark.parametrize("name", ["borland", "msvc", "ansi", "low", "glibc", "mt-modulo", "mt-numpy", "mt-python"])
def test_a_planted_seed_is_found_near_where_it_is_looked_for(name: str) -> None:
    seed, first, last = 1_700_000_777, 1_700_000_000, 1_700_040_000
    deck = made_by(name, seed, "SHDC-A2K", upwards=True)
    tried = search(make_table((deck, ORDERS)), MODELS[name], [(first, last, "here")])
    assert [hit.seed for hit in tried.hits] == [seed]
    assert (tried.seeds, tried.hypotheses) == (40_000, 193 * 4)
    assert "2023-11-14 22:26:17 UTC" in seed_meaning(tried.hits[0])


@pytest.mark.parametrize("name", ["borland", "mt-python"])
def test_the_ends_of_a_range_are_searched(name: str) -> None:
    for seed in (100, 227):
        deck = made_by(name, seed)
        assert [hit.seed for hit in search(make_table((deck, NEW)), MODELS[name], [(100, 228, "")]).hits] == [seed]
        assert not search(make_table((deck, NEW)), MODELS[name], [(101, 227, "")]).hits


def test_a_perfect_shuffle_has_no_seed() -> None:
    deck = np.random.default_rng(9).permutation(52).astype(np.uint8)
    table = make_table((deck, ORDERS))
    assert not search(table, MODELS["java"]).hits
    assert not search(table, MODELS["borland"], [(0, 1 << 22, "")]).hits


@pytest.mark.slow
@pytest.mark.parametrize(("name", "limit"), [("borland", 60), ("msvc", 60), ("ansi", 60), ("low", 60)])
def test_all_seeds_of_an_lcg_within_a_minute(name: str, limit: float) -> None:
    deck = made_by(name, 4_000_000_000, "HSDC-AK2", backwards=True)
    tried = search(make_table((deck, ORDERS)), MODELS[name], "all")
    assert [hit.seed & 0x7FFFFFFF for hit in tried.hits] == [4_000_000_000 & 0x7FFFFFFF]
    assert tried.seconds < limit


def test_ranges_of_seeds() -> None:
    lcg, twister = MODELS["borland"], MODELS["mt-python"]
    assert seed_ranges("usual", lcg)[0][:2] == (0, 1 << 32)
    assert seed_ranges("all", MODELS["msvc"])[0][:2] == (0, 1 << 31)
    assert seed_ranges("ms-of-day", lcg)[0][:2] == (0, 86_400_000)
    now = datetime(2024, 5, 1, tzinfo=UTC)
    assert [r[:2] for r in seed_ranges("usual", twister, now)] == [(0, 86_400_000), (1682899200, 1714608000)]
    first, last, words = seed_ranges("unix:2024-05-01+-3", lcg)[0]
    assert (first, last, words) == (1714262400, 1714867200, "seconds of 2024-04-28 to 2024-05-05")
    for wrong in ("yesterday", "unix:maybe", "unix:2024-05-01+-x"):
        with pytest.raises(BadInput, match="--seeds"):
            seed_ranges(wrong, lcg)


def test_meaning_of_a_seed() -> None:
    def meaning(name: str, seed: int) -> str:
        deck = made_by(name, seed)
        return seed_meaning(Hit(MODELS[name], seed, make_table((deck, NEW)).hypotheses[0]))

    assert "11:57:01.117 as milliseconds of a day" in meaning("borland", 43_021_117)
    assert "2023-11-14 22:13:20 UTC as a time in milliseconds" in meaning("java", 1_700_000_000_123)
