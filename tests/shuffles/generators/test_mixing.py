"""Mixing: published rows, brute force over all orders of small packs, and bounds that must hold."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import factorial, log2

import pytest

from basra_sim.errors import BadInput
from basra_sim.shuffles.generators.mixing import (
    distinct_law,
    exact_decimal,
    mixing,
    orders_ending_sorted,
    parse_counts,
    top_mixing,
)
from basra_sim.shuffles.laws import riffles

# Bayer & Diaconis 1992, table 1: total variation after 1..10 riffles of 52 cards


def test_riffles_are_those_of_the_exact_laws() -> None:
    for row in mixing("riffle", [1, 7, 12, 13]):
        k = row.k
        assert (row.tv, row.separation) == (riffles.riffle_tv(k), riffles.riffle_separation(k))
        assert (row.missing_bits, row.rising) == (riffles.riffle_missing_bits(k), riffles.riffle_rising_law(k).mean)
        assert row.top_card == (riffles.top_card_tv(k) if k <= 12 else None)
    assert exact_decimal(mixing("riffle", [7])[0].tv, 3) == "0.334"  # Bayer & Diaconis, table 1


def moved_to_random(n: int, k: int) -> dict[tuple[int, ...], Fraction]:
    """The law after k moves of the top card to a uniform place, by walking through all orders."""
    law: dict[tuple[int, ...], Fraction] = {tuple(range(n)): Fraction(1)}
    for _ in range(k):
        after: Counter[tuple[int, ...]] = Counter()
        for deck, chance in law.items():
            for place in range(n):
                after[(*deck[1 : place + 1], deck[0], *deck[place + 1 :])] += chance / n
        law = dict(after)
    return law


@pytest.mark.parametrize("n", [2, 3, 4, 5])
@pytest.mark.parametrize("k", [0, 1, 2, 5, 9])
def test_top_to_random_against_all_orders(n: int, k: int) -> None:
    law, even = moved_to_random(n, k), Fraction(1, factorial(n))
    chances = [law.get(order, Fraction(0)) for order in permutations(range(n))]
    row = top_mixing(k, n)
    assert row.tv == sum(abs(p - even) for p in chances) / 2
    assert row.separation == 1 - min(chances) / even
    assert row.missing_bits == pytest.approx(sum(float(p) * log2(p / even) for p in chances if p), abs=1e-12)


def test_top_to_random_of_52_cards() -> None:
    """Separation is the chance that fewer than 51 different cards were chosen in k draws (Aldous & Diaconis 1986)."""
    for k in (100, 205, 300):
        law = distinct_law(k, 52)
        assert sum(law) == 1
        assert top_mixing(k).separation == 1 - law[51] - law[52]
    assert sum(orders_ending_sorted(52)) == factorial(52)
    assert top_mixing(205).tv < Fraction(13, 100) < top_mixing(200).tv


def test_overhand_bounds() -> None:
    rows = mixing("overhand", [1, 100], chance=0.2, decks=2000, seed=3)
    assert rows[0].bound is not None and rows[1].bound is not None
    assert rows[0].bound[1] > 0.9
    assert rows[1].bound[1] <= rows[1].bound[0] <= rows[1].bound[2]
    assert rows[1].bound[1] < 0.06, "100 passes with a cut at every fifth gap are hardly to be told from perfect"
    assert rows[0].tv is None and rows[0].separation is None
    assert mixing("overhand", [1], decks=500, seed=3) == mixing("overhand", [1], decks=500, seed=3)


def test_counts_of_shuffles() -> None:
    assert parse_counts("1..4") == [1, 2, 3, 4]
    assert parse_counts("7") == [7]
    assert parse_counts("50, 100,0..300/150") == [50, 100, 0, 150, 300]
    for wrong in ("a", "5..1", "", "1..", "0..9999999"):
        with pytest.raises(BadInput, match="-k"):
            parse_counts(wrong)
    with pytest.raises(BadInput, match="no mixing of 'wash'"):
        mixing("wash", [1])
