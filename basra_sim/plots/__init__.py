"""Plots: functions from a frame to a matplotlib Figure, one each, usable from a notebook.

Agg and SVG only, no GUI backend. `from basra_sim import plots; figure = plots.forest(frame); plots.save(figure,
"forest.svg")`. The only room that imports matplotlib; it imports nothing else of the house but errors. In come frames,
whose columns each function names; out come figures, as SVG or PNG.
"""

from __future__ import annotations

from .basra_plots import basras_by_card, basras_by_deal, basras_by_ply, basras_by_seat
from .figure_files import png_bytes, save, svg_text
from .forest import forest, rating
from .heat_maps import cross_table, deal_by_ply
from .round_plots import floor_through_round, lengths, margins, sources
from .score_trace import trace
from .shuffle_plots import diagonal, p_values, positions, rising

__all__ = [
    "basras_by_card", "basras_by_deal", "basras_by_ply", "basras_by_seat", "cross_table", "deal_by_ply", "diagonal",
    "floor_through_round", "forest", "lengths", "margins", "p_values", "png_bytes", "positions", "rating", "rising", "save",
    "sources", "svg_text", "trace",
]  # fmt: skip
