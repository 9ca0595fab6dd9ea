"""Every analysis of a run in one list, and as JSON or CSV: what `basra-sim analyze` prints. No plots, no terminal."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from basra_sim.analysis.statistics.shares import GROUPS, VALUES, Table
from basra_sim.records.counters import FORMAT_VERSION, RunTotals
from basra_sim.records.disk import json_text

from . import basra_rates, floor_sizes, game_lengths, opening_floor, point_sources
from .csv_text import cell, csv_text

Progress = Callable[[int, int], None]


def analyze(
    run: RunTotals,
    folder: Path | None = None,
    deal: opening_floor.Dealer | None = None,
    *,
    most: int | None = None,
    progress: Progress | None = None,
) -> tuple[list[Table], list[str]]:
    """All tables of a run, most important first, and a line for each thing that this run cannot tell.

    Everything comes from the counters but the worth of opening floors, which streams rounds.parquet of `folder` (about
    `most` rounds of it) and needs `deal` to know the floors: `basra_sim.engine.redealt.floor_dealer(run.seed, run.rules)`.
    """
    missing: list[str] = []
    if not sum(m.games for m in run.matches):
        return [], ["Nothing was played in this run."]
    tables = [
        *point_sources.results_by_seat(run),
        point_sources.points_by_source(run),
        point_sources.majority(run),
        basra_rates.by_kind(run),
        *basra_rates.by_play(run),
        basra_rates.by_card(run),
        basra_rates.by_floor(run),
        basra_rates.plays_by_kind(run),
        basra_rates.captures_by_deal(run),
        floor_sizes.first_plays(run),
        floor_sizes.faced(run),
        floor_sizes.through_round(run),
        game_lengths.game_lengths(run),
        game_lengths.round_margins(run),
        game_lengths.pair_margins(run),
        basra_rates.cards_held(run),
    ]
    reason = opening_floor.why_not(run, folder)
    if reason is None and folder is not None and deal is not None:
        tables += opening_floor.opening_worth(run, folder, deal, most, progress)
    elif reason:
        missing.append(reason)
    return tables, missing


def _plain(value: Any) -> Any:
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None
    return value.item() if hasattr(value, "item") else value


def rows_of(table: Table) -> list[dict[str, Any]]:
    """The rows of a table as plain Python values, None where there is nothing."""
    return [{str(key): _plain(value) for key, value in row.items()} for row in table.frame.to_dict("records")]


def to_json(run: RunTotals, tables: Sequence[Table], missing: Sequence[str]) -> str:
    """All tables as JSON, with titles, laws, tests and what cannot be told."""
    content = {
        "format_version": FORMAT_VERSION,
        "command": run.command,
        "digest": run.digest,
        "rules_name": run.rules_name,
        "interval": 0.95,
        "tables": [
            {"name": t.name, "title": t.title, "note": t.note, "law": t.law, "tests": t.tests, "rows": rows_of(t)} for t in tables
        ],
        "missing": list(missing),
    }
    return json_text(content)


def to_csv(tables: Sequence[Table]) -> str:
    """All tables below each other in one form: the columns `table`, GROUPS and VALUES, empty where there is nothing."""
    rows = (
        {"table": table.name} | {name: cell(_plain(row.get(name))) for name in (*GROUPS, *VALUES)}
        for table in tables
        for row in table.frame.to_dict("records")
    )
    return csv_text(["table", *GROUPS, *VALUES], rows)
