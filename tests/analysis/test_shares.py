"""Intervals and tests of shares against exact laws and published examples; data without any effect shows none."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from basra_sim.analysis.statistics.shares import DISPERSION, against_exposure, evenness, in_order, per_round, share_ends, shares


@pytest.mark.parametrize("size", [10, 25, 100, 1000, 20_000])
def test_exact_coverage(size: int) -> None:
    """Of binomial counts at least 95 % lie in intervals that hold the truth, for every share."""
    count = np.arange(size + 1)
    low, high = share_ends(count, np.full(size + 1, size), dispersion=1.0)
    for share in [0.0, 1.0, *np.geomspace(0.02 / size, 0.5, 40), *(1 - np.geomspace(0.02 / size, 0.4, 10))]:
        held = (low <= share) & (share <= high)
        assert stats.binom.pmf(count, size, share)[held].sum() >= 0.95 - 1e-12


def test_ends() -> None:
    low, high = share_ends(np.array([0, 5, 10, 3]), np.array([10, 10, 10, 9]))
    assert low[0] == 0 and high[2] == 1 and 0 < high[0] < 0.6
    assert np.isnan(low[3]) and np.isnan(high[3])  # fewer than ten trials
    narrow = share_ends(np.array([500]), np.array([1000]), 1.0)
    wide = share_ends(np.array([500]), np.array([1000]), DISPERSION)
    ratio = (wide[1] - wide[0] - 0.001) / (narrow[1] - narrow[0] - 0.001)
    assert ratio == pytest.approx(np.sqrt(DISPERSION))


def test_agresti_and_coull() -> None:
    """Without the additions, 1.5 for 1.92 and the step, the interval is the textbook one: 15 of 50 gives 0.19 to 0.44."""
    low, high = share_ends(np.array([15]), np.array([50]), 1.0)
    assert low[0] == pytest.approx(0.1909, abs=0.02) and high[0] == pytest.approx(0.4386, abs=0.02)


def test_published_chi_square() -> None:
    """Sixty throws of a die, 5 8 9 8 10 20: 13.4 with 5 degrees, p 0.02 (the usual textbook example)."""
    test = evenness(np.array([5, 8, 9, 8, 10, 20]), np.full(6, 10.0), dispersion=1.0)
    assert test["chi_square"] == pytest.approx(13.4) and test["degrees"] == 5
    assert test["p"] == pytest.approx(stats.chi2.sf(13.4, 5)) and 0.019 < test["p"] < 0.021


def test_nothing_to_compare() -> None:
    assert evenness(np.array([0, 0]), np.array([0.0, 0.0]))["p"] is None
    assert evenness(np.array([3]), np.array([3.0]))["p"] is None


def made(rng: np.random.Generator, share: np.ndarray, rounds: int = 20_000) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Plays of one strategy: 48 cells of `rounds` / 2 plays, basras by chance with the share of each deal."""
    rows = [
        {"match": "x vs y", "strategy": "x", "opponent": "y", "role": ("leader", "dealer")[ply % 2], "deal": deal, "ply": ply,
         "plays": rounds // 2, "basras": int(rng.binomial(rounds // 2, share[deal]))}
        for deal in range(6) for ply in range(8)
    ]  # fmt: skip
    names = {"strategy": "x", "opponent": "y", "match": "x vs y"}
    per_role = pd.DataFrame(names | {"role": ["leader", "dealer"], "rounds": rounds // 2})
    return pd.DataFrame(rows), per_role


def test_no_effect_is_not_found_and_an_effect_is() -> None:
    rng = np.random.default_rng(1)
    values = []
    for _ in range(120):
        plays, rounds = made(rng, np.full(6, 0.02))
        table, exposure = per_round(plays, ["strategy", "deal"], "basras", rounds)
        values.append(against_exposure(table, exposure, dispersion=1.0)[0]["p"])
        assert table["expected"].to_numpy() == pytest.approx(np.full(6, plays["basras"].sum() / 6 / 20_000))
    assert stats.kstest(values, "uniform").pvalue > 0.001
    cautious = [against_exposure(*per_round(*_swap(made(rng, np.full(6, 0.02)))))[0]["p"] for _ in range(60)]
    assert np.mean(np.array(cautious) < 0.05) <= 0.05
    plays, rounds = made(rng, np.array([0.01, 0.02, 0.02, 0.02, 0.02, 0.03]))
    table, exposure = per_round(plays, ["strategy", "deal"], "basras", rounds)
    assert against_exposure(table, exposure)[0]["p"] < 1e-6


def _swap(data: tuple[pd.DataFrame, pd.DataFrame]) -> tuple:
    return data[0], ["strategy", "deal"], "basras", data[1]


def test_rate_and_its_interval() -> None:
    """A hundred of four plays a round in 1,000 rounds: 0.1 a round, the ends four times those of the share of plays."""
    plays = pd.DataFrame({"match": "m", "strategy": "x", "opponent": "y", "role": "leader", "deal": 0, "ply": [0, 2, 4, 6],
                          "plays": 1000, "basras": [10, 20, 30, 40]})  # fmt: skip
    rounds = pd.DataFrame({"strategy": "x", "opponent": "y", "match": "m", "role": ["leader"], "rounds": 1000})
    table, exposure = per_round(plays, ["strategy", "deal"], "basras", rounds)
    low, high = share_ends(np.array([100]), np.array([4000]))
    assert (table["value"][0], exposure[0], table["of"][0]) == (0.1, 4000, 1000)
    assert (table["low"][0], table["high"][0]) == (pytest.approx(4 * low[0]), pytest.approx(4 * high[0]))


def test_several_matches_are_averaged_for_the_worst_case() -> None:
    frame = pd.DataFrame({"match": ["m", "n"], "strategy": "x", "won": [50, 200], "rounds": [100, 300]})
    table = shares(frame, ["strategy"], "won", "rounds", "rounds", 1.0)
    ends = [share_ends(np.array([k]), np.array([n]), 1.0) for k, n in ((50, 100), (200, 300))]
    assert table["value"][0] == 0.625
    assert table["low"][0] == pytest.approx((100 * ends[0][0][0] + 300 * ends[1][0][0]) / 400)
    assert table["high"][0] == pytest.approx((100 * ends[0][1][0] + 300 * ends[1][1][0]) / 400)


def test_a_match_without_an_interval_leaves_none() -> None:
    frame = pd.DataFrame({"match": ["m", "n"], "strategy": "x", "won": [3, 200], "rounds": [5, 300]})
    assert np.isnan(shares(frame, ["strategy"], "won", "rounds", "rounds")["low"][0])


def test_order_of_groups() -> None:
    frame = pd.DataFrame({"card": ["komi", "T", "A"], "role": ["dealer", "leader", "leader"]})
    assert in_order(frame, ["card"])["card"].tolist() == ["A", "T", "komi"]
    assert in_order(frame, ["role", "card"])["card"].tolist() == ["A", "T", "komi"]
