"""A shuffle report on the terminal: the same sections, in the same order, as everywhere else."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from rich.text import Text

from .folded_lines import fold, say
from .verdict_report import Report
from .verdict_words import COLUMNS_TOLD, p_text, percent

STYLES = {"found": "bold red", "weak": "yellow", "none found": "green", "too few decks": "yellow"}
LAGS_TOLD = "lag1-, lag2-: against the deck before, and two before; komi: the 7d; --out DIR tells each test in words"
# one sign per 2, 3, 5 and 10 noise standard deviations; colour only where the noise is left
MARKS = ((10.0, "#"), (5.0, "%"), (3.0, "+"), (2.0, "."))


def mark(z: float) -> str:
    """Two characters for a cell of the heat map: sign and strength in noise standard deviations."""
    for limit, sign in MARKS:
        if abs(z) >= limit:
            return ("+" if z > 0 else "-") + sign
    return "  "


def number(row: dict[str, Any], key: str) -> str:
    """A value of a row in its own unit: shares for tables of cells, else the mean."""
    value = row[key]
    if value is None:
        return "-"
    if row["kind"] == "cells":
        return percent(value)
    return f"{value:,.4g}" if abs(value) < 1e5 else f"{value:,.0f}"


def seen_text(row: dict[str, Any]) -> str:
    """The effect with its interval."""
    if row["kind"] == "count":
        return f"{row['seen']:,.0f}"
    if row["kind"] == "cells":
        low, high = 100 * row["low"], 100 * row["high"]
        return f"{percent(row['seen'])} [{low:.2g}, {high:.2g}]"
    return f"{row['seen']:.4g} [{row['low']:.4g}, {row['high']:.4g}]"


def expected_text(row: dict[str, Any]) -> str:
    """What a perfect shuffle gives."""
    if row["kind"] == "cells":
        return "0 %"
    return f"{row['expected']:.4g}" if row["expected"] > 1e-3 or not row["expected"] else f"{row['expected']:.0e}"


def verdict_word(row: dict[str, Any]) -> str:
    """The last column of the table."""
    return {"found": "too even" if row["too_even"] else "found", "weak": "weak"}.get(row["verdict"], "")


def table(rows: list[dict[str, Any]]) -> Table:
    """The rich table of tests."""
    result = Table(pad_edge=False, box=None, padding=(0, 1, 0, 0))
    for name in ("test", "seen [95 %]", "perfect", "could see", "p", "Holm", ""):
        result.add_column(name, justify="left" if name in ("test", "") else "right", no_wrap=True)
    for row in rows:
        word = verdict_word(row).upper() if row["verdict"] == "found" else verdict_word(row)
        result.add_row(
            row["test"], seen_text(row), expected_text(row), number(row, "could_see"), p_text(row["log10_p"]),
            p_text(row["log10_p_holm"]), Text(word, style=STYLES[row["verdict"]]),
        )  # fmt: skip
    return result


def heat_lines(heat: np.ndarray, n: int) -> list[str]:
    """The position heat map in letters, bands of cards (down) by bands of places (across)."""
    width = n // len(heat)
    lines = ["      place " + "".join(f"{1 + i * width:>3}" for i in range(len(heat)))]
    for i, row in enumerate(heat):
        lines.append(f"card {1 + i * width:>4}   " + "".join(f" {mark(z)}" for z in row))
    lines.append("+ more, - fewer cards than a perfect shuffle puts there: beyond 2 (.), 3 (+),")
    beyond = sum(abs(z) >= 2 for z in heat.flat)
    lines.append("5 (%), 10 (#) standard deviations of the noise; blank is within 2.")
    lines.append(f"{beyond} of {heat.size} bands beyond 2; noise alone gives about {0.0455 * heat.size:.0f}")
    return lines


def show(report: Report, console: Console, *, brief: bool = False) -> None:
    """Print the whole report."""
    def section(title: str, lines: list[str], hanging: bool = True) -> None:
        if not lines:
            return
        console.print(Text(f"\n{title}", style="bold"))
        for line in lines:
            if hanging:
                say(console, f"  {line}")
            else:
                console.print(Text(f"  {line}"), soft_wrap=True)

    for part in fold(report.sentence, console.width):
        console.print(Text(part.strip(), style=STYLES[report.outcome.verdict]), soft_wrap=True)
    section("What was read", report.read)
    section("What this many decks could have shown", report.seen)
    section("Looks like", report.culprit)
    section("In game terms", report.effects)
    shown = [row for row in report.rows if not brief or row["verdict"] != "none found"]
    section("Tests", [COLUMNS_TOLD, LAGS_TOLD] if shown else [f"none of the {len(report.rows)} tests flagged anything"])
    if shown:
        console.print()
        console.print(table(shown))
    section("Where the cards lie", heat_lines(report.heat, report.outcome.n), hanging=False)
    section("Repeats and seeds", report.repeats)
    section("On fresh decks", report.confirm)
    section("Limits", report.limits)
    section("To repeat this", [report.command], hanging=False)
