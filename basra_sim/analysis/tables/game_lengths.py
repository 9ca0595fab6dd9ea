"""How long games are, and by how much rounds and pairs are won: the histograms of a run with mean and spread."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from basra_sim.analysis.statistics.shares import Table, share_ends
from basra_sim.records.counters import MAX_LENGTH, MIDDLE, ROLES, RunTotals, match_name


def _distribution(rows: list[dict[str, Any]], group: str) -> pd.DataFrame:
    frame = pd.DataFrame(rows, columns=["match", group, "count", "of", "per"])
    low, high = share_ends(frame["count"].to_numpy(), frame["of"].to_numpy())
    return frame.assign(value=frame["count"] / frame["of"], low=low, high=high, expected=np.nan)


def game_lengths(run: RunTotals) -> Table:
    """Games by their number of rounds, for each match."""
    rows = [
        {"match": match_name(m.a, m.b), "rounds": int(length), "count": int(m.lengths[length]), "of": int(m.games),
         "per": "games"}
        for m in run.matches
        for length in np.nonzero(m.lengths)[0]
    ]  # fmt: skip
    return Table("lengths", "Games by length in rounds", _distribution(rows, "rounds"),
                 f"A share of the games of the match ({MAX_LENGTH - 1}: that many or more).", share=True)  # fmt: skip


def round_margins(run: RunTotals) -> Table:
    """Rounds by points of the first named minus points of the second, by the role of the first."""
    rows = []
    for m in run.matches:
        for role in (0, 1):
            size = int(m.round_margins[role].sum())
            for cell in np.nonzero(m.round_margins[role])[0]:
                rows.append({"match": match_name(m.a, m.b), "role": ROLES[role], "points": int(cell - MIDDLE) * m.margin_unit,
                             "count": int(m.round_margins[role, cell]), "of": size, "per": "rounds"})  # fmt: skip
    frame = _distribution(rows, "points")
    frame.insert(1, "role", [row["role"] for row in rows])
    return Table("round_margins", "Rounds by margin, points of the first named minus the second", frame,
                 "A share of the rounds in which the first named had that role.", share=True)  # fmt: skip


def pair_margins(run: RunTotals) -> Table:
    """Game pairs by the margin of both games added up."""
    rows = [
        {"match": match_name(m.a, m.b), "points": int(cell - MIDDLE) * m.margin_unit, "count": int(m.pair_margins[cell]),
         "of": int(m.pairs), "per": "pairs"}
        for m in run.matches
        for cell in np.nonzero(m.pair_margins)[0]
    ]  # fmt: skip
    frame = _distribution(rows, "points")
    note = "A share of the game pairs of the match."
    return Table("pair_margins", "Pairs by margin, both games added up", frame, note, share=True)


def mean_and_spread(frame: pd.DataFrame, group: str) -> tuple[float | None, float | None]:
    """Mean and standard deviation of a histogram (columns `group` and `count`)."""
    count, value = frame["count"].to_numpy(float), frame[group].to_numpy(float)
    size = count.sum()
    if size == 0:
        return None, None
    mean = float((count * value).sum() / size)
    return mean, math.sqrt(max(float((count * value * value).sum() / size) - mean * mean, 0.0))
