"""The score and the sequential test so far, from games.parquet: the same numbers as the whole run at the end."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from basra_sim.analysis.statistics.sequential import anytime_interval
from basra_sim.records.run_folder import read_run
from basra_sim.report import build
from basra_sim.report.live_section import live_frame, pair_half_points, ratio_frame
from basra_sim.runs.running import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("run")
    run(["greedy", "first", "random"], games=4000, seed=3, sprt="elo0=0,elo1=30", records="games", folder=path)
    return path


def test_pairs_are_those_that_were_counted(folder: Path) -> None:
    totals = read_run(folder)
    for m in totals.matches:
        half = pair_half_points(folder / "games.parquet", f"{m.a} vs {m.b}")
        assert np.bincount(half, minlength=5).tolist() == m.pair_scores.tolist()


def test_end_of_the_lines(folder: Path) -> None:
    from basra_sim.analysis.statistics.sequential import Sprt

    totals = read_run(folder)
    m = totals.matches[0]
    half = pair_half_points(folder / "games.parquet", f"{m.a} vs {m.b}")
    last = live_frame(half).iloc[-1]
    assert (last["value"], last["low"], last["high"]) == pytest.approx(tuple(anytime_interval([int(c) for c in m.pair_scores])))
    told = next(t for t in totals.design["tests"] if t["match"] == f"{m.a} vs {m.b}")
    line = ratio_frame(half, Sprt(0, 30))
    assert line["value"].iloc[-1] == pytest.approx(told["ratio"]) and line["pairs"].iloc[-1] == told["pairs"] == m.pairs


def test_nothing_played() -> None:
    assert not len(live_frame(np.zeros(0, np.int64)))


def test_report_says_so(folder: Path) -> None:
    part = build([folder]).parts[0]
    section = next(s for s in part.sections if s.name == "live")
    assert {"live", "sprt"} <= {getattr(p, "name", "") for p in section.parts}
    grid = next(p for p in section.parts if getattr(p, "caption", "").startswith("Sequential test of 0 against 30 Elo"))
    assert grid.rows[0][3] == "30 Elo accepted"
    played = next(s for s in part.sections if s.name == "played").parts[0]
    assert "up to 4,000" in dict(played.rows)["played"]
