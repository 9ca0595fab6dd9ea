"""Statistics of an order of cards, counted as their definitions say: the slow judge of the laws and of the tally."""

from __future__ import annotations

from bisect import bisect_left


def longest_increasing(order):
    tops: list[int] = []
    for card in order:
        place = bisect_left(tops, card)
        tops[place : place + 1] = [card]
    return len(tops)


def cycles(order):
    seen, count = set(), 0
    for place in range(len(order)):
        count += place not in seen
        while place not in seen:
            seen.add(place)
            place = order[place]
    return count


STATISTICS = {
    "rising": lambda d: 1 + sum(d.index(c + 1) < d.index(c) for c in range(len(d) - 1)),
    "descents": lambda d: sum(d[i] > d[i + 1] for i in range(len(d) - 1)),
    "inversions": lambda d: sum(d[i] > d[j] for j in range(len(d)) for i in range(j)),
    "footrule": lambda d: sum(abs(c - i) for i, c in enumerate(d)),
    "fixed": lambda d: sum(c == i for i, c in enumerate(d)),
    "cycles": cycles,
    "lis": longest_increasing,
    "successions": lambda d: sum(d[i + 1] == d[i] + 1 for i in range(len(d) - 1)),
    "parity": lambda d: sum(d[i] > d[j] for j in range(len(d)) for i in range(j)) % 2,
}
