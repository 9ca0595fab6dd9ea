"""The counters of a match out of a worker's memory: histograms, sums over pairs and their products, all of them exact."""

from __future__ import annotations

import numpy as np

from basra_sim.engine.memory import Memory
from basra_sim.records.counters import (
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
    margins = flat["score_a"].astype(np.int64) - flat["score_b"]
    totals.game_margin_sum = int(margins.sum())
    totals.game_margin_squares = int((margins * margins).sum())
    pair_margins = margins.reshape(-1, 2).sum(axis=1) // totals.margin_unit + MIDDLE
    totals.pair_margins[...] = np.bincount(np.clip(pair_margins, 0, MARGIN_CELLS - 1), minlength=MARGIN_CELLS)
    _pair_moments(totals, games, memory.leader_points[:pairs])
    _group_sums(totals, games, memory.get("first_pair"))


_SUMMED = {
    "rounds": "rounds", "points_a": "score_a", "points_b": "score_b", "basras_a": "basras_a", "basras_b": "basras_b",
    "komi_basras_a": "komi_basras_a", "komi_basras_b": "komi_basras_b", "jack_basras_a": "jack_basras_a",
    "jack_basras_b": "jack_basras_b", "cards_a": "cards_a", "cards_b": "cards_b",
}  # fmt: skip


def _pair_moments(totals: MatchTotals, games: np.ndarray, leader_points: np.ndarray) -> None:
    """Sums over pairs of PAIR_FIELDS and of their products, exact."""
    fields = list(games.dtype.names or ())
    added = games.view("<i4").reshape(len(games), 2, len(fields)).sum(axis=1, dtype=np.int64)
    columns = {name: added[:, fields.index(source)] for name, source in _SUMMED.items()}
    half_points = np.array([2, 0, 1])[games["winner"]].sum(axis=1)
    columns["half_points_a"] = half_points
    columns["leader_points"] = leader_points.sum(axis=1, dtype=np.int64)
    columns["dealer_points"] = columns["points_a"] + columns["points_b"] - columns["leader_points"]
    table = np.stack([columns[name] for name in PAIR_FIELDS], axis=1)
    totals.pair_sums = [int(x) for x in table.sum(axis=0)]
    totals.pair_scores[...] = np.bincount(half_points, minlength=5)
    largest = int(np.abs(table).max(initial=0))
    if largest * largest * len(table) < 1 << 53:
        # every partial sum is an integer below 2**53, so the fast float product is exact
        real = table.astype(np.float64)
        products = (real.T @ real).astype(np.int64)
    else:
        products = np.einsum("pi,pj->ij", table.astype(object), table.astype(object))
    totals.pair_products = [[int(x) for x in row] for row in products]


def _group_sums(totals: MatchTotals, games: np.ndarray, first_pair: int) -> None:
    """GROUP_FIELDS summed by pair index modulo GROUPS. Exact: the weights are integers far below 2**53."""
    group = (first_pair + np.arange(len(games))) % GROUPS
    columns = (
        np.array([2, 0, 1])[games["winner"]].sum(axis=1),
        (games["score_a"].astype(np.int64) - games["score_b"]).sum(axis=1),
        games["rounds"].sum(axis=1, dtype=np.int64),
    )
    for index, column in enumerate(columns):
        totals.group_sums[:, index] = np.bincount(group, weights=column, minlength=GROUPS).astype(np.int64)
