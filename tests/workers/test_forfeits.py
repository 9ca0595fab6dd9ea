"""Strategies cannot stop a tournament: every kind of fault costs the right one the game, and nothing else."""

from __future__ import annotations

import pyarrow.parquet as pq
import pytest
from child_runs import bytes_of
from faulty_files import FAULTS, write

from basra_sim.analysis.tables.summary import summarize
from basra_sim.errors import StrategyFault
from basra_sim.records.counters import FORFEITS
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run


@pytest.fixture(scope="module")
def field(tmp_path_factory):
    """A gauntlet of a built-in strategy against one of each kind of fault, and the same against one without faults."""
    root = tmp_path_factory.mktemp("faults")
    settings = {"games": 60, "seed": 3, "play_timeout": 0.3, "tournament": "gauntlet", "records": "games"}
    names = list(FAULTS)
    folder = root / "run"
    folder.mkdir()
    faulty = run(["greedy", *(write(root, name) for name in names)], Settings(**settings), folder=folder)
    clean = root / "clean"
    clean.mkdir()
    run(["greedy", write(root, "clean")], Settings(**settings | {"tournament": "round-robin"}), folder=clean)
    return faulty, pq.read_table(folder / "games.parquet").to_pandas(), pq.read_table(clean / "games.parquet").to_pandas()


def test_every_fault_is_counted_by_kind_and_the_other_seat_is_never_blamed(field):
    outcome, _, _ = field
    assert outcome.error is None and outcome.totals.complete
    for match in outcome.totals.matches:
        assert match.a == "greedy" and match.forfeits[0].sum() == 0
        kinds = {why: int(n) for why, n in zip(FORFEITS, match.forfeits[1], strict=True) if n}
        assert list(kinds) == [FAULTS[match.b][1]], match.b
    assert len({int(match.forfeits.sum()) for match in outcome.totals.matches}) == 1  # the moments are the same


def test_forfeits_are_lost_and_all_other_games_stand(field):
    _, games, clean = field
    columns = [name for name in games.columns if name != "match"]
    for name, rows in games.groupby("match", observed=True):
        lost = (rows["rounds"] == 0).to_numpy()
        assert 0 < lost.sum() < 15, name
        assert (rows["winner"][lost] == "a").all()
        assert (rows[["score_a", "score_b", "cards_a", "basras_b"]][lost] == 0).all(axis=None)
        same = (rows[columns].astype(str).to_numpy() == clean[columns].astype(str).to_numpy()).all(axis=1)
        assert (same | lost).all(), name


def test_points_leave_forfeits_out_and_results_count_them(field):
    outcome, games, _ = field
    for match, entry in zip(outcome.totals.matches, summarize(outcome.totals)["matches"], strict=True):
        rows = games[games["match"] == entry["match"]]
        assert entry["wins_a"] + entry["wins_b"] + entry["draws"] == 60 == sum(k for k in match.lengths)
        assert sum(entry["pair_scores"]) == 30 and entry["wins_a"] == (rows["winner"] == "a").sum()
        assert entry["points_per_round_a"] == pytest.approx(rows["score_a"].sum() / rows["rounds"].sum())
        assert match.group_sums[:, 0].sum() == match.pair_sums[11] == 2 * entry["wins_a"] + entry["draws"]
        both = (rows["rounds"] > 0).to_numpy().reshape(-1, 2).all(axis=1)
        assert match.pair_margins.sum() == both.sum()


def test_a_time_limit_that_struck_is_said(field):
    outcome, _, _ = field
    assert any("depends on the machine" in note for note in outcome.totals.notes)
    assert any("forfeited by faults" in note for note in outcome.totals.notes)


def test_two_strategies_stop_loudly(tmp_path):
    outcome = run(["greedy", write(tmp_path, "raises")], Settings(games=300, seed=3))
    assert isinstance(outcome.error, StrategyFault) and "raises raised ValueError" in str(outcome.error)
    assert not outcome.totals.complete and int(outcome.totals.matches[0].winners[:, 2].sum()) == 0


def test_both_at_fault_forfeit_their_own_games(tmp_path):
    outcome = run([write(tmp_path, "raises"), write(tmp_path, "illegal")], Settings(games=200, seed=3, on_fault="forfeit"))
    match = outcome.totals.matches[0]
    assert match.forfeits[0, FORFEITS.index("raised")] > 0 and match.forfeits[1, FORFEITS.index("illegal")] > 0
    assert match.forfeits.sum() == match.lengths[0]


def test_the_same_forfeits_whatever_the_workers(tmp_path):
    files = [write(tmp_path, "exits"), write(tmp_path, "nonsense")]
    found = []
    for jobs, chunk in ((1, 13), (2, 64)):
        folder = tmp_path / f"{jobs}"
        folder.mkdir()
        run(["first", *files], Settings(games=60, seed=9, jobs=jobs, chunk_pairs=chunk), folder=folder)
        found.append(bytes_of(folder))
    assert found[0] == found[1]
