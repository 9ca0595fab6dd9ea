"""The verbs that weigh a position, tune a strategy and climb the ladder."""

from __future__ import annotations

import json
import tomllib

import pytest
from click.testing import CliRunner

from basra_sim.cli.learn_verbs.explain_verb import explain
from basra_sim.cli.learn_verbs.ladder_verb import ladder
from basra_sim.cli.learn_verbs.tune_verb import tune
from basra_sim.errors import BadInput
from basra_sim.players.loading import load

GOOD = "hand: 7d Jc; floor: 5c; unseen: 2c Kh; deal: 5; piles: 23 24; leading: yes"


def test_explain():
    result = CliRunner().invoke(explain, [GOOD, "--strategy", "greedy", "--strategy", "tuned-endgame"])
    assert result.exit_code == 0, result.output
    assert "regret" in result.output and "7d is played by greedy" in result.output
    result = CliRunner().invoke(explain, [GOOD, "--format", "json", "--strategy", "greedy"])
    content = json.loads(result.output)
    assert {choice["card"] for choice in content["choices"]} == {"7d", "Jc"}
    assert min(choice["regret_points"] for choice in content["choices"]) == 0


def test_tune_writes_a_file_that_loads_and_goes_on_where_it_stopped(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["counting", "--population", "4", "--pairs", "8", "--check", "20", "--seed", "3"]
    one = CliRunner().invoke(tune, [*words, "--generations", "2", "--out", "one.toml"])
    assert one.exit_code == 0, one.output
    text = (tmp_path / "one.toml").read_text()
    assert "basra-sim tune counting" in text and "held out, 20 pairs against greedy" in text
    section = tomllib.loads(text)["egyptian-v2"]
    assert "mean change" in one.output and "mean change" in text
    assert set(section["parameters"]) == {"jack", "komi", "guard"} and section["rules"] == {}
    assert load("counting:@one.toml").parameters.jack == section["parameters"]["jack"]
    # one generation, then the second from the state: the same file as both at once
    CliRunner().invoke(tune, [*words, "--generations", "1", "--out", "two.toml"])
    two = CliRunner().invoke(tune, [*words, "--generations", "2", "--out", "two.toml"])
    assert two.exit_code == 0, two.output
    assert (tmp_path / "two.toml").read_text() == text
    with pytest.raises(BadInput, match="other settings"):
        CliRunner().invoke(tune, [*words[:-1], "4", "--out", "two.toml"], catch_exceptions=False)


def test_ladder(tmp_path, monkeypatch):
    monkeypatch.setattr("basra_sim.workshop.ladder.SIZES", {"quick": (40, 10, 20, 20), "full": (40, 10, 20, 20)})
    out = tmp_path / "ladder.json"
    result = CliRunner().invoke(ladder, ["greedy", "first", "tuned-endgame", "--jobs", "1", "--out", str(out), "--quiet"])
    assert result.exit_code == 0, result.output
    content = json.loads(out.read_text())
    assert [rung["strategy"] for rung in content["rungs"]] == ["first", "greedy", "tuned-endgame"]
    top = content["rungs"][-1]
    assert top["below"] == "greedy" and top["regret"] == 0 and top["share"] > 0.5
    assert content["rungs"][1]["share"] == 0.5  # greedy against itself mirrors exactly
    assert content["rules"] == "egyptian-v2" and content["version"]
