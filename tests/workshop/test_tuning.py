"""Tuning writes a file that loads, and goes on where it stopped."""

from __future__ import annotations

import tomllib

import pytest
from click.testing import CliRunner

from basra_sim.cli.learn_verbs.tune_verb import tune
from basra_sim.errors import BadInput
from basra_sim.players.loading import load


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
