"""Seed audit: models against the real generators, searches that must find a planted seed, repeats and lags with known answers."""

from __future__ import annotations

import json

import numpy as np
import pytest
from made_decks import made_by

from basra_sim.errors import BadInput
from basra_sim.shuffles.seeds.audit import Audit, audit, count_repeats, hash_decks, lag_table, pair_chance
from basra_sim.shuffles.seeds.audit_report import audit_lines
from basra_sim.shuffles.seeds.seed_models import (
    BOUNDS,
    MODELS,
    deal,
)


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
