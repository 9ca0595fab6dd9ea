"""Every analysis of a run in one list, and as JSON or CSV: what `basra-sim analyze` prints. No plots, no terminal."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from basra_sim.analysis.statistics.shares import GROUPS, VALUES, Table
from basra_sim.records.counters import FORMAT_VERSION, RunTotals
from basra_sim.records.disk import json_text

from . import (
    basra_rates as basras,
)
from . import (
    floor_sizes as floors,
)
from . import (
    game_lengths as lengths,
)
from . import (
    opening_floor as opening,
)
from . import (
    point_sources as sources,
)

Progress = Callable[[int, int], None]


def analyze(
    run: RunTotals,
    folder: Path | None = None,
    deal: opening.Dealer | None = None,
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
        *sources.results_by_seat(run), sources.points_by_source(run), sources.majority(run), basras.by_kind(run),
        *basras.by_play(run), basras.by_card(run), basras.by_floor(run), basras.plays_by_kind(run),
        basras.captures_by_deal(run), floors.first_plays(run), floors.faced(run), floors.through_round(run),
        lengths.game_lengths(run), lengths.round_margins(run), lengths.pair_margins(run), basras.cards_held(run),
    ]  # fmt: skip
    reason = opening.why_not(run, folder)
    if reason is None and folder is not None and deal is not None:
        tables += opening.opening_worth(run, folder, deal, most, progress)
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


def _text(value: Any) -> str:
    value = _plain(value)
    if value is None:
        return ""
    return f"{value:.10g}" if isinstance(value, float) else str(value)


def to_csv(tables: Sequence[Table]) -> str:
    """All tables below each other in one form: the columns `table`, GROUPS and VALUES, empty where there is nothing."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["table", *GROUPS, *VALUES])
    for table in tables:
        for row in table.frame.to_dict("records"):
            writer.writerow([table.name, *(_text(row.get(name)) for name in (*GROUPS, *VALUES))])
    return file.getvalue()
