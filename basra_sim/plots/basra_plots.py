"""Basra frequency by deal, ply, card and seat: a line or a row a strategy, with intervals and what chance would give."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .style import (
    COLOURS,
    INK,
    LINES,
    MARKERS,
    bars_of,
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


def _lines(axes: Any, frame: pd.DataFrame, names: list[str], column: str, order: Sequence[Any], dots: bool = True) -> None:
    """A line with intervals for each strategy over the places of `order`, set side by side a little."""
    places = {value: index for index, value in enumerate(order)}
    for index, name in enumerate(names):
        own = frame[frame["strategy"] == name]
        x = own[column].map(places).to_numpy(float)
        shift = (index - (len(names) - 1) / 2) * (0.55 / max(len(names), 2)) if dots else 0.0
        value = own["value"].to_numpy(float)
        style = {"color": COLOURS[index], "linestyle": LINES[index]}
        if dots:
            axes.errorbar(x + shift, value, yerr=bars_of(value, own["low"], own["high"]), marker=MARKERS[index], label=name,
                          elinewidth=0.9, capsize=1.5, linewidth=0.9, **style)  # fmt: skip
        else:
            axes.plot(x, value, label=name, linewidth=1.2, **style)
            ends = (own["low"].to_numpy(float), own["high"].to_numpy(float))
            axes.fill_between(x, *ends, color=COLOURS[index], alpha=0.18, linewidth=0)


@plot
def basras_by_deal(frame: pd.DataFrame, title: str = "Basras a round in each deal", size: str = "") -> Figure:
    """frame: strategy, deal 0..5, value, low, high (basras a round), expected. Short lines: if the deal made no difference."""
    names, more = names_of(frame)
    figure, axes = canvas(3.2 + legend_room(names, more))
    _lines(axes, frame, names, "deal", range(6))
    for index, name in enumerate(names):
        expected = frame.loc[frame["strategy"] == name, "expected"].mean()
        axes.axhline(expected, color=COLOURS[index], linewidth=0.7, linestyle=(0, (1, 3)))
    axes.set_xticks(range(6), [str(deal + 1) for deal in range(6)])
    axes.set_ylim(bottom=0)
    label_x(axes, "deal of the round; dotted: if every deal were alike", size)
    axes.set_ylabel("basras a round in that deal")
    legend(axes, title, more)
    return figure


@plot
def basras_by_ply(frame: pd.DataFrame, title: str = "Basras at each ply of the round", size: str = "") -> Figure:
    """frame: strategy, deal 0..5, ply 0..7, value, low, high (a round in that role). Bands are 95 % intervals."""
    names, more = names_of(frame, most=4)
    frame = frame.assign(place=8 * frame["deal"] + frame["ply"])
    figure, axes = canvas(3.2 + legend_room(names, more))
    _lines(axes, frame.sort_values("place"), names, "place", range(48), dots=False)
    ply_axis(axes, size)
    axes.set_ylabel("basras a round in that role")
    legend(axes, title, more)
    return figure


@plot
def basras_by_card(frame: pd.DataFrame, title: str = "Basras a round by the card that made them", size: str = "") -> Figure:
    """frame: strategy, card (A..K, komi), value, low, high, expected (basras a round)."""
    names, more = names_of(frame)
    cards = [*"A23456789TJQK", "komi"]
    figure, axes = canvas(3.3 + legend_room(names, more))
    _lines(axes, frame, names, "card", cards)
    for line in axes.lines:
        if line.get_marker() in MARKERS:
            line.set_linestyle("none")
    axes.set_xticks(range(14), [card.replace("T", "10") for card in cards])
    axes.set_xlim(-0.6, 13.6)
    axes.set_ylim(bottom=0)
    label_x(axes, "card played (komi: the seven of diamonds; 7: the other sevens)", size)
    axes.set_ylabel("basras a round with that card")
    legend(axes, title, more)
    return figure


@plot
def basras_by_seat(
    frame: pd.DataFrame,
    title: str = "Basras a round as leader and as dealer",
    unit: str = "basras a round in that role",
    percent: bool = False,
    size: str = "",
) -> Figure:
    """frame: strategy, role (leader, dealer), value, low, high. Also for other rates by seat: give `title` and `unit`."""
    names = list(dict.fromkeys(frame["strategy"]))
    figure, axes = canvas(row_height(len(names), 0.24, 1.3))
    for index, role in enumerate(("leader", "dealer")):
        own = frame[frame["role"] == role].set_index("strategy").reindex(names)
        value = own["value"].to_numpy(float)
        y = np.arange(len(names)) + (index - 0.5) * 0.34
        axes.errorbar(value, y, xerr=bars_of(value, own["low"], own["high"]), fmt=MARKERS[index], color=COLOURS[index],
                      label=f"as {role}", elinewidth=1, capsize=2)  # fmt: skip
    row_labels(axes, names)
    axes.margins(x=0.06)
    if percent:
        percent_axis(axes)
    label_x(axes, unit, size, color=INK)
    axes.set_ylabel("strategy")
    legend(axes, title)
    return figure
