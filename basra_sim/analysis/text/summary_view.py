"""One printing of one summary in the terminal, with rich: the console, its tables, and the words that follow what was played."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from rich.table import Table

from basra_sim.analysis.statistics.intervals import Estimate

from .number_words import NA, decimals_for, fixed, number
from .ruled_tables import ruled_table

if TYPE_CHECKING:
    from rich.console import Console

MATCH_LINES = 45  # of the longest list of matches in the terminal; the files have all


class View:
    """One printing of one summary: the console, and the words that depend on what was played."""

    def __init__(self, summary: dict[str, Any], console: Console, plain: bool) -> None:
        self.s, self.console = summary, console
        self.plus_minus = "+-" if plain else "±"
        self.form = summary["design"].get("form", "round-robin")
        self.game = "game" if summary["unit"] == "game" else "round"
        self.rows = [row for row in summary["ranking"] if row["games"]]
        self.against = [m for m in summary["matches"] if not m["self_match"]]

    def say(self, text: str = "", style: str | None = None) -> None:
        lines = [textwrap.fill(line, self.console.width, break_long_words=False) for line in text.split("\n")]
        self.console.print("\n".join(lines), style=style, soft_wrap=True)

    def table(self, title: str, left: int, *columns: str) -> Table:
        """An empty table whose first `left` columns hold words, the others numbers."""
        self.say(title, style="bold")
        return ruled_table(columns[:left], columns[left:])

    def show(self, table: Table, note: str = "") -> None:
        self.console.print(table)
        if note:
            self.say(note, style="dim")
        self.say()

    def with_half(self, e: Estimate) -> str:
        """A number with its half-width below; with its ends where the interval is lopsided."""
        if e.value is None or e.low is None or e.high is None or e.half is None:
            return f"{number(e)}\n{NA}"
        if abs(e.high + e.low - 2 * e.value) > 0.2 * e.half:
            digits = decimals_for(e.half)
            return f"{number(e)}\n{fixed(e.low, digits)}-{fixed(e.high, digits)}"
        return f"{number(e)}\n{self.plus_minus}{fixed(e.half, decimals_for(e.half))}"
