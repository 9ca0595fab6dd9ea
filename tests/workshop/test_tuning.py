"""Tuning writes a file that loads, and goes on where it stopped; the shipped weights are what it finds."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner

from basra_sim.cli.learn_verbs.tune_verb import tune
from basra_sim.errors import BadInput
from basra_sim.players.loading import load

WEIGHTS = Path(__file__).parents[2] / "strategies" / "tuned_endgame.toml"
AGAIN = "strategies/tuned_endgame.toml is not what the search finds; if that was meant, run `make weights`: digests change"


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


@pytest.mark.slow
def test_a_section_of_the_shipped_weights_is_found_again_byte_for_byte(tmp_path):
    """cafe's: the only one of the six searches that ends elsewhere than it began."""
    sections = re.split(r"(?m)^(?=# Parameters of )", WEIGHTS.read_text("utf-8"))
    section = next(section for section in sections if "\n[cafe.rules]" in section)
    program, verb, *words = shlex.split(section.splitlines()[0].partition(" tuned by ")[2].partition(": ")[2])
    assert (program, verb) == ("basra-sim", "tune")
    result = CliRunner().invoke(tune, [*words, "--quiet", "--out", str(tmp_path / "cafe.toml")])
    assert result.exit_code == 0, result.output
    assert (tmp_path / "cafe.toml").read_text("utf-8") == section, AGAIN
