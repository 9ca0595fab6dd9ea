"""How each shipped strategy plays: a table of positions, each decided by hand from what the strategy says of itself."""

from __future__ import annotations

from collections import Counter

import pytest
from positions import card_played

# strategy, hand, floor, card, options
PLAYS = [
    ("first", "2c Ad Kh", "2h", "Ad", {}),
    ("first", "7d 7c", "", "7c", {}),
    ("greedy", "3c 5d", "3h 9s", "3c", {}),  # a capture
    ("greedy", "2c 9d Kh", "4c 5c Kc", "9d", {}),  # two cards rather than one
    ("greedy", "Jc 9d", "9h", "9d", {}),  # a basra rather than a sweep by the jack
    ("greedy", "7d Jc", "Jd", "7d", {}),  # both score 30: the lower id
    ("greedy", "5d Kh 3s", "", "3s", {}),  # nothing to take: the lowest id
    ("greedy", "7d 8c", "Kc 2h", "7d", {}),  # the komi sweeps
    ("greedy", "7d 8c", "Kc 2h", "7d", {"rules": "lebanese"}),  # a plain 7, laid: the lowest id
    ("greedy", "8c 7d", "Kc Ah", "7d", {"rules": "lebanese"}),
    ("greedy", "7d 8c", "Kc Ah 7h", "8c", {"rules": "lebanese"}),  # A and 7 make 8: two cards; the 7 takes one
    ("basra-first", "Jc 8d", "3h 5s", "8d", {}),  # both take all, one of them scores
    ("basra-first", "2c 9d Kh", "4c 5c Kc", "9d", {}),  # no basra: the most cards
    ("basra-first", "Jc 9h", "Jd", "Jc", {}),  # a jack basra is a basra
    ("basra-first", "Jc 9h 7d", "Jd", "Jc", {"rules": "cafe", "seed": 3}),  # 20 for the jack, 10 for the komi
    ("defensive", "7h Kd", "3c 4s", "7h", {}),  # a basra
    ("defensive", "Jc 4d", "", "4d", {}),  # burns no jack
    ("defensive", "Jc 2d", "Kc Qh 9s 3d 5c", "Jc", {}),  # a rich floor
    ("defensive", "5c Kd", "5h 2s", "Kd", {}),  # no capture that leaves a lone 2
    ("defensive", "4c 9d", "", "9d", {"gone": "9c 9h 9s"}),  # a rank that is gone
    ("defensive", "Td Kc", "", "Td", {}),  # alike in worth: the lower id
    ("defensive", "Td Kc", "", "Kc", {"rules": "pagat"}),  # there Td is worth 3, and the komi takes no lone king
    ("defensive", "7d 3c", "Kc 2h", "7d", {}),  # 10 + 2 - 9 = 3 for the sweep, -3 for laying a 3
    ("defensive", "7d 3c", "Kc 2h", "3c", {"rules": "lebanese"}),  # a plain 7 that takes nothing: the lower id
    ("defensive:sweep-poor=-30,rich=6", "Jc 2d", "Kc Qh 9s 3d 5c", "2d", {}),  # for it five cards are not rich
    ("defensive:exposed=0,threat=0", "5c Kd", "5h 2s", "5c", {}),  # without fear it captures
]


@pytest.mark.parametrize(("strategy", "hand", "floor", "card", "options"), PLAYS)
def test_plays(strategy, hand, floor, card, options):
    assert card_played(strategy, hand, floor, **options) == card


@pytest.mark.parametrize("strategy", ["random", "basra-first"])
def test_equals_have_the_same_chance(strategy):
    counts = Counter(card_played(strategy, "2c 9d Qh", "", seed=seed) for seed in range(900))
    assert set(counts) == {"2c", "9d", "Qh"}
    # 300 each, standard deviation sqrt(900 * 1/3 * 2/3) = 14.1; six of them, so that chance fails it once in 10**8
    assert all(abs(count - 300) < 85 for count in counts.values())


def test_random_looks_at_nothing():
    counts = Counter(card_played("random", "2c 9d", "2h 2s 2d", seed=seed) for seed in range(400))
    assert abs(counts["9d"] - 200) < 60  # standard deviation 10
