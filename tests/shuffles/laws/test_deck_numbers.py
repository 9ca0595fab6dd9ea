"""Planning: published sample sizes, and a simulation that shows the planned power."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from basra_sim.errors import BadInput
from basra_sim.shuffles.laws.deck_numbers import (
    decks_needed,
    noncentrality,
    parse_bias,
    plan_lines,
    questions,
    seed_bits,
    smallest_bias,
    z_sum,
)


def by_name(name: str, alpha: float = 0.001):  # type: ignore[no-untyped-def]
    return next(q for q in questions(alpha) if q.name == name)


def test_place_bias() -> None:
    """rms = 2.41/sqrt(N) at alpha .001, 80 % power: 24 % at 100 decks, 7.6 %, 2.4 %, 0.76 %."""
    assert noncentrality(2601, 0.001, 0.8) == pytest.approx(296.06, abs=0.02)
    place = by_name("place")
    assert place.per_root == pytest.approx(2.41, abs=0.005)
    assert [round(100 * smallest_bias(place, n), 2) for n in (100, 1000, 10_000, 100_000)] == [24.09, 7.62, 2.41, 0.76]


def test_sample_sizes_worked_by_hand() -> None:
    """0.05 jacks more a round: 4,400 deals at alpha .01; 2 points of a half: 7,300 (rounded to hundreds)."""
    jacks = by_name("jacks", 0.01)
    assert decks_needed(jacks, 0.05 / (96 / 52)) == pytest.approx(4400, rel=0.01)
    assert decks_needed(by_name("half", 0.01), 0.02 / 0.5) == pytest.approx(7300, rel=0.01)


@pytest.mark.parametrize("name", ["place", "card", "seven", "jacks", "first", "half"])
def test_plans_are_inverse(name: str) -> None:
    question = by_name(name)
    for decks in (50, 5000, 10**6):
        assert decks_needed(question, smallest_bias(question, decks)) in (decks, decks + 1)


def test_the_planned_power_is_reached() -> None:
    """A two-sided test at .01 of something that happens 54 % of the time, with the planned number of decks."""
    half = by_name("half", 0.01)
    decks = decks_needed(half, 0.08)
    counts = np.random.default_rng(1).binomial(decks, 0.54, size=4000)
    z = (counts - decks / 2) / np.sqrt(decks / 4)
    assert np.mean(np.abs(z) > norm.isf(0.005)) == pytest.approx(0.8, abs=4 * np.sqrt(0.16 / 4000))


def test_repeats_show_small_seed_spaces() -> None:
    """Half a chance of a repeat: 301 decks of 2^16 seeds, 77,200 of 2^32."""
    assert seed_bits(301) == pytest.approx(16, abs=0.01)
    assert seed_bits(77_200) == pytest.approx(32, abs=0.01)


def test_the_first_line_says_what_could_be_seen() -> None:
    lines = plan_lines(240, None)
    assert lines[0].startswith("With 240 decks only place biases over 0.16 (15.6%, rms) could be seen")
    text = "\n".join(lines)
    assert "7 riffles (24)" in text and "Not yet" in text and "10 riffles (1,504)" in text
    assert "2,322 decks" in "\n".join(plan_lines(None, 0.05))


def test_biases_as_written() -> None:
    assert parse_bias("5%") == parse_bias("0.05") == 0.05
    for wrong in ("x", "0", "-5%", "5000%"):
        with pytest.raises(BadInput, match="--bias"):
            parse_bias(wrong)


def test_normal_quantiles() -> None:
    assert z_sum(0.001, 0.8) == pytest.approx(3.2905 + 0.8416, abs=1e-3)
