"""Rows of values with intervals: win rates and ratings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .style import COLOURS, INK, MUTED, NAME, bars_of, canvas, label_x, percent_axis, plot, row_height, row_labels


def _rows(axes: Any, frame: pd.DataFrame, reference: float) -> None:
    """Dots with intervals: filled where the interval leaves out the reference, hollow where it does not."""
    y = np.arange(len(frame))
    value, low, high = (frame[name].to_numpy(float) for name in ("value", "low", "high"))
    axes.errorbar(value, y, xerr=bars_of(value, low, high), fmt="none", ecolor=INK, elinewidth=1.1, capsize=2.5)
    apart = (low > reference) | (high < reference)
    for chosen, fill in ((apart, COLOURS[0]), (~apart, "#ffffff")):
        if chosen.any():
            axes.scatter(value[chosen], y[chosen], s=26, c=fill, edgecolors=COLOURS[0], linewidths=1.2, zorder=3)
    axes.axvline(reference, color=MUTED, linewidth=0.9, linestyle=(0, (4, 2)), zorder=1)


@plot
def forest(
    frame: pd.DataFrame,
    title: str = "Win rate, with 95 % intervals",
    unit: str = "score, % of games (a draw counts half)",
    size: str = "",
    letters: int = NAME,
) -> Figure:
    """Scores as dots with intervals, best first. frame: label, value, low, high (shares 0..1; NaN: no interval).

    The dashed line is 50 %; a hollow dot's interval contains it. `size` states the sample; longer labels
    than so many letters are shortened.
    """
    figure, axes = canvas(row_height(len(frame)))
    _rows(axes, frame, 0.5)
    row_labels(axes, list(frame["label"]), letters)
    ends = frame[["value", "low", "high"]].to_numpy(float)
    low, high = min(np.nanmin(ends), 0.5), max(np.nanmax(ends), 0.5)
    room = max(0.06 * (high - low), 0.01)
    axes.set_xlim(max(low - room, -0.02), min(high + room, 1.02))
    percent_axis(axes)
    axes.set_title(title)
    label_x(axes, unit, size)
    axes.set_ylabel("strategy" if "strategy" in title.lower() or len(frame) > 1 else " ")
    return figure


@plot
def rating(frame: pd.DataFrame, title: str = "Rating, with 95 % intervals", size: str = "") -> Figure:
    """Ratings as dots with intervals, best first. frame: label, value, low, high (Elo points; the field's mean is 0)."""
    # The last bits of ratings differ between processors, and matplotlib names its clip paths by a hash of all bits: without this
    # the same run would give another file of the same picture.
    frame = frame.assign(**{name: frame[name].astype(float).round(6) for name in ("value", "low", "high")})
    figure, axes = canvas(row_height(len(frame)))
    _rows(axes, frame, 0.0)
    row_labels(axes, list(frame["label"]))
    axes.margins(x=0.06)
    low, high = axes.get_xlim()
    if high - low < 10:
        axes.set_xlim(low - 5, high + 5)
    axes.set_title(title)
    label_x(axes, "Elo points, the mean of the field is 0", size)
    axes.set_ylabel("strategy")
    return figure
