"""Points by source, the floor through a round, margins and game lengths."""

from __future__ import annotations

import math

import numpy as np
import pandas as pd
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from .style import (
    COLOURS,
    HATCHES,
    INK,
    LINES,
    MUTED,
    PAPER,
    canvas,
    label_x,
    legend,
    legend_room,
    names_of,
    percent_axis,
    plot,
    ply_axis,
    row_height,
    row_labels,
)


@plot
def sources(frame: pd.DataFrame, title: str = "Points a round, by source", size: str = "") -> Figure:
    """Stacked bars. frame: strategy, source, value (points a round)."""
    names = list(dict.fromkeys(frame["strategy"]))
    kinds = [kind for kind in dict.fromkeys(frame["source"]) if frame.loc[frame["source"] == kind, "value"].abs().sum() > 0]
    figure, axes = canvas(row_height(len(names), 0.24, 1.5))
    left = np.zeros(len(names))
    for index, kind in enumerate(kinds):
        value = frame[frame["source"] == kind].set_index("strategy")["value"].reindex(names).fillna(0).to_numpy(float)
        axes.barh(range(len(names)), value, left=left, height=0.68, color=COLOURS[index % 6], hatch=HATCHES[index % 6],
                  edgecolor=PAPER, linewidth=0.6, label=kind)  # fmt: skip
        left += value
    for index, total in enumerate(left):
        axes.text(total, index, f" {total:.1f}", va="center", ha="left", color=INK)
    row_labels(axes, names)
    axes.set_xlim(0, max(left.max() * 1.12, 1))
    label_x(axes, "points a round", size)
    axes.set_ylabel("strategy")
    legend(axes, title)
    return figure


@plot
def floor_through_round(frame: pd.DataFrame, title: str = "Cards on the floor through a round", size: str = "") -> Figure:
    """frame: match, deal 0..5, ply 0..7, value (mean floor cards before the ply)."""
    names, more = names_of(frame, "match", 4)
    figure, axes = canvas(3.0 + legend_room(names, more, 34))
    for index, name in enumerate(names):
        own = frame[frame["match"] == name].sort_values(["deal", "ply"])
        axes.plot(8 * own["deal"] + own["ply"], own["value"], color=COLOURS[index], linestyle=LINES[index], label=name)
    ply_axis(axes, size)
    axes.set_ylabel("floor cards before the ply (mean)")
    legend(axes, title, more, letters=34, what=" matches")
    return figure


@plot
def margins(
    frame: pd.DataFrame,
    title: str = "Margins of game pairs",
    unpaired_spread: float | None = None,
    size: str = "",
    unit: str = "points of the first named minus the second, both games of a pair added",
) -> Figure:
    """Bars of the margins of pairs. frame: points, value (share of pairs).

    With `unpaired_spread` (the standard deviation of two games on separate packs added up) the line is the normal law
    with that spread and the same mean: what pairing the games took away is the difference in width.
    """
    figure, axes = canvas(3.1)
    x, value = frame["points"].to_numpy(float), frame["value"].to_numpy(float)
    step = float(np.diff(np.unique(x)).min()) if len(np.unique(x)) > 1 else 10.0
    wide = step * max(1, math.ceil((x.max() - x.min()) / step / 60))
    cells = np.round(x / wide).astype(int)
    places = np.unique(cells)
    heights = np.array([value[cells == place].sum() for place in places])
    axes.bar(places * wide, heights, width=0.9 * wide, color=COLOURS[0], label="pairs as played: same packs, seats swapped")
    axes.axvline(0, color=MUTED, linewidth=0.9, linestyle=(0, (4, 2)))
    if unpaired_spread and math.isfinite(unpaired_spread):
        mean = float((x * value).sum() / value.sum())
        grid = np.linspace(min(x.min(), mean - 3 * unpaired_spread), max(x.max(), mean + 3 * unpaired_spread), 200)
        law = np.exp(-0.5 * ((grid - mean) / unpaired_spread) ** 2) / (unpaired_spread * math.sqrt(2 * math.pi)) * wide
        axes.plot(grid, law, color=COLOURS[1], linestyle=LINES[1], label="two games on separate packs (normal law)")
    if len(places) == 1:
        axes.set_xlim(places[0] * wide - 5 * wide, places[0] * wide + 5 * wide)
    percent_axis(axes, "y")
    label_x(axes, unit, size)
    axes.set_ylabel("share of the pairs")
    legend(axes, title, letters=60)
    return figure


@plot
def lengths(frame: pd.DataFrame, title: str = "How long games are", size: str = "") -> Figure:
    """frame: match, rounds, value (share of the games of the match), low, high."""
    names, more = names_of(frame, "match", 4)
    figure, axes = canvas(2.8 + legend_room(names, more, 34))
    for index, name in enumerate(names):
        own = frame[frame["match"] == name].sort_values("rounds")
        axes.plot(own["rounds"], own["value"], color=COLOURS[index], linestyle=LINES[index], marker="os^D"[index], label=name)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    axes.margins(x=0.08)
    axes.set_ylim(bottom=0)
    percent_axis(axes, "y")
    label_x(axes, "rounds in the game", size)
    axes.set_ylabel("share of the games")
    legend(axes, title, more, letters=34, what=" matches")
    return figure
