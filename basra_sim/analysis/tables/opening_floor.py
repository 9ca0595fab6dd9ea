"""What the opening floor is worth to the leader: rounds.parquet, with the floors dealt again from the run's seed.

Streams row group by row group with flat memory, and knows no engine: who calls brings the dealer. Needs `--records
rounds` and packs that came from the seed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow.parquet as pq

from basra_sim.analysis.statistics.intervals import Estimate, combine, ratio_interval
from basra_sim.analysis.statistics.shares import Table
from basra_sim.game.captures import play
from basra_sim.game.rules import Kind, RuleSet
from basra_sim.records.counters import RunTotals
from basra_sim.records.run_folder import ROUNDS

Dealer = Callable[[np.ndarray, np.ndarray], np.ndarray]  # (pairs, rounds) -> floors (n, 4)
NO_ROUNDS = (
    "What the opening floor is worth cannot be had from this run: it needs each round's points (basra-sim run --records rounds)."
)
NO_SEED = "What the opening floor is worth is left out: the packs of this run were given, not dealt from its seed."
FEATURES = {
    "pictures": "pictures (jacks, queens, kings) among the four cards",
    "basra_ranks": "ranks of card that make a basra on it at once",
    "pips": "total of the number cards, in steps of five",
}


def why_not(run: RunTotals, folder: Path | None) -> str | None:
    """The reason why a run cannot tell what the opening floor is worth, or None when it can."""
    if run.unit == "packs":
        return NO_SEED
    if folder is None or not (folder / ROUNDS).exists():
        return NO_ROUNDS
    return None


def basra_ranks(rules: RuleSet) -> np.ndarray:
    """(15, 15, 15, 15) int8: on a floor of four classes (0..12 ranks, 13 komi, in order), how many ranks make a basra."""
    cards = [[4 * rank + suit for suit in range(4) if 4 * rank + suit != 25] for rank in range(13)] + [[25]]
    table = np.full((14, 14, 14, 14), -1, np.int8)
    for classes in combinations_with_replacement(range(14), 4):
        left = {one: list(some) for one, some in enumerate(cards)}
        if any(classes.count(one) > len(left[one]) for one in classes):
            continue
        floor = sum(1 << left[one].pop() for one in classes)
        ranks = 0
        for one in range(13):
            free = [card for card in left[one] if not floor >> card & 1]
            ranks += bool(free) and play(rules, floor, free[0]).kind >= Kind.BASRA
        table[classes] = ranks
    return table


def features(floors: np.ndarray, table: np.ndarray) -> dict[str, np.ndarray]:
    """Each feature of floors (n, 4) as an integer a floor."""
    rank = floors // 4 + 1
    classes = np.sort(np.where(floors == 25, 13, rank - 1), axis=1)
    pips = np.where(rank <= 10, rank, 0).sum(axis=1)
    return {
        "pictures": (rank > 10).sum(axis=1),
        "basra_ranks": table[tuple(classes.T)].astype(int),
        "pips": 5 * (pips // 5),
    }


def _chunks(path: Path, most: int | None, progress: Callable[[int, int], None] | None) -> Iterator[pd.DataFrame]:
    file = pq.ParquetFile(path)
    done = 0
    whole = file.metadata.num_rows
    step = max(1, -(-whole // most)) if most else 1  # every so many row groups, so that all matches have their share
    for group in range(0, file.num_row_groups, step):
        frame = file.read_row_group(group, columns=["match", "pair", "round", "points_leader", "points_dealer"]).to_pandas()
        yield frame
        done += len(frame)
        if progress:
            progress(done * step, whole)


class _Sums:
    """Sums and products over pairs of (margin, rounds) for each match and value of each feature."""

    def __init__(self) -> None:
        self.cells: dict[tuple[str, str, int], list[int]] = {}

    def add(self, match: str, pair: np.ndarray, margin: np.ndarray, values: dict[str, np.ndarray]) -> None:
        for name, value in values.items():
            code = value.astype(np.int64)
            keys = (pair - pair[0]) * 1024 + code
            unique, place = np.unique(keys, return_inverse=True)
            rounds = np.bincount(place).astype(np.int64)
            points = np.rint(np.bincount(place, weights=margin)).astype(np.int64)
            for one in np.unique(code):
                mine = unique % 1024 == one
                y, x = points[mine], rounds[mine]
                cell = self.cells.setdefault((match, name, int(one)), [0] * 6)
                for k, amount in enumerate((len(y), y.sum(), x.sum(), (y * y).sum(), (y * x).sum(), (x * x).sum())):
                    cell[k] += int(amount)

    def estimate(self, match: str, name: str, value: int) -> tuple[Estimate, int]:
        n, y, x, yy, yx, xx = self.cells[match, name, value]
        return ratio_interval(n, [y, x], [[yy, yx], [yx, xx]], {0: 1}, {1: 1}), x


def opening_worth(
    run: RunTotals,
    folder: Path,
    deal: Dealer,
    most: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> list[Table]:
    """Points of the leader minus points of the dealer, a round, by what lay on the first floor; a table a feature.

    `deal` gives the floors of rounds again (basra_sim.engine.redealt.floor_dealer). Intervals are over game pairs in which such a
    floor came, and over matches as everywhere. `most` reads about so many rounds, evenly out of the whole run. `expected`
    is the mean over all floors: what a floor is worth is the difference.
    """
    rules = RuleSet(**run.rules)
    table = basra_ranks(rules)
    sums = _Sums()
    rest: pd.DataFrame | None = None
    for chunk in _chunks(folder / ROUNDS, most, progress):
        whole = chunk if rest is None else pd.concat([rest, chunk])
        last = (whole["match"] == whole["match"].iloc[-1]) & (whole["pair"] == whole["pair"].iloc[-1])
        rest = whole[last]  # the pair may go on in the next row group
        _count(deal, whole[~last], table, sums)
    if rest is not None:
        _count(deal, rest, table, sums)
    found = [_table(sums, name, title) for name, title in FEATURES.items()]
    played = sum(m.rounds for m in run.matches)
    for one in found:
        read = int(one.frame["of"].sum())
        if read < played:
            one.note += f" Read: {read:,} of {played:,} rounds, from all parts of the run."
    return found


def _count(deal: Dealer, rows: pd.DataFrame, table: np.ndarray, sums: _Sums) -> None:
    for match, part in rows.groupby("match", observed=True, sort=False):
        pair, number = part["pair"].to_numpy(np.int64), part["round"].to_numpy(np.int64)
        values = features(deal(pair, number), table)
        margin = part["points_leader"].to_numpy(np.int64) - part["points_dealer"].to_numpy(np.int64)
        sums.add(str(match), pair, margin, values)


def _table(sums: _Sums, name: str, title: str) -> Table:
    matches = list(dict.fromkeys(match for match, feature, _ in sums.cells if feature == name))
    values = sorted({value for _, feature, value in sums.cells if feature == name})
    total = [sum(cell[k] for (_, feature, _), cell in sums.cells.items() if feature == name) for k in (1, 2)]
    rows: list[dict[str, Any]] = []
    for value in values:
        parts = [sums.estimate(match, name, value) for match in matches if (match, name, value) in sums.cells]
        estimate = combine([part for part, _ in parts], [size for _, size in parts])
        cells = [sums.cells[match, name, value] for match in matches if (match, name, value) in sums.cells]
        rows.append({"floor": value, "count": sum(cell[1] for cell in cells), "of": sum(cell[2] for cell in cells),
                     "per": "rounds", "value": estimate.value, "low": estimate.low, "high": estimate.high})  # fmt: skip
    frame = pd.DataFrame(rows, columns=["floor", "count", "of", "per", "value", "low", "high"])
    frame["expected"] = total[0] / total[1] if total[1] else np.nan
    frame[["low", "high"]] = frame[["low", "high"]].astype(float)
    return Table(f"opening_{name}", f"Leader minus dealer, points a round, by {title}", frame,
                 "All matches together; the packs are dealt again from the seed.", "the mean over all floors")  # fmt: skip
