"""Frames for every plot: for any number of strategies, with long names, ties and missing intervals."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from basra_sim import plots


def names(many: int) -> list[str]:
    """Names as people give them: short, long, with parameters, with signs that mean something elsewhere."""
    given = ["greedy", "tuned-endgame:depth=3,alpha=0.25", "<script>alert(1)</script>", "first$_x^2$", "a", "لاعب"]
    return [given[i] if i < len(given) else f"strategy-number-{i:02d}" for i in range(many)]


def with_ends(frame: pd.DataFrame, half: float = 0.02, ties: bool = False) -> pd.DataFrame:
    if ties:
        return frame.assign(low=np.nan, high=np.nan)
    return frame.assign(low=frame["value"] - half, high=frame["value"] + half)


def every_plot(many: int, ties: bool = False) -> dict[str, Callable[[], Figure]]:
    """All plots for so many strategies; with ties every value is the same and no interval is known."""
    rng = np.random.default_rng(3)
    who = names(many)
    rows = len(who)

    def values(size: int, scale: float = 1.0) -> np.ndarray:
        return np.full(size, 0.5 * scale) if ties else scale * rng.uniform(0.05, 0.95, size)

    def grid(**columns: list) -> pd.DataFrame:
        index = pd.MultiIndex.from_product(list(columns.values()), names=list(columns))
        frame = index.to_frame(index=False)
        return with_ends(frame.assign(value=values(len(frame), 0.2), expected=0.1), 0.01, ties)

    scores = with_ends(pd.DataFrame({"label": who, "value": np.sort(values(rows))[::-1]}), ties=ties)
    pairs = [(one, two) for i, one in enumerate(who) for two in who[i + 1 :]]
    value = values(len(pairs))
    cross = with_ends(pd.DataFrame({"row": [p[0] for p in pairs], "column": [p[1] for p in pairs], "value": value}), 0.03, ties)
    back = cross.assign(row=cross["column"], column=cross["row"], value=1 - value, low=1 - cross["high"], high=1 - cross["low"])
    cross = pd.concat([cross, back]).assign(level=ties)
    matches = [f"{one} vs {two}" for one, two in pairs] or ["greedy vs greedy#2"]
    margin = pd.DataFrame({"points": [0.0], "value": [1.0]}) if ties else pd.DataFrame(
        {"points": np.arange(-120.0, 121, 10), "value": np.full(25, 0.04)})  # fmt: skip
    steps = pd.DataFrame({"pairs": [10] if ties else np.geomspace(10, 1e5, 30)})
    steps = with_ends(steps.assign(value=0.5), 0.1, ties)
    tests = pd.DataFrame({"test": [f"test {i}" for i in range(min(rows + 10, 30))], "log10_p": -values(min(rows + 10, 30), 9)})
    return {
        "forest": lambda: plots.forest(scores, size="20,000 games each"),
        "rating": lambda: plots.rating(scores.assign(**{end: 400 * scores[end] - 200 for end in ("value", "low", "high")})),
        "cross_table": lambda: plots.cross_table(cross, size="20,000 games a match"),
        "deal_by_ply": lambda: plots.deal_by_ply(grid(deal=list(range(6)), ply=list(range(8)))),
        "basras_by_deal": lambda: plots.basras_by_deal(grid(strategy=who, deal=list(range(6)))),
        "basras_by_ply": lambda: plots.basras_by_ply(grid(strategy=who, deal=list(range(6)), ply=list(range(8)))),
        "basras_by_card": lambda: plots.basras_by_card(grid(strategy=who, card=[*"A23456789TJQK", "komi"])),
        "basras_by_seat": lambda: plots.basras_by_seat(grid(strategy=who, role=["leader", "dealer"])),
        "sources": lambda: plots.sources(grid(source=["majority", "basra", "komi basra", "jack basra", "cards"], strategy=who)),
        "floor_through_round": lambda: plots.floor_through_round(grid(match=matches, deal=list(range(6)), ply=list(range(8)))),
        "margins": lambda: plots.margins(margin, unpaired_spread=None if ties else 80.0, size="10,000 pairs"),
        "lengths": lambda: plots.lengths(grid(match=matches, rounds=[1] if ties else [2, 3, 4, 5])),
        "trace": lambda: plots.trace(steps),
        "sprt": lambda: plots.trace(
            steps.assign(value=np.linspace(0, 2, len(steps))).drop(columns=["low", "high"]), bounds=(-2.9, 2.9)
        ),
        "positions": lambda: plots.positions(rng.normal(size=(52, 52)), [str(i) for i in range(52)], decks=1000),
        "diagonal": lambda: plots.diagonal(pd.DataFrame({"distance": range(-51, 52), "value": 0.01, "expected": 0.01})),
        "rising": lambda: plots.rising(pd.DataFrame({"sequences": range(20, 33), "value": 0.08, "expected": 0.07})),
        "p_values": lambda: plots.p_values(tests, limit=4.5, decks=1000),
    }  # fmt: skip
