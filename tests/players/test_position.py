"""The position suite (tests/data/positions.toml), and positions as text."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from open_hands_judge import Judge, brute_force

from basra_sim.engine.jit.compiling import JIT_ON
from basra_sim.errors import BadInput
from basra_sim.game.cards import card_text, members, parse_card, parse_cards, to_set
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.position import ask, read_position
from basra_sim.runs.replaying import replay_game
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run
from basra_sim.workshop.play_review import review

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
# ply 4, I lead: 2c laid, 9d takes 9c, Qc laid, 2d takes 2c
BEFORE = "hand: 7d Jc; floor: 5c 6c 8c Qc; gone: 9c 9d 2c 2d; leading: yes; last: other"
PLAYED = BEFORE + "; played: 2c 9d Qc 2d"
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
    (BEFORE + "; played: 2c 9d Qc", "lists 3 cards, but this is ply 4"),
    (BEFORE + "; played: 2c 9d Qc 2c", "given twice"),
    (BEFORE + "; played: 2c 9d Qc 7d", "7d cannot have been played: in my hand or unseen"),
    (BEFORE + "; played: 2c Kh Qc 2d", "Kh cannot have been played: in my hand or unseen"),
    (PLAYED.replace("8c Qc; gone: 9c", "8c 9c; gone: Qc"), "leaves 5c 6c 8c Qc on the floor, not 5c 6c 8c 9c"),
    (PLAYED + "; piles: 3 1", "what was played puts into my pile 0 cards, but my pile holds 3"),
    (PLAYED + "; mine: 2c 2d", "puts nothing into my pile, not what 'mine' lists"),
]


@pytest.mark.parametrize(("text", "words"), BAD)
def test_positions_that_cannot_be(text, words):
    with pytest.raises(BadInput, match=words):
        read_position(text)


def test_a_position_reads_as_it_is_written():
    position = read_position(GOOD)
    assert read_position(position.to_text()) == position


PLAYS_BY_HISTORY = """
from basra_sim.view import first_floor, nth_card, play_on, played, popcount


def choose(view):
    floor, h = first_floor(view), view.leading
    for ply in range(view.ply):
        what = play_on(view, floor, played(view, ply))
        floor, h = what.floor, (31 * h + played(view, ply) + 7 * what.taken + ply * what.points) % 1000003
    if floor.cards != view.floor:
        return -1
    return nth_card(view.hand, h % popcount(view.hand))
"""
ASKS = """
from basra_sim.view import first_floor, nth_card, played


def choose(view):
    known = first_floor(view).cards >= 0
    for ply in range(-2, 50):
        if (played(view, ply) >= 0) != (known and 0 <= ply < view.ply):
            return -1
    return nth_card(view.hand, int(known))
"""


def test_a_position_tells_what_was_played(tmp_path):
    position = read_position(PLAYED)
    assert position.history == tuple(parse_cards("2c 9d Qc 2d")) and position.first_floor == to_set(parse_cards("5c 6c 8c 9c"))
    assert (position.piles, position.mine) == ((0, 4), 0)
    assert read_position(position.to_text()) == position
    (tmp_path / "asks.py").write_text(ASKS)
    player = prepare(load(str(tmp_path / "asks.py")))
    assert player.mode == ("compiled" if JIT_ON else "interpreted")
    for text, known in ((PLAYED, 1), (BEFORE, 0), ("hand: 2c 3c 4c 5c; floor: 6c 6d 6h 6s", 1)):
        position = read_position(text)
        card = list(members(position.hand))[known]
        assert ask(player, position) == player.strategy.choose(position.view()) == card


@pytest.mark.parametrize("preset", ["egyptian-v2", "pagat"])
def test_positions_of_a_game_hold_what_was_played_in_it(preset, tmp_path):
    """A strategy that plays the round again from its first floor, and whose card depends on all that was played, asked again."""
    (tmp_path / "again.py").write_text(PLAYS_BY_HISTORY)
    (tmp_path / "run").mkdir()
    player = prepare(load(str(tmp_path / "again.py")))
    outcome = run([str(tmp_path / "again.py"), "greedy"], Settings(games=2, seed=3, rules=preset), folder=tmp_path / "run")
    assert outcome.error is None, outcome.error
    found = review(replay_game(tmp_path / "run", 0), [player], [0, 1])
    assert {play.position.ply for play in found.plays} == set(range(48))
    for play in found.plays:
        position = play.position
        again = read_position("; ".join(position.to_text().splitlines()), position.rules)
        cards = tuple(one.event.card for one in found.plays if one.round == play.round)
        assert again.history == position.history == cards[: position.ply]
        card = ask(player, again)
        assert card == player.strategy.choose(position.view())
        assert card == play.event.card or play.strategy == "greedy"
