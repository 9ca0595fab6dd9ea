"""Shares and rates of plays and rounds with intervals, counted in groups. Pure functions of frames; docs/analysis.md.

A frame of an analysis has one row a group: columns that name the group, then VALUES.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import chdtrc, ndtri

from .intervals import CONTINUITY, LEVEL, PSEUDO

# Plays of one round depend on each other. The variance of a count over several plays of a deal was measured at up to
# 1.40 times the binomial one (captures of a deal; docs/analysis.md has the table), so 1.5 is on the safe side.
DISPERSION = 1.5
FEWEST = 10  # trials: fewer get no interval
GROUPS = (
    "strategy", "opponent", "match", "source", "role", "deal", "ply", "kind", "card", "floor", "outcome", "rounds",
    "points",
)  # fmt: skip
VALUES = ("count", "of", "per", "value", "low", "high", "expected")
ORDERS = {"role": ("leader", "dealer"), "card": (*"A23456789TJQK", "komi")}


@dataclass
class Table:
    """One analysis: a frame with columns of GROUPS and VALUES, what it shows and what "expected" means.

    `value` is `count` divided by `of`, which are `per` (rounds, plays, games ...); `low` and `high` are 95 % ends or NaN;
    `expected` is the value under the law named in `law`, NaN where there is none. `tests` says how far from the law.
    """

    name: str
    title: str
    frame: pd.DataFrame
    note: str = ""
    law: str = ""
    share: bool = False  # values are shares 0..1, told in percent
    tests: list[dict[str, Any]] = field(default_factory=list)

    @property
    def groups(self) -> list[str]:
        """The columns that name the groups."""
        return [column for column in self.frame.columns if column in GROUPS]


def share_ends(count: np.ndarray, of: np.ndarray, dispersion: float = DISPERSION) -> tuple[np.ndarray, np.ndarray]:
    """The 95 % ends of shares count/of, NaN under 10 trials.

    Agresti and Coull (1998) as everywhere here: 1.5 added at each end of the scale, a continuity term of half a trial,
    and the binomial variance times `dispersion` (1: independent trials).
    """
    count, of = np.asarray(count, float), np.asarray(of, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        size = of + 2 * PSEUDO
        middle = (count + PSEUDO) / size
        half = ndtri(0.5 + LEVEL / 2) * np.sqrt(dispersion * middle * (1 - middle) / size) + CONTINUITY / of
        value = count / of
        low = np.minimum(np.maximum(middle - half, 0), value)
        high = np.maximum(np.minimum(middle + half, 1), value)
    few = of < FEWEST
    return np.where(few, np.nan, low), np.where(few, np.nan, high)


def totals(frame: pd.DataFrame, by: Sequence[str], columns: Sequence[str]) -> pd.DataFrame:
    """Sums of columns in groups, in the order of first appearance but for roles and cards; no group: one row."""
    if not by:
        return frame[list(columns)].sum().to_frame().T
    summed = frame.groupby(list(by), sort=False, observed=True)[list(columns)].sum().reset_index()
    return in_order(summed, by)


def in_order(frame: pd.DataFrame, by: Sequence[str]) -> pd.DataFrame:
    """Rows sorted by the groups: numbers by size, roles and cards as at the table, names as they came."""
    keys: dict[str, Any] = {}
    for name in by:
        if name in ORDERS:
            keys[name] = pd.Categorical(frame[name], ORDERS[name]).codes
        elif pd.api.types.is_numeric_dtype(frame[name]):
            keys[name] = frame[name].to_numpy()
        else:
            keys[name] = pd.factorize(frame[name])[0]
    order = pd.DataFrame(keys).sort_values(list(by), kind="stable").index
    return frame.iloc[order].reset_index(drop=True)


def shares(
    frame: pd.DataFrame, by: Sequence[str], count: str, of: str, per: str, dispersion: float = DISPERSION
) -> pd.DataFrame:
    """`count` per `of` (trials, of which they are a part) in groups, whatever the dependence between matches.

    frame: rows with `match` and the columns named. Matches of a run share their packs, so the ends are made match by
    match and averaged with the trials as weights, as the ranking does.
    """
    by, columns = list(by), list(dict.fromkeys([count, of]))
    apart = totals(frame, list(dict.fromkeys([*by, "match"])), columns)
    low, high = share_ends(apart[count].to_numpy(), apart[of].to_numpy(), dispersion)
    ends = {"low": low * apart[of], "high": high * apart[of]}
    apart = apart.assign(**ends, unknown=np.isnan(low))
    result = totals(apart, by, [*columns, *ends, "unknown"])
    size = result[of].to_numpy(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = result[count].to_numpy(float) / size
        known = {end: np.where(result["unknown"] > 0, np.nan, result[end] / size) for end in ends}
    data: dict[str, Any] = {name: result[name] for name in by}
    data |= {"count": result[count].to_numpy(np.int64), "of": result[of].to_numpy(np.int64), "per": per}
    return pd.DataFrame(data | {"value": value, **known, "expected": np.nan})


def per_round(
    frame: pd.DataFrame, by: Sequence[str], count: str, rounds: pd.DataFrame, dispersion: float = DISPERSION
) -> tuple[pd.DataFrame, np.ndarray]:
    """Events a round in groups of plays, with the interval of their share of the plays; and the plays in each group.

    rounds: a frame of rounds by strategy, opponent, match and role. Groups by ply are a round in the role of that ply.
    """
    table = shares(frame, by, count, "plays", "rounds", dispersion)
    plays = table["of"].to_numpy()
    keys = [name for name in ("strategy", "opponent", "match", "role") if name in by]
    if "ply" in by and "role" not in by:
        table["role"] = np.where(table["ply"] % 2 == 0, "leader", "dealer")
        keys.append("role")
    if keys:
        sizes = rounds.groupby(keys, sort=False)["rounds"].sum().rename("rounds_of").reset_index()
        of = table[keys].merge(sizes, on=keys, how="left")["rounds_of"].to_numpy(np.int64)
    else:
        of = np.full(len(table), int(rounds["rounds"].sum()))
    if "ply" in by and "role" not in by:
        table = table.drop(columns="role")
    scale = plays / of
    return table.assign(of=of, **{name: table[name] * scale for name in ("value", "low", "high")}), plays


def evenness(count: np.ndarray, expected: np.ndarray, dispersion: float = DISPERSION) -> dict[str, Any]:
    """Pearson's chi-square of counts against expected ones, divided by the dispersion, and its p-value.

    Both must have the same sum; cells with no expectation are left out. "p" is None when there is nothing to compare.
    """
    count, expected = np.asarray(count, float), np.asarray(expected, float)
    used = expected > 0
    if used.sum() < 2 or count.sum() == 0:
        return {"chi_square": None, "degrees": None, "p": None}
    square = float((((count - expected)[used]) ** 2 / expected[used]).sum() / dispersion)
    degrees = int(used.sum()) - 1
    return {"chi_square": square, "degrees": degrees, "p": float(chdtrc(degrees, square))}


def against_exposure(table: pd.DataFrame, exposure: np.ndarray, dispersion: float = DISPERSION) -> list[dict[str, Any]]:
    """Fill `expected` of a table of counts with what each strategy would have if its events fell on all plays alike.

    exposure: plays in each row. Returns a test a strategy of "the group makes no difference".
    """
    tests = []
    expected = np.full(len(table), np.nan)
    for name in dict.fromkeys(table["strategy"]):
        own = (table["strategy"] == name).to_numpy()
        plays, count = exposure[own].astype(float), table["count"].to_numpy(float)[own]
        if plays.sum() == 0:
            continue
        likely = count.sum() * plays / plays.sum()
        with np.errstate(invalid="ignore"):
            expected[own] = likely / table["of"].to_numpy(float)[own]
        tests.append({"strategy": name, **evenness(count, likely, dispersion)})
    table["expected"] = expected
    return tests
