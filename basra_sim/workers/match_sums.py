"""The counters of a match out of a worker's memory: histograms, sums over pairs and their products, all of them exact."""

from __future__ import annotations

import numpy as np

from basra_sim.engine.memory import Memory
from basra_sim.records.counters import (
    GAME_DTYPE,
    GROUPS,
    MARGIN_CELLS,
    MAX_FLOOR,
    MAX_LENGTH,
    MIDDLE,
    N_CLASSES,
    N_KINDS,
    PAIR_FIELDS,
    MatchTotals,
)


def add_up(totals: MatchTotals, memory: Memory, pairs: int) -> None:
    """Fill a MatchTotals from a memory's counters and game records (`pairs` of them)."""
    games = memory.games[:pairs]
    totals.pairs, totals.games, totals.rounds = pairs, 2 * pairs, memory.get("rounds_played") if pairs else 0
    plays = memory.plays[..., :N_KINDS].reshape(2, 2, 6, 4, N_KINDS)
    totals.plays[...] = plays & 0xFFFFFFFF
    totals.taken[...] = plays >> 32
    totals.faced[...] = memory.faced[:, :MAX_FLOOR, :N_KINDS, :N_CLASSES].transpose(0, 1, 3, 2)
    totals.majorities[...] = memory.majorities
    totals.role_points[...] = memory.role_points
    totals.role_cards[...] = memory.role_cards
    totals.round_margins[...] = memory.round_margins[:, :: totals.margin_unit]  # nothing lies between the units
    if pairs == 0:
        for array in (totals.plays, totals.taken, totals.faced, totals.majorities, totals.role_points):
            array[...] = 0
        totals.role_cards[...] = 0
        totals.round_margins[...] = 0
        return
    flat = games.reshape(-1)
    cells = np.bincount(flat["first_dealer"] * 3 + flat["winner"], minlength=6)
    totals.winners[...] = cells.reshape(2, 3)
    totals.lengths[...] = np.bincount(np.minimum(flat["rounds"], MAX_LENGTH - 1), minlength=MAX_LENGTH)
    _sum_pairs(totals, games, memory.leader_points[:pairs], memory.get("first_pair"))


_SOURCES = (
    "rounds", "score_a", "score_b", "basras_a", "basras_b", "komi_basras_a", "komi_basras_b", "jack_basras_a",
    "jack_basras_b", "cards_a", "cards_b",
)  # fmt: skip
"""The fields of a game that the first of PAIR_FIELDS add up, in their order; the last three are made here."""
_PLACES = [(GAME_DTYPE.names or ()).index(name) for name in _SOURCES]
_HALF_POINTS = np.array([2, 0, 1])  # of a, by winner
_ROUNDS, _SCORE_A, _SCORE_B = (PAIR_FIELDS.index(name) for name in ("rounds", "points_a", "points_b"))


def _sum_pairs(totals: MatchTotals, games: np.ndarray, leader_points: np.ndarray, first_pair: int) -> None:
    """All sums over games and pairs. One table of PAIR_FIELDS by pair, made field by field, is what they read."""
    fields = games.view("<i4").reshape(len(games), 2, -1)
    margins = np.subtract(games["score_a"], games["score_b"], dtype=np.int64)
    half_points = _HALF_POINTS[games["winner"]]
    table = np.empty((len(PAIR_FIELDS), len(games)), np.int64)
    for row, place in enumerate(_PLACES):
        np.add(fields[:, 0, place], fields[:, 1, place], out=table[row], dtype=np.int64)
    np.add(half_points[:, 0], half_points[:, 1], out=table[-3])
    np.add(leader_points[:, 0], leader_points[:, 1], out=table[-2], dtype=np.int64)
    np.subtract(table[_SCORE_A] + table[_SCORE_B], table[-2], out=table[-1])
    totals.game_margin_sum = int(margins.sum())
    totals.game_margin_squares = int(np.vdot(margins, margins))
    totals.pair_sums = table.sum(axis=1).tolist()
    totals.pair_scores[...] = np.bincount(table[-3], minlength=5)
    totals.pair_products = _products(table)
    margin = table[_SCORE_A] - table[_SCORE_B]
    cells = margin // totals.margin_unit + MIDDLE
    totals.pair_margins[...] = np.bincount(np.clip(cells, 0, MARGIN_CELLS - 1), minlength=MARGIN_CELLS)
    _sum_groups(totals, (table[-3], margin, table[_ROUNDS]), first_pair)


def _products(table: np.ndarray) -> list[list[int]]:
    """Sums over pairs of the products of each two rows, exact."""
    largest = max(int(table.max(initial=0)), -int(table.min(initial=0)))
    if largest * largest * table.shape[1] < 1 << 53:
        # every partial sum is an integer below 2**53, so the fast float product is exact
        real = table.astype(np.float64)
        products: list[list[int]] = (real @ real.T).astype(np.int64).tolist()
        return products
    exact = table.astype(object)
    return [[int(x) for x in row] for row in exact @ exact.T]


def _sum_groups(totals: MatchTotals, columns: tuple[np.ndarray, ...], first_pair: int) -> None:
    """GROUP_FIELDS summed by pair index modulo GROUPS. Exact: the weights are integers far below 2**53."""
    group = (first_pair + np.arange(len(columns[0]))) % GROUPS
    for index, column in enumerate(columns):
        totals.group_sums[:, index] = np.bincount(group, weights=column, minlength=GROUPS).astype(np.int64)
