"""The files of a run agree with each other: columns as promised, sums of rows equal the counters and the summary."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest
from judging import STRATEGIES

from basra_sim.records.run_folder import read_run
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run

GAME_COLUMNS = [
    "match", "pair", "game", "a_seat", "first_dealer", "rounds", "winner", "score_a", "score_b", "cards_a", "cards_b",
    "basras_a", "basras_b", "komi_basras_a", "komi_basras_b", "jack_basras_a", "jack_basras_b",
]  # fmt: skip
ROUND_COLUMNS = [
    "match", "pair", "game", "round", "leader", "dealer", "points_leader", "points_dealer", "cards_leader", "cards_dealer",
    "basras_leader", "basras_dealer", "komi_basras_leader", "komi_basras_dealer", "jack_basras_leader", "jack_basras_dealer",
]  # fmt: skip
SUMMARY_KEYS = {
    "a", "b", "games", "wins_a", "wins_b", "draws", "score_a", "score_a_low", "score_a_high", "points_per_round_a",
    "points_per_round_b", "basras_per_round_a", "basras_per_round_b",
}  # fmt: skip
THREE = ["random", "greedy", "greedy"]


@pytest.fixture(scope="module", params=["egyptian-v2", "pagat"])
def folders(request, tmp_path_factory):
    made = {}
    for records in ("games", "rounds"):
        folder = tmp_path_factory.mktemp(records)
        settings = Settings(games=60, seed=21, rules=request.param, records=records, strategies=[STRATEGIES], chunk_pairs=7)
        assert run(THREE, settings, folder=folder).error is None
        made[records] = folder
    return made


def test_columns(folders):
    games = pd.read_parquet(folders["games"] / "games.parquet")
    rounds = pd.read_parquet(folders["rounds"] / "rounds.parquet")
    assert list(games.columns) == GAME_COLUMNS
    assert list(rounds.columns) == ROUND_COLUMNS
    assert sorted(games["match"].unique()) == ["greedy vs greedy#2", "random vs greedy", "random vs greedy#2"]
    assert set(rounds["leader"]) == {"random", "greedy", "greedy#2"}
    assert (rounds["leader"].astype(str) != rounds["dealer"].astype(str)).all()
    assert set(games["first_dealer"]) == {"a", "b"}
    assert set(games["winner"]) <= {"a", "b", "draw"}
    assert (games["a_seat"] == games["game"]).all()
    for _, match in games.groupby("match", observed=True):
        assert match["pair"].tolist() == sorted([*range(30), *range(30)])
        assert match["game"].tolist() == [0, 1] * 30


def test_rounds_add_up_to_games(folders):
    games = pd.read_parquet(folders["games"] / "games.parquet").astype({"match": str})
    rounds = pd.read_parquet(folders["rounds"] / "rounds.parquet").astype({"match": str, "leader": str, "dealer": str})
    key = ["match", "pair", "game"]
    assert (rounds.groupby(key).size().to_numpy() == games.sort_values(key)["rounds"].to_numpy()).all()
    a = rounds["match"].str.split(" vs ").str[0]
    for name, of_games in (("points", "score"), ("cards", "cards"), ("basras", "basras"), ("komi_basras", "komi_basras"),
                           ("jack_basras", "jack_basras")):  # fmt: skip
        for side in "ab":
            leads = (rounds["leader"] == a) == (side == "a")
            mine = rounds[f"{name}_leader"].where(leads, rounds[f"{name}_dealer"])
            sums = mine.groupby([rounds[k] for k in key]).sum().to_numpy()
            assert (sums == games.sort_values(key)[f"{of_games}_{side}"].to_numpy()).all(), (name, side)
    assert ((rounds["cards_leader"] + rounds["cards_dealer"]) == 52).all()


def test_rows_add_up_to_counters_and_summary(folders):
    folder = folders["games"]
    games = pd.read_parquet(folder / "games.parquet").astype({"match": str, "winner": str})
    totals, summary = read_run(folder), json.loads((folder / "summary.json").read_text())
    assert {"seed", "digest", "games", "matches", "games_per_second", "seconds"} <= set(summary)
    assert summary["games"] == 180
    for number, match in enumerate(totals.matches):
        rows = games[games["match"] == f"{match.a} vs {match.b}"]
        told = summary["matches"][number]
        assert set(told) >= SUMMARY_KEYS
        wins = [(rows["winner"] == word).sum() for word in ("a", "b", "draw")]
        assert match.winners.sum(axis=0).tolist() == wins == [told["wins_a"], told["wins_b"], told["draws"]]
        assert sum(wins) == match.games == told["games"] == 60
        score = wins[0] + wins[2] / 2
        assert told["score_a"] == pytest.approx(score / 60)
        assert score + wins[1] + wins[2] / 2 == 60  # score of a and score of b
        assert match.rounds == rows["rounds"].sum() == match.majorities.sum() == match.round_margins.sum()
        assert match.role_points.sum(axis=0).tolist() == [rows["score_a"].sum(), rows["score_b"].sum()]
        assert match.role_cards.sum(axis=0).tolist() == [rows["cards_a"].sum(), rows["cards_b"].sum()]
        assert match.plays.sum() == 48 * match.rounds == match.faced.sum()
        kinds = match.plays.sum(axis=(1, 2, 3))  # side x kind
        for kind, name in ((3, "basras"), (4, "komi_basras"), (5, "jack_basras")):
            assert kinds[:, kind].tolist() == [rows[f"{name}_a"].sum(), rows[f"{name}_b"].sum()]
        for side, name in enumerate("ab"):
            assert told[f"points_per_round_{name}"] == pytest.approx(rows[f"score_{name}"].sum() / match.rounds)
            assert told[f"basras_per_round_{name}"] == pytest.approx(kinds[side, 3:].sum() / match.rounds)
        # a play that takes nothing is laid, and one that takes is not
        assert match.taken[..., 0].sum() == 0
        assert (match.taken[..., 1:].sum() > 0) == (match.plays[..., 1:].sum() > 0)
        assert np.array_equal(match.lengths[:64], np.bincount(np.minimum(rows["rounds"], 63), minlength=64))
        assert match.pair_scores.sum() == 30


def test_a_strategy_against_itself_is_level_in_words(folders):
    summary = json.loads((folders["games"] / "summary.json").read_text())
    match = next(m for m in summary["matches"] if m["a"] == "greedy")
    assert match["level"] is True
    assert match["score_a"] == 0.5
    assert match["wins_a"] == match["wins_b"]


def test_given_packs(tmp_path):
    """`pair` is the line of the pack, from 0; each pack is a pair of rounds in which each strategy leads once."""
    import random

    from basra_sim.game.cards import cards_text

    lines = []
    for number in range(5):
        pack = list(range(52))
        random.Random(number).shuffle(pack)
        lines += ["# a comment", cards_text(pack) + "  # and one here"]
    (tmp_path / "packs.txt").write_text("\n".join(lines))
    folder = tmp_path / "run"
    folder.mkdir()
    outcome = run(("greedy", "first"), Settings(packs=tmp_path / "packs.txt", seed=1, records="rounds"), folder=folder)
    assert outcome.error is None
    rounds = pd.read_parquet(folder / "rounds.parquet")
    assert rounds["pair"].tolist() == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert rounds["leader"].tolist() == ["greedy", "first"] * 5
    assert (rounds["round"] == 0).all()
    assert json.loads((folder / "summary.json").read_text())["games"] == 10


@pytest.mark.parametrize("chunk_pairs", [1, 3, 64])
@pytest.mark.parametrize("interpret", [False, True], ids=["compiled", "interpreted"])
def test_what_is_written_after_a_fault_is_whole(interpret, chunk_pairs, tmp_path):
    """Only whole pairs are counted and written, however far the pair with the fault had come."""
    (tmp_path / "late.py").write_text(
        "from basra_sim.view import lowest\n"
        "def choose(view):\n"
        "    return 60 if view.my_score + view.other_score > 190 and view.ply > 40 else lowest(view.hand)\n"
    )
    parts = {}
    for records in ("games", "rounds"):
        folder = tmp_path / f"run-{records}"
        folder.mkdir()
        settings = Settings(games=200, seed=2, records=records, interpret=interpret, chunk_pairs=chunk_pairs)
        outcome = run((str(tmp_path / "late.py"), "greedy"), settings, folder=folder)
        assert "returned 60" in str(outcome.error)
        parts[records] = pd.read_parquet(folder / f"{records}.parquet")
        match = outcome.totals.matches[0]
        assert 0 < match.pairs < 100
    games, rounds = parts["games"], parts["rounds"]
    assert len(games) == match.games == 2 * match.pairs
    assert len(rounds) == match.rounds == games["rounds"].sum() == match.majorities.sum()
    assert match.plays.sum() == 48 * match.rounds
    assert rounds["pair"].max() == match.pairs - 1
    assert rounds[["points_leader", "points_dealer"]].to_numpy().sum() == games[["score_a", "score_b"]].to_numpy().sum()


def test_a_fault_in_the_very_first_pair(tmp_path):
    (tmp_path / "late.py").write_text(
        "from basra_sim.view import lowest\n"
        "def choose(view):\n"
        "    return 60 if view.my_score + view.other_score > 30 else lowest(view.hand)\n"
    )
    folder = tmp_path / "run"
    folder.mkdir()
    settings = Settings(games=200, seed=2, records="rounds")
    outcome = run((str(tmp_path / "late.py"), "greedy"), settings, folder=folder)
    assert "pair 0" in str(outcome.error)
    match = outcome.totals.matches[0]
    assert (match.games, match.rounds, match.plays.sum()) == (0, 0, 0)
    assert len(pd.read_parquet(folder / "rounds.parquet")) == 0
