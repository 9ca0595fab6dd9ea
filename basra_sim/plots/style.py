"""One style for every plot: colours that colour-blind people tell apart, sizes, axes. Colour never stands alone.

The four greys are names rather than colours: in a web page they become the page's own, light or dark (figure_files.py).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter

INK, MUTED, GRID, PAPER = "#1a2733", "#5a6876", "#d3dae1", "#fdfefe"
# Okabe and Ito (2008), the order for pairs that differ most; each series has its own marker and line as well
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKERS = ("o", "s", "^", "D", "v", "P")
LINES: tuple[Any, ...] = ("-", (0, (5, 1.5)), (0, (1.5, 1.2)), (0, (6, 1.5, 1.5, 1.5)), (0, (3, 1)), (0, (8, 2)))
HATCHES = ("", "///", "---", "\\\\\\", "|||", "xxx")
DIVERGING = "PuOr_r"  # purple to orange over white: safe for all common kinds of colour blindness
SERIES = 6  # lines in one picture; of more strategies the first are drawn
WIDTH = 5.3  # inches; the page shows it a little larger, a phone a little smaller
FONT = 8.5
NAME = 20  # letters of a name in a picture

_RC: Any = {
    "font.size": FONT, "font.family": ["DejaVu Sans"], "text.parse_math": False, "axes.titlesize": FONT + 1.5,
    "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.titlepad": 8, "axes.labelsize": FONT,
    "axes.edgecolor": MUTED, "axes.labelcolor": INK, "axes.linewidth": 0.7, "axes.spines.top": False,
    "axes.spines.right": False, "axes.grid": True, "axes.axisbelow": True, "grid.color": GRID, "grid.linewidth": 0.6,
    "text.color": INK, "xtick.color": MUTED, "ytick.color": MUTED, "xtick.labelcolor": INK, "ytick.labelcolor": INK,
    "xtick.labelsize": FONT - 0.5, "ytick.labelsize": FONT - 0.5, "legend.fontsize": FONT - 0.5, "legend.frameon": False,
    "axes.facecolor": "none", "figure.facecolor": "none", "savefig.facecolor": "none", "hatch.linewidth": 0.6,
    "svg.fonttype": "none", "axes.titley": 1.0, "svg.hashsalt": "basra-sim", "lines.linewidth": 1.4, "lines.markersize": 4,
    "axes.unicode_minus": True,
}  # fmt: skip


@contextmanager
def styled() -> Iterator[None]:
    """The style, for as long as a figure is made or written; the user's own settings are untouched."""
    with mpl.rc_context(_RC):
        yield


P = ParamSpec("P")


def plot(function: Callable[P, Figure]) -> Callable[P, Figure]:
    """A plot function: drawn in the style, laid out once at the end; where its first argument is empty, that is said."""
    told = signature(function)

    @wraps(function)
    def drawn(*args: P.args, **kwargs: P.kwargs) -> Figure:
        given = told.bind(*args, **kwargs)
        given.apply_defaults()
        empty = not np.size(next(iter(given.arguments.values())))
        with styled():
            figure = no_data(given.arguments["title"]) if empty else function(*args, **kwargs)
            figure.tight_layout(pad=0.6)
            return figure

    return drawn


def canvas(height: float, width: float = WIDTH) -> tuple[Figure, Any]:
    """A figure of `width` by `height` inches with one axes."""
    figure = Figure(figsize=(width, height))
    FigureCanvasAgg(figure)
    return figure, figure.subplots()


def short(name: str, most: int = NAME) -> str:
    """A name of at most so many letters, the middle left out."""
    name = " ".join(str(name).split()) or "?"
    if len(name) <= most:
        return name
    front = (most - 1 + 1) // 2
    return name[:front] + "…" + name[len(name) - (most - 1 - front) :]


def shorts(names: Sequence[str], most: int = NAME) -> list[str]:
    """Names of at most so many letters; where that makes two of them the same, it shows from where on they differ."""
    names = [" ".join(str(name).split()) or "?" for name in names]
    made = [short(name, most) for name in names]
    for label in set(made):
        alike = sorted({name for name, own in zip(names, made, strict=True) if own == label})
        if len(alike) == 1:
            continue
        first, last = alike[0], alike[-1]
        same = next((at for at, letter in enumerate(first) if last[at : at + 1] != letter), len(first))
        for name in alike:
            rest = name[same:] if len(name) - same <= most - 5 else name[same : same + most - 6] + "…"
            made = [f"{name[: most - 1 - len(rest)]}…{rest}" if own == name else one
                    for own, one in zip(names, made, strict=True)]  # fmt: skip
    return made


