"""Pictures of a shuffle test: where the cards lie, how far from their place, rising sequences, p-values."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from .style import COLOURS, DIVERGING, FONT, INK, LINES, MUTED, canvas, label_x, legend, plot, row_height, row_labels


@plot
def positions(noise: np.ndarray, labels: Sequence[str], title: str = "Where the cards lie", decks: int = 0) -> Figure:
    """(n, n) card by place, in noise standard deviations (a perfect shuffle: 95 % of the cells within 2)."""
    noise = np.asarray(noise, float)
    many = len(noise)
    figure, axes = canvas(5.6)
    limit = max(5.0, float(np.quantile(np.abs(noise), 0.995)))
    image = axes.imshow(noise, cmap=DIVERGING, vmin=-limit, vmax=limit, interpolation="nearest", aspect="auto")
    bar = figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02)
    bar.set_label("noise standard deviations", color=INK)
    bar.ax.tick_params(length=0)
    step = 1 if many <= 16 else 4
    axes.set_xticks(range(0, many, step), [str(place + 1) for place in range(0, many, step)])
    each = 1 if many <= 26 else 2
    axes.set_yticks(range(0, many, each), list(labels)[::each], fontsize=FONT if many <= 16 else FONT - 2)
    axes.grid(visible=False)
    label_x(axes, "place in the shuffled pack (1: dealt first)", f"{decks:,} packs" if decks else "")
    axes.set_ylabel("card, in the start order")
    axes.set_title(title)
    return figure


@plot
def diagonal(frame: pd.DataFrame, title: str = "How far cards move", decks: int = 0) -> Figure:
    """frame: distance, value, expected (shares of cards by place after minus place before)."""
    figure, axes = canvas(3.0)
    axes.bar(frame["distance"], frame["value"], width=0.9, color=COLOURS[0], label="seen")
    axes.plot(frame["distance"], frame["expected"], color=COLOURS[1], linestyle=LINES[1], label="a perfect shuffle")
    label_x(axes, "place after the shuffle minus place before", f"{decks:,} packs" if decks else "")
    axes.set_ylabel("share of the cards")
    legend(axes, title)
    return figure


@plot
def rising(frame: pd.DataFrame, title: str = "Rising sequences in a pack", decks: int = 0) -> Figure:
    """frame: sequences, value, expected (shares of packs; the law is Eulerian)."""
    figure, axes = canvas(3.0)
    axes.bar(frame["sequences"], frame["value"], width=0.85, color=COLOURS[0], label="seen")
    axes.plot(frame["sequences"], frame["expected"], color=COLOURS[1], linestyle=LINES[1], marker="s", label="a perfect shuffle")
    label_x(axes, "rising sequences", f"{decks:,} packs" if decks else "")
    axes.set_ylabel("share of the packs")
    legend(axes, title)
    return figure


@plot
def p_values(
    frame: pd.DataFrame, title: str = "Evidence of each shuffle test", limit: float | None = None, decks: int = 0
) -> Figure:
    """frame: test, log10_p. `limit` is the -log10 p beyond which the whole battery calls it found."""
    figure, axes = canvas(row_height(len(frame), 0.16, 1.4))
    strength = np.minimum(-frame["log10_p"].to_numpy(float), 30.0)
    found = strength > limit if limit is not None else np.zeros(len(frame), bool)
    for chosen, colour, hatch, label in ((~found, COLOURS[0], "", "within chance"), (found, COLOURS[1], "////", "found")):
        if chosen.any():
            axes.barh(np.arange(len(frame))[chosen], strength[chosen], height=0.66, color=colour, hatch=hatch, label=label)
    if limit is not None:
        axes.axvline(limit, color=MUTED, linestyle=(0, (4, 2)), linewidth=0.9, label="found beyond this line")
    row_labels(axes, [str(name) for name in frame["test"]])
    axes.tick_params(axis="y", labelsize=FONT - 2)
    axes.set_xlim(0, max(float(strength.max()), limit or 1.0) * 1.1)
    label_x(axes, "evidence: -log10 of p (3: one in a thousand by chance)", f"{decks:,} packs" if decks else "")
    axes.set_ylabel("test")
    legend(axes, title, letters=40)
    return figure
