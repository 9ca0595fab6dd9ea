"""Heat maps with their numbers in them: the cross-table with significance, and a rate by deal and ply."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from .style import DIVERGING, FONT, INK, WIDTH, canvas, label_x, plot, shorts, without_frame

_DARK, _LIGHT = "#101820", "#ffffff"  # on a coloured cell, whatever the page


def _text_colour(rgba: tuple[float, ...]) -> str:
    red, green, blue = rgba[:3]
    return _DARK if 0.299 * red + 0.587 * green + 0.114 * blue > 0.55 else _LIGHT


@plot
def cross_table(
    frame: pd.DataFrame, title: str = "Row against column: score of the row", size: str = "", unit: str = "games"
) -> Figure:
    """Scores of each strategy against each. frame: row, column, value, low, high (shares 0..1), level (bool).

    Bold: decided, by a column `decided` if there is one, else when the 95 % interval leaves out 50 %; in italics with a
    dotted border: not decided. "=" is level by construction.
    """
    names = list(dict.fromkeys([*frame["row"], *frame["column"]]))
    many = len(names)
    cell = 0.27 if many > 14 else 0.44 - 0.012 * many  # inches
    labels = shorts(names, 16)
    longest = max(len(label) for label in labels)
    figure, axes = canvas(0.95 + 0.062 * longest + cell * many, max(WIDTH, min(1.6 + cell * many, 10.5)))
    _score_cells(axes, frame, names, min(FONT, 21 * cell))
    axes.set_xlim(-0.5, many - 0.5)
    axes.set_ylim(many - 0.5, -0.5)
    letters = min(FONT - 0.5, 72 * cell * 0.62)
    axes.set_xticks(range(many), labels, rotation=90 if longest > 4 or many > 8 else 0, fontsize=letters)
    axes.set_yticks(range(many), labels, fontsize=letters)
    without_frame(axes)
    axes.set_title(title, loc="left", x=0)
    label_x(axes, f"column; % of {unit} won by the row, a draw half", size)
    axes.set_ylabel("row")
    return figure


def _score_cells(axes: Any, frame: pd.DataFrame, names: list[str], letters: float) -> None:
    """A coloured box with its number for each score; one collection, since many patches are slow to draw."""
    place = {name: index for index, name in enumerate(names)}
    colours = mpl.colormaps[DIVERGING]
    boxes: dict[str, list[Any]] = {"xy": [], "colour": [], "edge": [], "line": []}
    for row in frame.to_dict("records"):
        y, x = place[row["row"]], place[row["column"]]
        value = row["value"]
        if value is None or not math.isfinite(value):
            continue
        rgba, decided = colours(0.12 + 0.76 * value), _is_decided(row)
        boxes["xy"].append([(x - 0.46, y - 0.44), (x + 0.46, y - 0.44), (x + 0.46, y + 0.44), (x - 0.46, y + 0.44)])
        boxes["colour"].append(rgba)
        boxes["edge"].append("#ffffff" if decided else "#333333")
        boxes["line"].append("-" if decided else ":")
        text = "=" if row["level"] else f"{100 * value:.0f}"
        number = axes.text(x, y, text, ha="center", va="center", fontsize=letters, color=_text_colour(rgba),
                           fontweight="bold" if decided else "normal", fontstyle="normal" if decided else "italic")  # fmt: skip
        number.set_in_layout(False)
    axes.add_collection(PolyCollection(boxes["xy"], facecolors=boxes["colour"], edgecolors=boxes["edge"],
                                       linestyles=boxes["line"], linewidths=0.7))  # fmt: skip


def _is_decided(row: Mapping[Any, Any]) -> bool:
    """As the table says; where it does not, by the interval of this match alone."""
    decided = row.get("decided")
    if decided is None or decided != decided:
        return bool(row["low"] > 0.5 or row["high"] < 0.5)
    return bool(decided)


@plot
def deal_by_ply(frame: pd.DataFrame, title: str = "Basras a round by deal and ply", unit: str = "basras in 100 rounds") -> Figure:
    """A rate at each of the 48 plies of a round, for one strategy. frame: deal 0..5, ply 0..7, value (a round in that role)."""
    grid = np.full((6, 8), np.nan)
    grid[frame["deal"].to_numpy(int), frame["ply"].to_numpy(int)] = frame["value"].to_numpy(float)
    most = np.nanmax(grid) if np.isfinite(grid).any() and np.nanmax(grid) > 0 else 1.0
    figure, axes = canvas(2.6)
    colours = mpl.colormaps["YlGnBu"]
    for deal in range(6):
        for ply in range(8):
            value = grid[deal, ply]
            if not math.isfinite(value):
                continue
            rgba = colours(0.85 * value / most)
            axes.add_patch(Rectangle((ply - 0.48, deal - 0.46), 0.96, 0.92, facecolor=rgba, edgecolor="none"))
            digits = 1 if most >= 0.01 else 2
            axes.text(ply, deal, f"{100 * value:.{digits}f}", ha="center", va="center", color=_text_colour(rgba),
                      fontsize=FONT - 0.5)  # fmt: skip
    axes.set_xlim(-0.5, 7.5)
    axes.set_ylim(5.5, -0.5)
    axes.set_xticks(range(8), [f"{ply + 1}\n{'leader' if ply % 2 == 0 else 'dealer'}" for ply in range(8)])
    axes.set_yticks(range(6), [str(deal + 1) for deal in range(6)])
    without_frame(axes)
    axes.set_title(title)
    axes.set_xlabel(f"ply in the deal; {unit} in that role")
    axes.set_ylabel("deal", color=INK)
    return figure
