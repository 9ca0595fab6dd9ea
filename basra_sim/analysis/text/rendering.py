"""A summary as text: terminal tables, CSV or JSON. Reads the summary alone; imports rich only for tables."""

from __future__ import annotations

import csv
import io
from typing import Any

from basra_sim.analysis.statistics.ranking import ROLES
from basra_sim.records.disk import json_text

FORMATS = ("table", "json", "csv")

_MATCH_COLUMNS = (
    "match", "a", "b", "games", "pairs", "rounds", "wins_a", "wins_b", "draws", "score_a", "score_a_low",
    "score_a_high", "self_match", "level",
)  # fmt: skip
_RATES = ("points", "basras", "plain_basras", "komi_basras", "jack_basras", "cards")
_SCALES = ("points_per_round_difference", "seat_effect", "elo")


def _csv_row(m: dict[str, Any]) -> dict[str, Any]:
    row = {name: m[name] for name in _MATCH_COLUMNS}
    keys = [f"{rate}_per_round_{side}" for rate in _RATES for side in "ab"] + list(_SCALES)
    for key in keys:
        row |= {key: m[key], f"{key}_low": m[f"{key}_low"], f"{key}_high": m[f"{key}_high"]}
    row |= {f"pairs_{half / 2:g}": n for half, n in enumerate(m["pair_scores"])}
    row |= {"los": m["los"], "p_value": m["p_value"], "p_holm": m["p_holm"], "decided": m["decided"]}
    row |= {f"variance_reduction_{name}": value for name, value in m["variance_reduction"].items()}
    for side in "ab":
        for role in ROLES:
            row |= {f"{name}_{role}_{side}": value for name, value in m["roles"][side][role].items()}
    for side in "ab":
        row |= {f"forfeits_{why}_{side}": n for why, n in m["forfeits"][side].items()}
    return row


def cell(value: Any) -> Any:
    """Ten digits of a number: enough for anybody, and the last bits may differ between processors."""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.10g}" if isinstance(value, float) else value


def matches_csv(summary: dict[str, Any]) -> str:
    """A line a match: matches.csv. Empty where there is no number; `true` and `false`; ten digits; LF."""
    rows = [_csv_row(m) for m in summary["matches"]]
    file = io.StringIO()
    if rows:
        writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow({key: cell(value) for key, value in row.items()})
    return file.getvalue()


def render(summary: dict[str, Any], form: str = "table", width: int = 80) -> str:
    """The summary as text: "table" (plain, ASCII, `width` columns), "json" or "csv"."""
    if form == "json":
        return json_text(summary)
    if form == "csv":
        return matches_csv(summary)
    from rich.console import Console

    from .match_tables import print_tables

    file = io.StringIO()
    print_tables(summary, Console(file=file, width=width, color_system=None, highlight=False, markup=False), plain=True)
    return file.getvalue()
