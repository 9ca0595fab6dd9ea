"""The position suite (tests/data/positions.toml), positions as text, and the commands that weigh and tune."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from judge import Judge, brute_force

from basra_sim.cards import card_text, parse_card
from basra_sim.cli.explain import explain
from basra_sim.cli.ladder import ladder
from basra_sim.cli.tune import tune
from basra_sim.errors import BadInput
from basra_sim.players import prepare
from basra_sim.registry import load
from basra_sim.skill.position import ask, read_position

SUITE = tomllib.loads((Path(__file__).parents[1] / "data" / "positions.toml").read_text())["position"]
EXACT = [entry for entry in SUITE if "exact" in entry]
PLAYED = [(entry, name) for entry in SUITE if "strategies" in entry for name in entry["strategies"]]


@pytest.mark.parametrize("entry", EXACT, ids=lambda entry: entry["name"])
def test_puzzles_have_one_answer_and_it_is_found(entry):
    position = read_position(entry["text"])
    truth = brute_force(position, Judge(position.rules))
    best = [card_text(card) for card, value in truth.items() if value == max(truth.values())]
    assert best == [entry["exact"]], {card_text(card): value for card, value in truth.items()}
    assert sorted(truth.values(), reverse=True)[:2] == entry["worth"]
    assert card_text(ask(prepare(load("tuned-endgame:aim=0")), position)) == entry["exact"]


@pytest.mark.parametrize(("entry", "name"), PLAYED, ids=lambda x: x if isinstance(x, str) else x["name"])
def test_positions_are_played_as_they_should(entry, name):
    position, strategy = read_position(entry["text"]), load(name)
    card = ask(prepare(strategy), position)
    if "not" in entry:
        assert card != parse_card(entry["not"])
    else:
        assert card == parse_card(entry["card"])
    assert strategy.choose(position.view(strategy.under(position.rules).parameters)) == card  # interpreted as well


GOOD = "hand: 7d Jc; floor: 5c; unseen: 2c Kh; deal: 5; piles: 23 24; leading: yes"
BAD = [
    ("floor: 5c", "'hand' is missing"),
    ("hand: 7d 7d", "given twice"),
    ("hand: 7d; floor: 7d; deal: 5; unseen: 2c", "both in"),
    ("hand: 7d; colour: red", "no known word"),
    ("hand: 7d Jc; deal: 7", "0 to 5"),
    ("hand: 7d Jc; deal: 5; unseen: 2c", "2 cards are unseen"),
    (GOOD.replace("23 24", "20 20"), "47 cards are gone"),
    (GOOD.replace("23 24", "many"), "not two numbers"),
    (GOOD.replace("leading: yes", "leading: maybe"), "yes or no"),
    (GOOD + "; last: him", "me, other or nobody"),
    (GOOD + "; points: 5 0", "no basras"),
    (GOOD + "; hand: 3c", "given twice"),
    ("hand: 7d Jc 2c 3c 4c", "at most 4"),
    ("hand: 1x", "is no card"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_positions_that_cannot_be(text, words):
    with pytest.raises(BadInput, match=words):
        read_position(text)


def test_a_position_reads_as_it_is_written():
    position = read_position(GOOD)
    assert read_position(position.to_text()) == position


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
    monkeypatch.setattr("basra_sim.ladder.SIZES", {"quick": (40, 10, 20, 20), "full": (40, 10, 20, 20)})
    out = tmp_path / "ladder.json"
    result = CliRunner().invoke(ladder, ["greedy", "first", "tuned-endgame", "--jobs", "1", "--out", str(out), "--quiet"])
    assert result.exit_code == 0, result.output
    content = json.loads(out.read_text())
    assert [rung["strategy"] for rung in content["rungs"]] == ["first", "greedy", "tuned-endgame"]
    top = content["rungs"][-1]
    assert top["below"] == "greedy" and top["regret"] == 0 and top["share"] > 0.5
    assert content["rungs"][1]["share"] == 0.5  # greedy against itself mirrors exactly
    assert content["rules"] == "egyptian-v2" and content["version"]