def row_labels(axes: Axes, names: Sequence[str], letters: int = NAME) -> None:
    """Names down the y axis, the first at the top, small enough not to touch."""
    axes.set_yticks(range(len(names)), shorts(names, letters))
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="y", visible=False)


def row_height(rows: int, each: float = 0.2, frame: float = 1.05) -> float:
    """Inches for a picture with so many rows of text."""
    return frame + max(rows, 1) * each


def percent_axis(axes: Axes, which: str = "x") -> None:
    """Shares 0..1 shown as percent."""
    axis = getattr(axes, f"{which}axis")
    axis.set_major_locator(MaxNLocator(6))
    low, high = axis.get_view_interval()
    step = (high - low) * 100 / 6
    digits = max(0, -math.floor(math.log10(step))) if step > 0 and step < 1 else 0
    axis.set_major_formatter(FuncFormatter(lambda x, _: f"{100 * x:.{digits}f} %".replace("-0 ", "0 ")))


def bars_of(value: Any, low: Any, high: Any) -> np.ndarray:
    """(2, n) lengths of error bars; none where an end is unknown."""
    value, low, high = (np.asarray(x, float) for x in (value, low, high))
    return np.clip(np.nan_to_num(np.stack([value - low, high - value])), 0, None)


def label_x(axes: Axes, text: str, size: str = "", **style: Any) -> None:
    """What the x axis shows, and below it how much it stands on."""
    axes.set_xlabel(text + (f"\n{size}" if size else ""), **style)


def ply_axis(axes: Axes, size: str = "") -> None:
    """The 48 plies of a round as the x axis, its deals apart; a y axis from 0."""
    for deal in range(1, 6):
        axes.axvline(8 * deal - 0.5, color=MUTED, linewidth=0.6, linestyle=(0, (2, 2)))
    axes.grid(axis="x", visible=False)
    axes.set_xticks([8 * deal + 3.5 for deal in range(6)], [f"deal {deal + 1}" for deal in range(6)])
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.8, 47.8)
    axes.set_ylim(bottom=0)
    label_x(axes, "ply of the round: eight in each deal, the leader first", size)


def without_frame(axes: Axes) -> None:
    """Neither grid nor ticks nor lines around: for what fills its axes itself."""
    axes.grid(visible=False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)


def count_axis(axes: Axes) -> None:
    """Counts along x with their thousands apart, also on a logarithmic axis."""
    axes.xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:,.0f}"))
    axes.xaxis.set_minor_formatter(NullFormatter())


def names_of(frame: Any, column: str = "strategy", most: int = SERIES) -> tuple[list[str], int]:
    """The first `most` names of a column, in order, and how many there are besides."""
    names = list(dict.fromkeys(frame[column]))
    return names[:most], max(0, len(names) - most)


def legend(axes: Axes, title: str, more: int = 0, letters: int = NAME, what: str = "") -> None:
    """The title and, below it and above the data, a legend in as many columns as fit; more series than drawn are told of."""
    handles, labels = axes.get_legend_handles_labels()
    names = shorts(labels, letters)
    each = 0.62 * (FONT - 0.5) * max((len(name) for name in names), default=1) + 4.4 * FONT
    room = 72 * axes.get_figure().get_figwidth() - 66  # type: ignore[union-attr]
    columns = max(1, min(len(names), int(room / each), 4))
    told = f"the first {len(labels)}{what}; {more} more are in the tables" if more else None
    axes.legend(handles, names, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=columns, borderaxespad=0.2, title=told,
                title_fontsize=FONT - 0.5, alignment="left", handlelength=2.4, columnspacing=1.2)  # fmt: skip
    rows = -(-len(names) // columns) + (1 if more else 0)
    axes.set_title(title, pad=8 + 13.2 * rows)


def legend_room(names: Sequence[str], more: int = 0, letters: int = NAME) -> float:
    """Inches that a legend of these names will take, about."""
    longest = max((min(len(str(name)), letters) for name in names), default=1)
    columns = max(1, min(4, int((72 * WIDTH - 66) / (0.62 * (FONT - 0.5) * longest + 4.4 * FONT))))
    return 0.185 * (-(-len(names) // columns) + (1 if more else 0))


def no_data(title: str) -> Figure:
    """What is drawn when there is nothing: a title, and that there is nothing."""
    figure, axes = canvas(1.2)
    axes.set_title(title)
    axes.text(0.0, 0.5, "nothing to draw", transform=axes.transAxes, color=MUTED)
    axes.set_xlabel(" ")
    axes.set_ylabel(" ")
    axes.set_xticks([])
    axes.set_yticks([])
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure
