"""The floor: its mean size through a round, the sizes that the other leaves, and what the first play makes of it."""

from __future__ import annotations

import numpy as np
import pandas as pd

from basra_sim.analysis.statistics.shares import Table, shares
from basra_sim.records.counters import RunTotals, match_name

from .counter_frames import CAPTURES, DEALS, PLIES, faced_frame, plays_frame

OPENING = 4  # floor cards at the start of a round, whatever is banned


def through_round(run: RunTotals) -> Table:
    """The mean number of floor cards before each ply of a round, for each match.

    Exact from the counters: four cards, plus one for every card laid before, less every floor card taken before.
    """
    rows = []
    for m in run.matches:
        rounds = m.rounds
        if not rounds:
            continue
        laid = m.plays[..., 0].sum(axis=0)  # role, deal, own ply
        gone = m.taken.sum(axis=(0, 4))
        change = np.stack([laid - gone, np.zeros_like(laid)], axis=0)[0]
        steps = change.transpose(1, 2, 0).reshape(-1)  # deal, own ply, role: the order of play
        before = OPENING * rounds + np.concatenate([[0], np.cumsum(steps)])
        for place in range(DEALS * PLIES):
            rows.append({"match": match_name(m.a, m.b), "deal": place // PLIES, "ply": place % PLIES,
                         "count": int(before[place]), "of": int(rounds)})  # fmt: skip
    frame = pd.DataFrame(rows, columns=["match", "deal", "ply", "count", "of"])
    frame = frame.assign(per="rounds", value=frame["count"] / frame["of"], low=np.nan, high=np.nan, expected=np.nan)
    return Table("floor_through_round", "Floor cards before each ply", frame,
                 "Mean over all rounds of the match, exact; the floor starts with 4 cards.")  # fmt: skip


def faced(run: RunTotals) -> Table:
    """How often a strategy finds so many cards on the floor when it is its turn."""
    plays = faced_frame(run)
    whole = plays.groupby(["strategy", "match"], sort=False)["plays"].transform("sum")
    # shares of one sum: the trials of a group are all plays of the strategy in the match
    small = plays.groupby(["strategy", "match", "floor"], sort=False)["plays"].sum().reset_index()
    sizes = plays.assign(whole=whole).groupby(["strategy", "match"], sort=False)["whole"].first().reset_index()
    grid = sizes.merge(pd.DataFrame({"floor": sorted(plays["floor"].unique())}), how="cross")
    grid = grid.merge(small, how="left", on=["strategy", "match", "floor"]).fillna({"plays": 0})
    frame = shares(grid, ["strategy", "floor"], "plays", "whole", "plays")
    return Table("floors_faced", "Cards on the floor before a play", frame[frame["count"] > 0].reset_index(drop=True),
                 "A share of all plays of the strategy (23: 23 or more).", share=True)  # fmt: skip


def first_plays(run: RunTotals) -> Table:
    """What the leader's first card of a round made of the opening floor, and the dealer's first of what was left."""
    plays = plays_frame(run)
    first = plays[(plays["deal"] == 0) & (plays["ply"] < 2)]
    rows = [
        shares(first, ["strategy", "role"], kind, "plays", "rounds", dispersion=1.0).assign(kind=kind.replace("_", " "))
        for kind in ("lay", *CAPTURES)
    ]
    frame = pd.concat(rows, ignore_index=True)
    frame.insert(2, "kind", frame.pop("kind"))
    return Table("first_plays", "The first card of each side in a round", frame,
                 "A share of the rounds in that role: what the opening floor gave at once.", share=True)  # fmt: skip
