"""How an estimate closed in while games were played: a live interval, or a sequential test with its bounds."""

from __future__ import annotations

import pandas as pd
from matplotlib.figure import Figure

from .style import COLOURS, LINES, MUTED, canvas, count_axis, legend, percent_axis, plot


@plot
def trace(
    frame: pd.DataFrame,
    title: str = "The score while games were played",
    reference: float = 0.5,
    bounds: tuple[float, float] | None = None,
    unit: str = "score of the first named",
) -> Figure:
    """frame: pairs, value, and low, high (an interval that may be watched at any time) where there is one.

    With `bounds` the value is a log-likelihood ratio, and the lines are where the test stops; without, shares 0..1.
    """
    figure, axes = canvas(3.2)
    pairs = frame["pairs"].to_numpy(float)
    axes.plot(pairs, frame["value"], color=COLOURS[0], label="value so far", marker="o" if len(frame) == 1 else None)
    if {"low", "high"} <= set(frame.columns) and frame["low"].notna().any():
        axes.fill_between(pairs, frame["low"].to_numpy(float), frame["high"].to_numpy(float), color=COLOURS[0], alpha=0.2,
                          linewidth=0, label="95 % at any time")  # fmt: skip
    if bounds is not None:
        for place, word, line in ((bounds[0], "stop: no gain", LINES[1]), (bounds[1], "stop: gain", LINES[2])):
            axes.axhline(place, color=COLOURS[1], linestyle=line, label=word)
    else:
        axes.axhline(reference, color=MUTED, linestyle=(0, (4, 2)), linewidth=0.9)
        if len(pairs) > 1 and pairs.max() > 50 * max(pairs.min(), 1):
            axes.set_xscale("log")
        percent_axis(axes, "y")
    count_axis(axes)
    axes.set_xlabel("game pairs played")
    axes.set_ylabel("log-likelihood ratio" if bounds is not None else unit)
    legend(axes, title)
    return figure
