"""A summary as text: terminal tables, CSV or JSON. Reads the summary alone."""

from __future__ import annotations

import io
from typing import Any

from basra_sim.analysis.tables.result_files import matches_csv
from basra_sim.records.disk import json_text


def render(summary: dict[str, Any], form: str = "table") -> str:
    """The summary as text: "table" (plain, ASCII, 80 columns), "json" or "csv"."""
    if form == "json":
        return json_text(summary)
    if form == "csv":
        return matches_csv(summary)
    from rich.console import Console  # only for tables: CSV and JSON do without

    from .summary_text import print_tables

    file = io.StringIO()
    print_tables(summary, Console(file=file, width=80, color_system=None, highlight=False, markup=False), plain=True)
    return file.getvalue()
