"""Which strategies meet, in which order. A match is two indices into the list of strategies."""

from __future__ import annotations

from collections.abc import Iterator


def round_robin(strategies: int) -> list[tuple[int, int]]:
    """Every pair of strategies once, in the order (0,1), (0,2) ... (1,2) ..."""
    return [(one, other) for one in range(strategies) for other in range(one + 1, strategies)]


def gauntlet(strategies: int) -> list[tuple[int, int]]:
    """The first strategy against each of the others."""
    return [(0, other) for other in range(1, strategies)]


def chunks(pairs: int, size: int) -> Iterator[tuple[int, int]]:
    """(first pair, how many) that cover 0..pairs-1 in order."""
    for first in range(0, pairs, size):
        yield first, min(size, pairs - first)
