"""`basra-sim replay --explain`: positions of a game, what each play cost, and the words about it."""

from __future__ import annotations

import csv
import io
import json

import pytest
from click.testing import CliRunner
from open_hands_judge import Judge, brute_force

from basra_sim.cli.read_verbs.replay_verb import replay
from basra_sim.cli.read_verbs.show_verb import show
from basra_sim.errors import BadInput
from basra_sim.game.cards import card_text, members
from basra_sim.game.notation import play_script, write_game
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.position import read_position
from basra_sim.runs.replaying import replay_game
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run
from basra_sim.skill.endgame import INFINITE, value_of
from basra_sim.skill.problem import FOR_POINTS, ONE, open_problem
from basra_sim.workshop.play_review import LISTED, csv_rows, review
from basra_sim.workshop.review_text import review_lines, summary_lines

EXACT = "tuned-endgame:aim=0"
CARRIED = ["majority_tie=carry", "card_points=J:1,A:1,2c:2,Td:3"]


def made(folder, names=("greedy", EXACT), **settings):
    folder.mkdir()
    outcome = run(names, Settings(**({"games": 4, "seed": 11} | settings)), folder=folder)
    assert outcome.error is None, outcome.error
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return made(tmp_path_factory.mktemp("review") / "run")


@pytest.fixture(scope="module")
def weighed(folder):
    return review(replay_game(folder, 1), [prepare(load(EXACT)), prepare(load("greedy"))])


@pytest.mark.parametrize("settings", [{}, {"rules": "pagat"}, {"set": CARRIED}], ids=["default", "pagat", "carried"])
def test_each_side_would_play_again_what_it_played(settings, tmp_path):
    """A deterministic strategy asked about the positions of its own game: one wrong word of a position would show."""
    names = ("greedy", EXACT)
    found = review(replay_game(made(tmp_path / "run", **settings), 0), [prepare(load(name)) for name in names])
    assert len(found.plays) == 48 * len(found.game.rounds)
    for play in found.plays:
        assert play.strategy in play.chosen.played_by, play.position.to_text()
    for seat in (0, 1):
        summary = found.summary(seat)
        assert summary["played_as"][names[seat]] == summary["choices"] > 0
    assert found.summary(1)["regret_points"] == 0  # it plays last deals for points, exactly
    assert found.summary(1)["last_deal_choices"] > 0


def test_values_of_last_deals_are_those_of_all_orders_of_play(weighed):
    judge = Judge(weighed.game.rules)
    ends = [play for play in weighed.plays if play.event.deal == 5]
    assert len(ends) == 8 * len(weighed.game.rounds)
    lost = []
    for play in ends:
        truth = brute_force(play.position, judge)
        assert {choice.card: choice.exact_points for choice in play.choices} == truth
        assert play.regret_points == max(truth.values()) - truth[play.event.card]
        lost.append(play.regret_points if play.event.seat == 0 else 0)
    assert weighed.summary(0)["regret_points"] == sum(lost) > 0  # greedy has something to learn


def test_estimates_are_means_over_all_hands(weighed):
    """Where all hands are listed the estimate is their mean, worked out here hand by hand."""
    from itertools import combinations
    from math import comb

    plays = [play for play in weighed.plays if play.event.ply == 36][:1]
    plays += [play for play in weighed.plays if play.event.ply == 37 and play.position.hand.bit_count() == 2][:1]
    assert plays
    for play in plays:
        position, view = play.position, play.position.view()
        assert comb(position.unseen.bit_count(), position.held) <= LISTED
        problem = open_problem(view, FOR_POINTS)
        for card in members(position.hand):
            hands = [sum(1 << c for c in hand) for hand in combinations(members(position.unseen), position.held)]
            mean = sum(value_of(problem, view, card, hand, -INFINITE) for hand in hands) / len(hands) / ONE
            assert play.estimates[card] == pytest.approx(mean, abs=1e-3)
        assert play.estimated_loss == max(play.estimates.values()) - play.estimates[play.event.card]


def test_positions_are_text_that_explain_reads(weighed):
    for play in weighed.plays[::5]:
        assert read_position("; ".join(play.position.to_text().splitlines()), weighed.game.rules) == play.position


def test_the_text_says_where_points_were_lost(weighed):
    text = "\n".join(review_lines(weighed))
    assert text.count("\nply ") == len(weighed.plays)
    worst = weighed.worst()[0]
    line = next(line for line in summary_lines(weighed) if line.startswith(f"  round {worst.round}, ply {worst.event.ply}:"))
    assert f"seat 0 greedy played {card_text(worst.event.card)}" in line
    assert "seat 1 tuned-endgame:aim=0: 0 points and" in text
    assert all(len(line) <= 160 for line in text.splitlines())


def test_the_command_in_all_its_forms(folder, tmp_path):
    run_ = CliRunner().invoke
    file = tmp_path / "game.txt"
    file.write_text(run_(show, [str(folder), "--pair", "1"]).output)
    words = ["--explain", "--with", EXACT, "--round", "0"]
    text = run_(replay, [str(file), *words])
    assert text.exit_code == 0, text.output
    assert text.output == run_(replay, [str(folder), "--pair", "1", *words]).output
    assert text.output == run_(show, [str(folder), "--pair", "1", *words]).output
    content = json.loads(run_(replay, [str(file), *words, "--format", "json"]).output)
    assert [play["ply"] for play in content["plays"]] == list(range(48))
    rows = list(csv.DictReader(io.StringIO(run_(replay, [str(file), *words, "--format", "csv"]).output)))
    assert len(rows) == sum(len(play["cards"]) for play in content["plays"]) == len(
        csv_rows(review(replay_game(folder, 1), [prepare(load(EXACT))], [0]))
    )
    played = [row for row in rows if row["played"] == "yes"]
    lost = {seat: sum(float(row["regret_points"] or 0) for row in played if row["seat"] == str(seat)) for seat in (0, 1)}
    assert lost == {side["seat"]: side["regret_points"] for side in content["summary"]}
    plain = json.loads(run_(replay, [str(file), "--format", "json"]).output)
    game = replay_game(folder, 1)
    assert [round_["points"] for round_ in plain["rounds"]] == [list(play_script(game.rules, one).points) for one in game.rounds]
    assert run_(replay, ["-"], input=file.read_text()).output == write_game(game)


def test_questions_that_have_no_answer(folder, tmp_path):
    def line(*words):
        with pytest.raises(BadInput) as found:
            CliRunner().invoke(replay, [str(word) for word in words], catch_exceptions=False)
        return str(found.value)

    assert "--with goes with --explain" in line(folder, "--with", "greedy")
    assert "--round 9: the game has the rounds 0 to" in line(folder, "--explain", "--round", 9)
    assert "unknown strategy" in line(folder, "--explain", "--with", "nobody")
    assert "is no run folder" in line(tmp_path / "nothing.txt")
    (tmp_path / "bad.txt").write_text("basra game 1\nrules: egyptian-v2\nseat 0: a\nseat 1: b\n\nround 1: seat 0 deals\n")
    assert "line 6: round 0 comes here" in line(tmp_path / "bad.txt")
    assert "--pair goes with a run folder" in line(tmp_path / "bad.txt", "--pair", 1)
