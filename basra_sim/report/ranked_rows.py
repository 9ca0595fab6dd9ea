"""Rows of tables in the order of the ranking, and the words for how much they stand on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pandas as pd

from basra_sim.analysis.text.number_words import count
from basra_sim.records.counters import MatchTotals, RunTotals


def each(numbers: Sequence[int], unit: str) -> str:
    """"145,554 rounds each": the smallest and the largest of them."""
    if not numbers:
        return ""
    if len(set(numbers)) == 1:
        return f"{count(numbers[0])} {unit} each"
    return f"{count(min(numbers))} to {count(max(numbers))} {unit} each"


def rounds_each(frame: pd.DataFrame) -> str:
    """"145,554 rounds each": the denominators of each strategy, the smallest and the largest."""
    sizes = frame.groupby("strategy", sort=False)["of"].max()
    return each([int(size) for size in sizes], "rounds")


def ranked(frame: pd.DataFrame, order: list[str]) -> pd.DataFrame:
    """Rows in the order of the ranking."""
    place = frame["strategy"].map({name: index for index, name in enumerate(order)})
    return frame.assign(_place=place).sort_values("_place", kind="stable").drop(columns="_place").reset_index(drop=True)


def best_matches_first(frame: pd.DataFrame, summary: dict[str, Any]) -> pd.DataFrame:
    """Rows of a frame by match, the matches of the best strategies first."""
    rank = {row["strategy"]: index for index, row in enumerate(summary["ranking"])}
    weight = {m["match"]: max(rank[m["a"]], rank[m["b"]]) + min(rank[m["a"]], rank[m["b"]]) / 1000 for m in summary["matches"]}
    place = frame["match"].map(weight)
    return frame.assign(_place=place).sort_values("_place", kind="stable").drop(columns="_place").reset_index(drop=True)


def headline_match(run: RunTotals, summary: dict[str, Any]) -> tuple[MatchTotals, dict[str, Any]] | None:
    """The match of the two best, or the first one."""
    order = [row["strategy"] for row in summary["ranking"] if row["games"]][:2]
    both = [(m, s) for m, s in zip(run.matches, summary["matches"], strict=True) if m.games]
    for m, s in both:
        if {m.a, m.b} == set(order):
            return m, s
    return both[0] if both else None


def interval_frame(labels: Sequence[str], ends: Sequence[tuple[Any, Any, Any]]) -> pd.DataFrame:
    """What a forest plot draws: label, value, low, high; NaN where there is no interval."""
    frame = pd.DataFrame(list(ends), columns=["value", "low", "high"]).astype(float)
    frame.insert(0, "label", list(labels))
    return frame
