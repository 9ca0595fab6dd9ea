"""Exact laws against published tables, against enumeration of every order of a few cards, and against each other."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations
from math import factorial

import pytest
from permutation_twins import STATISTICS

from basra_sim.shuffles.laws import permutation_laws as laws


@pytest.mark.parametrize("name", STATISTICS)
@pytest.mark.parametrize("n", [2, 3, 6])
def test_law_equals_enumeration_of_every_order(name, n):
    counted = Counter(STATISTICS[name](list(order)) for order in permutations(range(n)))
    law = laws.named_law(name, n)
    for i, chance in enumerate(law.pmf):
        assert chance == pytest.approx(counted[law.low + i] / factorial(n), abs=1e-12)
    assert law.pmf.sum() == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("name", "mean", "variance"),
    [
        ("rising", 26.5, 53 / 12), ("descents", 25.5, 53 / 12), ("inversions", 663, 4014.83), ("footrule", 901, None),
        ("fixed", 1, 1), ("cycles", 4.538044, 2.912), ("lis", 11.566, 1.9788), ("successions", 51 / 52, None),
    ],
)  # fmt: skip
def test_moments_for_52_cards(name, mean, variance):
    law = laws.named_law(name, 52)
    assert law.mean == pytest.approx(mean, abs=6e-4)
    if variance:
        assert law.variance == pytest.approx(variance, rel=4e-4)


def test_rising_sequence_tail_of_one_deck():
    counts, total = laws.eulerian(52), factorial(52)
    assert sum(counts) == total
    tail = {r: float(Fraction(sum(counts[:r]), total)) for r in range(16, 23)}
    golden = {16: 4.666e-7, 17: 5.576e-6, 18: 5.032e-5, 19: 3.485e-4, 20: 1.881e-3, 21: 8.010e-3, 22: 2.725e-2}
    assert tail == pytest.approx(golden, rel=3e-4)


def test_longest_increasing_table():
    golden = {8: 0.00502, 9: 0.04910, 10: 0.17161, 11: 0.27961, 12: 0.25638, 13: 0.15090, 14: 0.06237, 15: 0.01923}
    law = laws.named_law("lis", 52)
    for length, chance in golden.items():
        assert law.pmf[length - law.low] == pytest.approx(chance, abs=6e-6)
    assert all(sum(laws.longest_increasing(n)) == factorial(n) for n in range(1, 53))
    assert all(laws.derive_longest_increasing(n) == laws.longest_increasing(n) for n in (1, 7, 20))


def test_neighbour_and_hand_laws():
    suits, ranks = laws.like_neighbours((13,) * 4), laws.like_neighbours((4,) * 13)
    assert (suits.mean, suits.sd) == pytest.approx((12, 3.025), abs=5e-3)
    assert (ranks.mean, ranks.sd) == pytest.approx((3, 1.682), abs=2e-3)
    runs = laws.colour_runs(26, 26)
    assert (runs.mean, runs.variance) == pytest.approx((27, 12.745), abs=1e-3)
    golden = [0.718737, 0.255551, 0.025, 0.000709, 0.0000037]
    assert laws.hypergeometric(52, 4, 4).pmf == pytest.approx(golden, abs=6e-7)
    golden = [0.07563, 0.29042, 0.38537, 0.20933, 0.03925]
    assert laws.hypergeometric(52, 4, 24).pmf == pytest.approx(golden, abs=6e-6)
    assert laws.harmonic(52) == pytest.approx(4.538044)
    assert laws.guesses(52).mean == pytest.approx(4.538044)


def test_small_laws_equal_enumeration():
    counted = Counter(sum(o[i] // 2 == o[i + 1] // 2 for i in range(5)) for o in permutations(range(6)))
    law = laws.like_neighbours((2, 2, 2))
    assert {v: c / 720 for v, c in counted.items()} == pytest.approx(dict(enumerate(law.pmf)))
    counted = Counter(sum(o[2 * b] // 2 == o[2 * b + 1] // 2 for b in range(3)) for o in permutations(range(6)))
    blocks = laws.derive_block_pairs(3, 2, 3, 2)
    assert {v: counted[v] / 720 for v in range(4)} == pytest.approx(dict(enumerate(blocks.pmf)))
    counted = Counter(abs(o.index(0) - o.index(1)) + abs(o.index(0) - o.index(2)) for o in permutations(range(6)))
    law = laws.distance_to_group(6, 2)
    assert all(p == pytest.approx(counted[law.low + i] / 720) for i, p in enumerate(law.pmf))
    places = [[o.index(c) for c in range(3)] for o in permutations(range(6))]
    counted = Counter(max(p) - min(p) for p in places)
    law = laws.spread(6, 3)
    assert all(p == pytest.approx(counted[law.low + i] / 720) for i, p in enumerate(law.pmf))


def test_neighbour_pair_eigenvalues():
    assert [(float(w), d) for w, d in laws.adjacency_eigenvalues(52)] == [(1 / 51, 102), (1.0, 1274), (53 / 51, 1275)]
    for n in (3, 4, 9, 52):
        assert sum(w * d for w, d in laws.adjacency_eigenvalues(n)) == (n - 1) ** 2
