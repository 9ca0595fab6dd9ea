"""Odds: published numbers, the hypergeometric law summed by hand, and the ways to ask."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import pytest

from basra_sim.errors import BadInput
from basra_sim.shuffles.generators.mixing import (
    wilson,
)
from basra_sim.shuffles.laws.chances import duration, exact_chance, games_until, odds, odds_lines, one_in, parse_question


def test_jacks_to_one_player() -> None:
    answer = odds("3 jacks of 4 in 24 of 52")
    assert [round(float(p), 5) for p in answer.table.values()] == [0.07563, 0.29042, 0.38537, 0.20933, 0.03925]
    assert answer.chance == answer.table[3] + answer.table[4]
    assert answer.mean == Fraction(96, 52)


def test_jacks_in_a_hand_of_four() -> None:
    table = odds("exactly 0 of 4 in 4 of 52").table
    assert [round(float(p), 6) for p in table.values()] == [0.718737, 0.255551, 0.025000, 0.000709, 0.000004]
    assert table[4] == Fraction(1, 270725)


def test_a_complaint_of_a_card_game_forum() -> None:
    """0 of 16 lands in the first 20 of 60 cards: 0.042 %, as the thread worked out; seen by somebody in 1,650 games."""
    answer = odds("0 of 16 in 20 of 60")
    assert round(100 * float(answer.chance), 3) == 0.042
    assert answer.question.kind == "at most"
    assert answer.even_games() == 1650
    text = "\n".join(odds_lines(answer, games_a_day=100_000))
    assert "1 in 2,380" in text and "24 minutes" in text and "games chosen beforehand" in text
    assert "fair" not in text.replace("a fair shuffle is a poor explanation", "")


def test_exact_chances_by_counting_hands() -> None:
    hands = list(combinations(range(8), 3))
    for seen in range(4):
        counted = sum(sum(card < 4 for card in hand) == seen for hand in hands)
        assert exact_chance(seen, 4, 3, 8) == Fraction(counted, len(hands))


@pytest.mark.parametrize(
    ("text", "kind", "numbers"),
    [
        ("3 jacks of 4 in 24 of 52", "at least", (3, 4, 24, 52)),
        ("1 jack of 4 in 24 of 52", "at most", (1, 4, 24, 52)),
        ("2 of 4 in 26 of 52", "exactly", (2, 4, 26, 52)),
        ("at least 2 of the 4 jacks in the first 4 cards of 52", "at least", (2, 4, 4, 52)),
        ("At most 2 of 13 hearts among 13 of 52", "at most", (2, 13, 13, 52)),
        (">= 2 of 4 in 4 of 52", "at least", (2, 4, 4, 52)),
        ("2 or more of 4 in 4 of 52", "at least", (2, 4, 4, 52)),
        ("exactly 2 jacks out of 4 in 24 out of 52", "exactly", (2, 4, 24, 52)),
        ("no jacks of 4 in 4 of 52", "at most", (0, 4, 4, 52)),
        ("all 4 jacks in 24 of 52", "at least", (4, 4, 24, 52)),
    ],
)
def test_ways_to_ask(text: str, kind: str, numbers: tuple[int, ...]) -> None:
    q = parse_question(text)
    assert (q.kind, (q.seen, q.marked, q.drawn, q.deck)) == (kind, numbers)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("nine jacks", "cannot be read; write it as"),
        ("5 of 4 in 24 of 52", "cannot happen: 0 to 4"),
        ("1 of 4 in 50 of 52", "cannot happen: 2 to 4"),
        ("1 of 60 in 24 of 52", "do not fit a deck of 52"),
        ("1 of 4 in 24 of 99999", "too large"),
    ],
)
def test_what_cannot_be_asked(text: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        odds(text)


def test_waiting() -> None:
    assert games_until(0.5, 0.5) == 1
    assert games_until(0.01, 0.5) == 69  # ln 2 / -ln .99 = 68.97
    assert games_until(0.01, 0.95) == 299
    assert one_in(0.25) == "1 in 4.0" and one_in(1 / 2380) == "1 in 2,380" and one_in(0.71) == "7 in 10"
    assert duration(100, 24_000) == "6 minutes" and duration(3000, 24_000) == "3.0 hours"
    assert duration(10, 1) == "10 days"


def test_wilson_interval_of_a_known_case() -> None:
    low, high = wilson(15, 50)  # Newcombe 1998: 0.191, 0.438
    assert (round(low, 3), round(high, 3)) == (0.191, 0.438)
