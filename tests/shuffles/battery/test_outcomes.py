"""Verdicts on known flaws and on correct shuffles, false alarms at small sizes, and what may never be said."""

from __future__ import annotations

import numpy as np
import pytest

from basra_sim.errors import BadInput
from basra_sim.shuffles.battery.outcomes import FOUND, NONE, TOO_FEW, WEAKLY, choose, judge, verdict
from basra_sim.shuffles.battery.tally import tally
from basra_sim.shuffles.generators.built_in_shuffles import Generator


def outcome_of(spec, decks, start="new", n=52, seed=1, **options):
    counts = tally(Generator(spec, seed, n, start).chunks(decks), n)
    return judge(counts, faces=n == 52, **options), counts


@pytest.mark.parametrize(
    ("spec", "decks", "start", "expected"),
    [
        ("naive", 450, "new", "inversions"), ("sattolo", 20, "new", "cycles"), ("sort-random", 1000, "new", "position"),
        ("riffle:7", 40, "new", "rising"), ("swaps:500,distinct", 40, "new", "parity"), ("riffle:3", 300, "prev", "lag1-rising"),
        ("anti-clump", 200, "new", "like-rank"), ("stuck", 40, "new", "position"), ("modulo:256", 4000, "new", "inversions"),
        ("forked:8", 400, "new", "repeats"), ("java:seq", 1000, "new", "lag1-position"), ("lcg:low", 500, "new", "position"),
        ("sort-keys:100", 200, "new", "descents"), ("piles:7", 30, "new", "neighbours"),
    ],
)  # fmt: skip
def test_flaws_are_found_by_the_test_that_is_made_for_them(spec, decks, start, expected):
    outcome, _ = outcome_of(spec, decks, start)
    assert outcome.verdict == FOUND
    assert outcome.result(expected).verdict == FOUND


@pytest.mark.parametrize("spec", ["fisher-yates", "modulo:32768", "java:48", "scaled15", "lcg:borland,32"])
def test_what_tests_of_decks_cannot_see_is_not_found(spec):
    outcome, _ = outcome_of(spec, 4000, seed=5)
    assert outcome.verdict in (NONE, WEAKLY)


def test_too_even_is_the_other_tail():
    outcome, _ = outcome_of("java:seq", 20_000)
    assert outcome.result("position").measure.tails.side == "low"
    assert outcome.result("position").measure.z == pytest.approx(-12.8, abs=1.5)


def test_collected_decks_hide_from_the_start_order():
    """Three riffles of the deck before, 3,000 decks: nothing against a start order, z = 328 against the deck before."""
    outcome, _ = outcome_of("riffle:3", 3000, "prev")
    assert abs(outcome.result("position").measure.z) < 5
    assert outcome.result("neighbours").measure.z == pytest.approx(8, abs=4)
    assert outcome.result("lag1-position").measure.z == pytest.approx(328, rel=0.06)
    assert outcome.result("lag1-rising").measure.z == pytest.approx(-483, rel=0.02)


def test_unscaled_position_would_fail_too_often_but_ours_does_not():
    """600 logs of 30 decks: golden rates .044 at .05; a rate of 16 % would be the unscaled test's."""
    rng = np.random.default_rng(4)
    rejected = 0
    for _ in range(600):
        decks = rng.permuted(np.tile(np.arange(52, dtype=np.uint8), (30, 1)), axis=1)
        counts = tally([decks], 52, workers=1)
        rejected += judge(counts, only=["position"]).results[0].p < 0.05
    assert 12 <= rejected <= 52  # 600 * .05 = 30, six sigma either way


@pytest.mark.parametrize("n", [2, 3, 5, 6, 7, 13, 40])
def test_small_decks(n):
    outcome, _ = outcome_of("fisher-yates", 3000, n=n, seed=3)
    assert outcome.verdict in (NONE, WEAKLY)
    bad, _ = outcome_of("naive" if n > 2 else "riffle:0", 20_000, n=n, seed=3)
    assert bad.verdict == FOUND


def test_a_two_card_deck_that_is_always_turned():
    turned = np.tile(np.array([1, 0], dtype=np.uint8), (100, 1))
    assert judge(tally([turned], 2), faces=False).verdict == FOUND


def test_one_deck_and_few_decks():
    outcome, _ = outcome_of("fisher-yates", 1)
    assert (outcome.verdict, outcome.exit_code) == (TOO_FEW, 3)
    sorted_deck = np.arange(52, dtype=np.uint8)[None, :]
    assert judge(tally([sorted_deck], 52)).verdict == FOUND
    assert verdict([], 1000, 52) == NONE


def test_profiles_and_unknown_names():
    quick, full, certifier = (choose(p, 52, reference=True, faces=True) for p in ("quick", "full", "certifier"))
    assert len(quick) < len(full) and {"suit-place", "rank-place", "coupon"} <= {t.name for t in certifier}
    assert not any(t.needs == "start" for t in choose("full", 52, reference=False, faces=True))
    with pytest.raises(BadInput, match="did you mean position"):
        choose("full", 52, reference=True, faces=True, only=["positon"])
