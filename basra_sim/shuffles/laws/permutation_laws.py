"""Exact laws of permutation statistics under a perfect shuffle, in whole numbers; knows nothing of logs or tests.

A law is a `Law`: the smallest value and the probability of each value from there on. Counts are Python integers,
so that no probability suffers from cancellation. `n` is the number of cards everywhere.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import pairwise
from math import comb, factorial

import numpy as np

from basra_sim.shuffles.shipped import DATA

KOMI = 25  # the seven of diamonds


@dataclass(frozen=True)
class Law:
    """The law of a whole-number statistic: P(X = low + i) = pmf[i]."""

    low: int
    pmf: np.ndarray

    @property
    def values(self) -> np.ndarray:
        return np.arange(self.low, self.low + len(self.pmf), dtype=np.float64)

    @property
    def mean(self) -> float:
        return float(self.values @ self.pmf)

    @property
    def variance(self) -> float:
        return float(((self.values - self.mean) ** 2) @ self.pmf)

    @property
    def sd(self) -> float:
        return float(np.sqrt(self.variance))


def law_of_counts(low: int, counts: tuple[int, ...] | list[int]) -> Law:
    """The law that gives each value a probability in proportion to its count."""
    total = sum(counts)
    return Law(low, np.array([float(Fraction(count, total)) for count in counts]))


@cache
def eulerian(n: int) -> tuple[int, ...]:
    """How many orders of n cards have 1, 2, ... n rising sequences: A(n,r) = r A(n-1,r) + (n-r+1) A(n-1,r-1)."""
    row = [1]
    for m in range(2, n + 1):
        row = [r * (row[r - 1] if r < m else 0) + (m - r + 1) * (row[r - 2] if r > 1 else 0) for r in range(1, m + 1)]
    return tuple(row)


@cache
def mahonian(n: int) -> tuple[int, ...]:
    """How many orders of n cards have 0, 1, ... n(n-1)/2 inversions."""
    row = [1]
    for m in range(2, n + 1):
        wide = [0] * (len(row) + m - 1)
        running = 0
        for i in range(len(wide)):
            running += row[i] if i < len(row) else 0
            running -= row[i - m] if i >= m else 0
            wide[i] = running
        row = wide
    return tuple(row)


@cache
def stirling_cycles(n: int) -> tuple[int, ...]:
    """How many orders of n cards have 1, 2, ... n cycles (unsigned Stirling numbers of the first kind)."""
    row = [1]
    for m in range(2, n + 1):
        row = [(m - 1) * (row[i] if i < len(row) else 0) + (row[i - 1] if i else 0) for i in range(m)]
    return tuple(row)


@cache
def derangements(n: int) -> int:
    """How many orders of n cards leave no card in its place."""
    value = 1
    for m in range(1, n + 1):
        value = m * value + (-1) ** m
    return value


@cache
def rencontres(n: int) -> tuple[int, ...]:
    """How many orders of n cards leave 0, 1, ... n cards in their places."""
    return tuple(comb(n, k) * derangements(n - k) for k in range(n + 1))


@cache
def successions(n: int) -> tuple[int, ...]:
    """How many orders of n cards have 0, 1, ... n-1 places where card x is followed by card x + 1."""

    def without(m: int) -> int:
        return derangements(m) + derangements(m - 1) if m > 1 else 1

    return tuple(comb(n - 1, k) * without(n - k) for k in range(n))


def partitions(n: int) -> list[tuple[int, ...]]:
    """All partitions of n, largest part first (281,589 of them for 52)."""
    found: list[tuple[int, ...]] = []

    def grow(rest: int, largest: int, parts: tuple[int, ...]) -> None:
        if rest == 0:
            found.append(parts)
        for part in range(min(rest, largest), 0, -1):
            grow(rest - part, part, (*parts, part))

    grow(n, n, ())
    return found


def derive_longest_increasing(n: int) -> tuple[int, ...]:
    """How many orders of n cards have a longest increasing subsequence of 1, 2, ... n (seconds for n = 52).

    Robinson-Schensted: the sum of squared hook-length counts of the partitions whose first part is that length.
    """
    whole = factorial(n)
    counts = [0] * n
    for shape in partitions(n):
        columns = [sum(1 for part in shape if part > column) for column in range(shape[0])]
        hooks = 1
        for row, part in enumerate(shape):
            for column in range(part):
                hooks *= part - column + columns[column] - row - 1
        counts[shape[0] - 1] += (whole // hooks) ** 2
    return tuple(counts)


@cache
def longest_increasing(n: int) -> tuple[int, ...]:
    """The table of `derive_longest_increasing`, shipped with the package for n = 1..52."""
    text = (DATA / "longest_increasing.json").read_text("ascii")
    return tuple(int(count) for count in json.loads(text)[str(n)])


@cache
def footrule(n: int) -> Law:
    """The law of the footrule, sum of |place - start place|, by counting open cards from the left.

    Every term is positive, so floats lose nothing; step m closes or opens cards and adds twice the open ones.
    """
    most = n * n // 2 + 2
    table = np.zeros((n // 2 + 2, most))
    table[0, 0] = 1.0
    for m in range(1, n + 1):
        after = np.zeros_like(table)
        for is_open in range(n // 2 + 2):
            ways = (2 * is_open + 1) * table[is_open]
            if is_open:
                ways = ways + table[is_open - 1]
            if is_open + 1 < len(table):
                ways = ways + (is_open + 1) ** 2 * table[is_open + 1]
            step = 2 * is_open
            if step < most:
                after[is_open, step:] += ways[: most - step]
        table = after / m
    pmf = table[0, : n * n // 2 + 1]
    return Law(0, pmf / pmf.sum())


@cache
def like_neighbours(sizes: tuple[int, ...]) -> Law:
    """The law of the number of neighbouring places with cards of one kind; sizes = cards of each kind.

    Arrangements glued into b blocks count every arrangement C(like neighbours, n - b) times; inverted exactly.
    """
    n = sum(sizes)
    blocks = [Fraction(1)]
    for size in sizes:
        kind = [Fraction(0)] + [Fraction(comb(size - 1, r - 1), factorial(r)) for r in range(1, size + 1)]
        product = [Fraction(0)] * (len(blocks) + size)
        for i, left in enumerate(blocks):
            for j, right in enumerate(kind):
                product[i + j] += left * right
        blocks = product
    glued = [blocks[n - j] * factorial(n - j) if n - j < len(blocks) else Fraction(0) for j in range(n)]
    counts = []
    for a in range(n):
        exact = sum(((-1) ** (j - a) * comb(j, a) * glued[j] for j in range(a, n)), start=Fraction(0))
        counts.append(int(exact))
    while counts and counts[-1] == 0:
        counts.pop()
    return law_of_counts(0, counts)


@cache
def colour_runs(red: int, black: int) -> Law:
    """The Wald-Wolfowitz law of the number of runs of one colour."""
    like = like_neighbours((red, black))
    n = red + black
    return Law(n - (like.low + len(like.pmf) - 1), like.pmf[::-1].copy())


@cache
def hypergeometric(n: int, marked: int, drawn: int) -> Law:
    """The law of the number of marked cards among the drawn ones."""
    low = max(0, marked + drawn - n)
    counts = [comb(marked, x) * comb(n - marked, drawn - x) for x in range(low, min(marked, drawn) + 1)]
    return law_of_counts(low, counts)


@cache
def spread(n: int, cards: int) -> Law:
    """The law of last place minus first place of `cards` named cards."""
    return law_of_counts(cards - 1, [(n - g) * comb(g - 1, cards - 2) for g in range(cards - 1, n)])


@cache
def distance_to_group(n: int, cards: int) -> Law:
    """The law of the sum of |place - place| from one named card to `cards` others."""
    counts = [0] * (n * cards)
    for place in range(n):
        ways = [[0] * (n * cards) for _ in range(cards + 1)]
        ways[0][0] = 1
        for other in range(n):
            gap = abs(other - place)
            if gap == 0:
                continue
            for held in range(cards, 0, -1):
                fewer, here = ways[held - 1], ways[held]
                for total in range(n * cards - 1, gap - 1, -1):
                    if fewer[total - gap]:
                        here[total] += fewer[total - gap]
        for total, count in enumerate(ways[cards]):
            counts[total] += count
    while counts[-1] == 0:
        counts.pop()
    return law_of_counts(0, counts)


def derive_block_pairs(ranks: int = 13, suits: int = 4, blocks: int = 13, size: int = 4) -> Law:
    """The law of the number of equal-rank pairs that lie inside one block of `size` cards, over all blocks.

    Ranks are put in one after the other; the state is how many blocks have 0..size free places.
    """
    start = tuple([0] * size + [blocks])
    states: dict[tuple[int, ...], dict[int, Fraction]] = {start: {0: Fraction(1)}}
    free_cards = blocks * size
    for _ in range(ranks):
        after: dict[tuple[int, ...], dict[int, Fraction]] = {}
        for state, pairs in states.items():
            for new_state, more, weight in _place_rank(state, suits):
                chance = Fraction(weight, comb(free_cards, suits))
                row = after.setdefault(new_state, {})
                for count, probability in pairs.items():
                    row[count + more] = row.get(count + more, Fraction(0)) + probability * chance
        states = after
        free_cards -= suits
    final: dict[int, Fraction] = {}
    for pairs in states.values():
        for count, probability in pairs.items():
            final[count] = final.get(count, Fraction(0)) + probability
    return Law(0, np.array([float(final.get(count, 0)) for count in range(max(final) + 1)]))


@cache
def block_pairs() -> Law:
    """`derive_block_pairs` for 13 blocks of 4 cards of a pack of 52, from the shipped table."""
    text = (DATA / "block_pairs.json").read_text("ascii")
    return Law(0, np.array(json.loads(text)))


def _place_rank(state: tuple[int, ...], cards: int) -> list[tuple[tuple[int, ...], int, int]]:
    """Every way to put the cards of one rank into blocks: (new state, pairs made, number of ways)."""
    ways: list[tuple[tuple[int, ...], int, int]] = []

    def grow(capacity: int, source: tuple[int, ...], target: list[int], rest: int, pairs: int, weight: int) -> None:
        if capacity == 0:
            if rest == 0:
                ways.append((tuple(target), pairs, weight))
            return
        here = source[capacity]

        def split(taken: int, left: int, rest: int, pairs: int, weight: int, target: list[int]) -> None:
            if taken == 0:
                full = target.copy()
                full[capacity] += left
                grow(capacity - 1, source, full, rest, pairs, weight)
                return
            for groups in range(min(left, rest // taken) + 1):
                fuller = target.copy()
                fuller[capacity - taken] += groups
                factor = comb(left, groups) * comb(capacity, taken) ** groups
                more = pairs + groups * comb(taken, 2)
                split(taken - 1, left - groups, rest - groups * taken, more, weight * factor, fuller)

        split(min(capacity, rest), here, rest, pairs, weight, target)

    grow(len(state) - 1, state, [state[0]] + [0] * (len(state) - 1), cards, 0, 1)
    return ways


@cache
def four_card_pairs() -> Law:
    """The law of the number of equal-rank pairs among four cards of 52: 0, 1, 2, 3 (three alike) or 6 (four alike)."""
    ways = [comb(13, 4) * 4**4, 13 * comb(4, 2) * comb(12, 2) * 4**2, comb(13, 2) * comb(4, 2) ** 2, 13 * 4 * 48, 0, 0, 13]
    return law_of_counts(0, ways)


@cache
def all_ranks_seen() -> Law:
    """The law of the number of cards dealt until all 13 ranks have come (by inclusion and exclusion)."""
    seen = []
    for dealt in range(12, 50):
        missing = sum((-1) ** (j + 1) * comb(13, j) * comb(52 - 4 * j, dealt) for j in range(1, 14) if 52 - 4 * j >= 0)
        seen.append(1 - Fraction(missing, comb(52, dealt)))
    return Law(13, np.array([float(later - earlier) for earlier, later in pairwise(seen)]))


@cache
def guesses(n: int) -> Law:
    """The law of right guesses for anybody who names a card not yet seen, whatever the rule: mean H_n.

    The next card is each of the m unseen ones with chance 1/m, so the law is that of the number of cycles.
    """
    return law_of_counts(1, stirling_cycles(n))


def harmonic(n: int) -> Fraction:
    """1 + 1/2 + ... + 1/n: the mean number of right guesses on a perfect shuffle (52: 4.538)."""
    return sum((Fraction(1, m) for m in range(1, n + 1)), start=Fraction(0))


@cache
def named_law(name: str, n: int) -> Law:
    """The law of a permutation statistic by its name in the battery."""
    if name == "rising":
        return law_of_counts(1, eulerian(n))
    if name == "descents":
        return law_of_counts(0, eulerian(n))
    if name == "inversions":
        return law_of_counts(0, mahonian(n))
    if name == "footrule":
        return footrule(n)
    if name == "fixed":
        return law_of_counts(0, rencontres(n))
    if name == "cycles":
        return law_of_counts(1, stirling_cycles(n))
    if name == "parity":
        return Law(0, np.array([0.5, 0.5]))
    if name == "lis":
        return law_of_counts(1, longest_increasing(n))
    if name == "successions":
        return law_of_counts(0, successions(n))
    raise KeyError(name)


def adjacency_eigenvalues(n: int) -> tuple[tuple[Fraction, int], ...]:
    """(weight, degrees) of the chi-square mixture that X2 of ordered neighbours follows; mean (n-1)^2."""
    half = (n - 1) * (n - 2) // 2
    parts = ((Fraction(1, n - 1), 2 * (n - 1)), (Fraction(1), half - 1), (Fraction(n + 1, n - 1), half))
    return tuple((weight, degrees) for weight, degrees in parts if degrees > 0)
