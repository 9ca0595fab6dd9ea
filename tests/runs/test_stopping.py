"""Stops that look at fixed points: the same end whatever the workers do, and what cannot be asked."""

from __future__ import annotations

import numpy as np
import pytest

from basra_sim.analysis.statistics.sequential import Sprt, anytime_interval
from basra_sim.errors import BadInput
from basra_sim.records.counters import GAME_DTYPE
from basra_sim.records.run_folder import read_manifest
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run
from basra_sim.runs.stopping import Watcher, read_sprt, read_until


def test_the_watcher_looks_at_fixed_points():
    rng = np.random.default_rng(4)
    games = np.zeros((5000, 2), GAME_DTYPE)
    games["winner"] = rng.choice(3, (5000, 2), p=[0.55, 0.42, 0.03])
    half = np.array([2, 0, 1])[games["winner"]].sum(axis=1)
    for watcher in (Watcher(Sprt(0, 30), None), Watcher(None, 0.03)):
        ends = set()
        for size in (1, 50, 64, 999, 5000):
            at = 0
            while at < 5000:
                cut = watcher.cut(np.bincount(half[:at], minlength=5), games[at : at + size])
                if cut is not None:
                    ends.add(at + cut)
                    break
                at += size
        assert len(ends) == 1
        counts = np.bincount(half[: ends.pop()], minlength=5).tolist()
        assert watcher.is_done(counts)
        if watcher.until:
            assert anytime_interval(counts).half <= 0.03


@pytest.mark.parametrize("asked", [{"sprt": "elo0=0,elo1=40"}, {"until": "±4%"}])
def test_a_run_stops_by_itself_whatever_the_workers(tmp_path, asked):
    found = set()
    for jobs, chunk in ((1, 7), (2, 64), (2, None)):
        folder = tmp_path / f"{jobs}-{chunk}"
        folder.mkdir()
        asked_ = Settings(games=20_000, seed=3, jobs=jobs, chunk_pairs=chunk, records="games", **asked)
        outcome = run(["greedy", "random", "first"], asked_, folder=folder)
        assert outcome.totals.complete and outcome.summary["anytime"]
        assert all(m.games < 20_000 for m in outcome.totals.matches)
        found.add((outcome.totals.digest, (folder / "games.parquet").read_bytes()))
        if "sprt" in asked:
            assert [t["verdict"] for t in outcome.totals.design["tests"][:2]] == ["elo1", "elo1"]
        else:
            assert all((m["score_a_high"] - m["score_a_low"]) / 2 <= 0.04 for m in outcome.summary["matches"])
    assert len(found) == 1
    assert read_manifest(folder)["command"].count("--sprt" if "sprt" in asked else "--until") == 1


BAD_TESTS = ("", "elo0=0", "elo0=5,elo1=0", "elo0=0,elo1=x", "elo0=0,elo1=5,gamma=1", "elo0=0,elo1=5,alpha=.7")


@pytest.mark.parametrize("text", BAD_TESTS)
def test_tests_that_cannot_be_made(text):
    with pytest.raises(BadInput, match="--sprt") as error:
        read_sprt(text)
    assert "\n" not in str(error.value) and "elo1=5" in str(error.value)


def test_tests_and_widths_that_can():
    assert read_sprt("elo0=-2, elo1=5, beta=.1") == Sprt(-2, 5, 0.05, 0.1)
    assert read_until("±0.2%") == read_until("0.2%") == read_until("+-0.002") == pytest.approx(0.002)
    for text in ("", "x", "0", "-1%", "60%"):
        with pytest.raises(BadInput, match="--until"):
            read_until(text)


@pytest.mark.parametrize(
    "asked", [{"sprt": "elo0=0,elo1=5", "until": "1%"}, {"until": "1%", "tournament": "swiss"}, {"tournament": "league"}]
)
def test_what_does_not_go_together_is_refused(asked):
    with pytest.raises(BadInput):
        run(["random", "first"], Settings(**asked))
