"""Seed audit: models against the real generators, searches that must find a planted seed, repeats and lags with known answers."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest

from basra_sim.errors import BadInput
from basra_sim.shuffles.generators.deck_orders import usual_orders
from basra_sim.shuffles.seeds.audit import Audit, audit, count_repeats, hash_decks, lag_table, pair_chance
from basra_sim.shuffles.seeds.audit_report import audit_lines
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
from basra_sim.shuffles.seeds.seed_search import Hit, make_table, search, seed_meaning, seed_ranges

VECTORS = json.loads((Path(__file__).parents[2] / "data/shuffles/seed_vectors.json").read_text())
ORDERS = usual_orders()
NEW = {"ours": ORDERS["A2K-CDHS"]}


def made_by(name: str, seed: int, order: str = "A2K-CDHS", upwards: bool = False, backwards: bool = False) -> np.ndarray:
    deck = deal(MODELS[name].draws(seed, BOUNDS), ORDERS[order].tolist(), upwards)
    return np.array(deck[::-1] if backwards else deck, dtype=np.uint8)


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


def test_java_seeds_and_states() -> None:
    assert java_seed_of(java_state_of(1234567890123)) == 1234567890123


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


# ------------------------------------------------------------------------------------------------- whole audits
def audit_of(decks: list[np.ndarray], **options: object) -> Audit:
    return audit([np.array(decks, dtype=np.uint8)], **options)  # type: ignore[arg-type]


def test_seeds_0_1_2_of_java_are_named_with_their_pattern() -> None:
    found = audit_of([made_by("java", seed) for seed in range(300)], generators=["java"], start="ours")
    assert [hit.seed for hit in found.hits] == [0, 1, 2, 3]
    assert "each seed +1" in found.stream
    text = "\n".join(audit_lines(found))
    assert "48 bits of the 225.6 needed" in text
    assert "one of 8 ways tried" in text
    assert found.odd_lags(), "the pattern of neighbouring seeds is seen without any search"


def test_one_stream_that_runs_on_is_told_from_new_seeds() -> None:
    draws = MODELS["java"].draws(777, BOUNDS * 3)
    decks = [np.array(deal(draws[51 * i : 51 * i + 51], range(52), False)) for i in range(3)]
    assert "seeded once" in audit_of(decks, generators=["java"], start="ours").stream


def test_a_pack_that_is_shuffled_on_from_the_deck_before() -> None:
    """The first deck comes from an order that nobody would guess; the second from the first."""
    decks = [np.random.default_rng(3).permutation(52)]
    draws = MODELS["java"].draws(99, BOUNDS * 2)
    for part in (draws[:51], draws[51:]):
        decks.append(np.array(deal(part, decks[-1].tolist(), False)))
    found = audit_of(decks, generators=["java"])
    assert (found.hits[0].deck, found.hits[0].seed, found.hits[0].hypothesis.order) == (1, 99, "the deck before")
    assert "seeded once" in found.stream


def test_nothing_is_found_in_perfect_shuffles_and_what_was_tried_is_said() -> None:
    decks = list(np.random.default_rng(4).permuted(np.tile(np.arange(52), (2000, 1)), axis=1))
    found = audit_of(decks, generators=["java"], start="SHDC-A2K")
    assert not found.found
    text = "\n".join(audit_lines(found))
    assert text.startswith("Nothing found in 2,000 decks")
    assert "Other generators were not tried" in text
    assert "fair" not in text
    assert json.dumps(found.as_dict())


def test_unknown_generators_and_orders() -> None:
    with pytest.raises(BadInput, match="no generator 'jav'"):
        audit_of([made_by("java", 1)], generators=["jav"])
    with pytest.raises(BadInput, match="is no order"):
        audit_of([made_by("java", 1)], generators=["java"], start="xyz")
    with pytest.raises(BadInput, match="no deck"):
        audit([])


# ------------------------------------------------------------------------------------------------- repeats and lags
@pytest.mark.parametrize("bits", [12, 16])
def test_the_birthday_estimate_holds_the_true_number_of_seeds(bits: int) -> None:
    """Seeds drawn at random from 2^bits: the 95 % interval must hold the truth in about 95 of 100 logs."""
    rng = np.random.default_rng(bits)
    held = 0
    for _ in range(200):
        repeats = count_repeats(rng.integers(0, 1 << bits, size=1000).astype(np.uint64), 0.0)
        held += repeats.low_bits <= bits <= (repeats.high_bits or np.inf)
    assert 180 <= held <= 200


def test_repeats_are_counted_in_pairs_and_their_lag_named() -> None:
    decks = np.random.default_rng(5).permuted(np.tile(np.arange(52, dtype=np.uint8), (100, 1)), axis=1)
    repeats = count_repeats(hash_decks(np.concatenate([decks, decks, decks])), pair_chance(52, 52))
    assert (repeats.pairs, repeats.distinct, repeats.lag, repeats.lag_share) == (300, 100, 100, 1.0)
    assert repeats.expected < 1e-60
    single = count_repeats(hash_decks(decks), 0.0)
    assert (single.pairs, single.bits, single.high_bits) == (0, None, None)
    assert single.low_bits == pytest.approx(np.log2(100 * 99 / 2 / 2.9957), abs=1e-3)  # -ln 0.05 = 2.9957 pairs


def test_hashes_differ_where_decks_differ_and_openings_ignore_the_rest() -> None:
    decks = np.random.default_rng(6).permuted(np.tile(np.arange(52, dtype=np.uint8), (20000, 1)), axis=1)
    assert len(np.unique(hash_decks(decks))) == 20000
    changed = decks[:1].copy()
    changed[0, 50:] = changed[0, :49:-1]
    assert hash_decks(changed[:, :10]) == hash_decks(decks[:1, :10])
    assert hash_decks(changed) != hash_decks(decks[:1])
    assert pair_chance(52, 2) == pytest.approx(1 / (52 * 51))


def test_lags_are_calm_on_perfect_shuffles_and_loud_on_dependent_ones() -> None:
    """z of both statistics over fair logs: mean 0, sd 1 (the laws are exact); a log of repeats at lag 7 is named."""
    rng = np.random.default_rng(7)
    z = []
    for _ in range(40):
        decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (200, 1)), axis=1)
        z += [(row.z_matches, row.z_correlation) for row in lag_table(decks, 10)]
    assert np.abs(np.mean(z, axis=0)).max() < 4 / np.sqrt(400)
    assert np.abs(np.std(z, axis=0) - 1).max() < 4 / np.sqrt(800)
    block = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (7, 1)), axis=1)
    rows = lag_table(np.tile(block, (20, 1)), 10)
    assert min(rows, key=lambda row: row.p).lag == 7
