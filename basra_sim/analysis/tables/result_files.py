"""The files of a run folder that its counters give: the summary, a line a match, the counters themselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from basra_sim.analysis.statistics.ranking import RATES, ROLES
from basra_sim.records.counters import RunTotals
from basra_sim.records.run_folder import write_manifest, write_matches_csv, write_summary, write_timing, write_totals

from .csv_text import cell, csv_text
from .summary import summarize

_MATCH_COLUMNS = (
    "match", "a", "b", "games", "pairs", "rounds", "wins_a", "wins_b", "draws", "score_a", "score_a_low",
    "score_a_high", "self_match", "level",
)  # fmt: skip
_SCALES = ("points_per_round_difference", "seat_effect", "elo")


def match_row(m: dict[str, Any]) -> dict[str, Any]:
    """A match of the summary as a line of matches.csv: numbers by column, None where there is none."""
    row = {name: m[name] for name in _MATCH_COLUMNS}
    keys = [f"{rate}_per_round_{side}" for rate in RATES for side in "ab"] + list(_SCALES)
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


def matches_csv(summary: dict[str, Any]) -> str:
    """A line a match: matches.csv. Empty where there is no number; `true` and `false`; ten digits; LF."""
    rows = [{key: cell(value) for key, value in match_row(m).items()} for m in summary["matches"]]
    return csv_text(list(rows[0]), rows) if rows else ""


def write_results(folder: Path, run: RunTotals, summary: dict[str, Any] | None = None, **timing: Any) -> dict[str, Any]:
    """Write every file of a run folder but the optional records; returns the summary, which may be given.

    `timing` goes to timing.json.
    """
    summary = summary or summarize(run)
    write_totals(folder, run)
    write_matches_csv(folder, matches_csv(summary))
    write_timing(folder, run, **timing)
    write_summary(folder, summary)
    write_manifest(folder, run)  # last: a folder whose manifest is complete is whole
    return summary

