"""The field of a run as a whole: ratings in its summary, claims in its cross-table, the verb `ratings`, circles of files."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from click.testing import CliRunner

from basra_sim.analysis.statistics.ratings import ELO
from basra_sim.analysis.tables.field_ratings import circles, pairs_by_group
from basra_sim.analysis.tables.summary import summarize
from basra_sim.analysis.text.rendering import render
from basra_sim.cli import cli
from basra_sim.errors import BadInput
from basra_sim.records.counters import GROUPS
from basra_sim.records.run_folder import read_run
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("pool") / "x"
    made.mkdir()
    run(["random", "first", "greedy", "greedy"], Settings(games=2000, seed=2), folder=made)
    return made


def test_groups_hold_every_pair():
    for pairs in (0, 1, 511, 512, 513, 5000):
        groups = pairs_by_group(pairs)
        assert groups.sum() == pairs and groups.max() - groups.min() <= 1 and len(groups) == GROUPS


def test_counters_by_pair_index_add_up(folder):
    for m in read_run(folder).matches:
        assert m.group_sums[:, 0].sum() == m.pair_sums[11]
        assert m.group_sums[:, 1].sum() == m.game_margin_sum and m.group_sums[:, 2].sum() == m.rounds


def test_ratings_of_two_are_the_elo_difference(tmp_path):
    outcome = run(["random", "greedy"], Settings(games=4000, seed=2), folder=tmp_path)
    match = outcome.summary["matches"][0]
    rows = outcome.summary["ratings"]["rows"]
    # one drawn pair added to 2,000
    share = (match["score_a"] * 2000 + 0.5) / 2001
    assert rows[1]["elo"] - rows[0]["elo"] == pytest.approx(ELO * np.log(share / (1 - share)))
    width = (match["elo_high"] - match["elo_low"]) / 2
    assert rows[0]["elo_high"] - rows[0]["elo"] == pytest.approx(width / 2, rel=0.12)  # half of it each


def test_self_matches_never_count(folder):
    summary = summarize(read_run(folder))
    one, two = (row for row in summary["ratings"]["rows"] if row["strategy"].startswith("greedy"))
    assert one["elo"] == pytest.approx(two["elo"])  # the same plays against the others
    twins = next(m for m in summary["matches"] if m["self_match"])
    assert twins["p_value"] is None and not twins["decided"]
    assert all(m["decided"] for m in summary["matches"] if not m["self_match"])
    text = render(summary, "table")
    assert "Ratings of the field" in text and "*" in text and "Holm" in text


def test_the_verb(folder, tmp_path):
    def ask(*words):
        return CliRunner().invoke(cli, ["ratings", str(folder), *words], standalone_mode=False)

    assert "Likelihood that the row is stronger" in ask().output and "Nash weight" in ask("--nash").output
    data = json.loads(ask("--nash", "--format", "json").output)
    assert sum(row["nash"] for row in data["circles"]) == pytest.approx(1)
    assert [row["nash"] for row in data["circles"]][:2] == pytest.approx([0.5, 0.5])  # two copies share
    rows = list(csv.DictReader(io.StringIO(ask("--nash", "--format", "csv").output)))
    assert len(rows) == 4 and {"elo", "nash", "alpha_rank"} <= set(rows[0])
    run(["greedy", "first", "random"], Settings(games=100, seed=1, tournament="gauntlet"), folder=tmp_path)
    result = CliRunner().invoke(cli, ["ratings", str(tmp_path)], standalone_mode=False)
    assert isinstance(result.exception, BadInput) and "never met" in str(result.exception)


def test_rock_paper_scissors_in_a_run():
    def match(a, b, score):
        return {"a": a, "b": b, "score_a": score, "self_match": False}

    names = ["rock", "paper", "scissors", "dunce"]
    matches = [match("rock", "paper", 0.3), match("paper", "scissors", 0.3), match("rock", "scissors", 0.7)]
    matches += [match(name, "dunce", 0.9) for name in names[:3]]
    rows = {row["strategy"]: row for row in circles(names, matches)}
    for name in names[:3]:
        assert rows[name]["nash"] == pytest.approx(1 / 3, abs=1e-6) and rows[name]["alpha_rank"] == pytest.approx(1 / 3, abs=1e-6)
    assert rows["dunce"]["nash"] == pytest.approx(0, abs=1e-6) and rows["dunce"]["value"] < -2
    with pytest.raises(ValueError, match="met every other"):
        circles(names, matches[:-1])
