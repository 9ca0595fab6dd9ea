"""Empty tables for a terminal, with rich: a line under the heads and nothing else."""

from __future__ import annotations

from collections.abc import Container, Sequence

from rich.box import SIMPLE_HEAD, Box
from rich.table import Table

_RULE = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)  # a line under the heads, nothing else


def ruled_table(words: Sequence[str], numbers: Sequence[str]) -> Table:
    """An empty table: columns of words, then columns of numbers, a line under the heads."""
    table = Table(box=_RULE, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold", show_edge=False)
    for index, name in enumerate((*words, *numbers)):
        table.add_column(name, justify="left" if index < len(words) else "right", overflow="fold")
    return table


def headed_table(heads: Sequence[str], left: Container[int] = (0,)) -> Table:
    """An empty table with a line as wide as it is under the heads; `left` are the columns of words."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for index, name in enumerate(heads):
        table.add_column(name, justify="left" if index in left else "right", overflow="fold")
    return table
