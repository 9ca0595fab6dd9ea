"""Every analysis of a run, the opening floors among them: these are dealt again, which analyses cannot and a report can."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from basra_sim.analysis.statistics.shares import Table
from basra_sim.analysis.tables.breakdown import analyze
from basra_sim.analysis.tables.opening_floor import Dealer
from basra_sim.errors import BadInput, nearest
from basra_sim.records.counters import RunTotals


def run_tables(
    run: RunTotals,
    folder: Path | None,
    *,
    most: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[list[Table], list[str]]:
    """All tables of a run, and a line for each thing that it cannot tell; `most` rounds of rounds.parquet are read, if given."""

    @cache
    def dealer() -> Dealer:
        from basra_sim.engine.redealt import floor_dealer  # loads numba, which few runs need here

        return floor_dealer(run.seed, run.rules)

    def deal(pairs: np.ndarray, rounds: np.ndarray) -> np.ndarray:
        return dealer()(pairs, rounds)

    return analyze(run, folder, deal, most=most, progress=progress)


def chosen(tables: Sequence[Table], names: Sequence[str]) -> list[Table]:
    """The tables of these names, in their own order. Raises BadInput for a name that there is not."""
    known = [table.name for table in tables]
    for name in names:
        if name not in known:
            raise BadInput(f"--table {name}: {nearest(name, known) or 'the tables are ' + ', '.join(known)}")
    return [table for table in tables if table.name in names]
