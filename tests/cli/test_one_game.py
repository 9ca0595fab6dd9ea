"""`basra-sim show`: any game of a run folder again from its seed, the same as the run recorded it."""

from __future__ import annotations

import random
import shutil

import pandas as pd
import pytest
from running import only_line

from basra_sim.game.cards import cards_text
from basra_sim.game.notation import parse_game, replay, write_game
from basra_sim.runs.replaying import replay_game
from basra_sim.runs.run_settings import Settings
from basra_sim.runs.running import run

MINE = """from basra_sim.view import lowest
PARAMETERS = {"x": (0.5, 0.0, 1.0, "nothing")}
def choose(view):
    return lowest(view.hand)
"""


def made(folder, players, **settings):
    folder.mkdir(parents=True)
    outcome = run(players, Settings(**({"games": 20, "seed": 31, "records": "games"} | settings)), folder=folder)
    assert outcome.error is None, outcome.error
    return folder


@pytest.mark.parametrize(
    "settings",
    [{}, {"rules": "cafe"}, {"rules": "pagat", "set": ["target=21"]}, {"unit": "round"}, {"interpret": True, "games": 4},
     {"set": ["majority_tie=carry", "first_dealer=seat0", "dealer_rotation=fixed"]}],
    ids=["default", "cafe", "pagat", "rounds", "interpreted", "options"],
)  # fmt: skip
def test_games_come_out_as_recorded(settings, here, tmp_path):
    folder = made(tmp_path / "run", ("random", "greedy", "defensive"), **settings)
    games = pd.read_parquet(folder / "games.parquet")
    for number in (0, 3, 2 * games["pair"].max() + 1, len(games) - 1):
        row = games.iloc[number]
        result = here("show", "run", "--match", row["match"], "--pair", row["pair"], "--game", row["game"])
        assert (result.returncode, result.stderr) == (0, "")
        assert result.stdout.isascii()
        game = replay(result.stdout)  # the judge plays it line by line
        a, b = row["match"].split(" vs ")
        assert game.names == ((a, b) if row["game"] == 0 else (b, a))
        assert len(game.rounds) == row["rounds"]
        scores = (row["score_a"], row["score_b"]) if row["game"] == 0 else (row["score_b"], row["score_a"])
        assert f"\nscore: {scores[0]}-{scores[1]}\n\nresult: " in result.stdout
        first_dealer = "ab".index(row["first_dealer"]) ^ row["game"]
        assert game.rounds[0].dealer == first_dealer
        assert parse_game(result.stdout) == game


def test_both_games_of_a_pair_have_the_same_packs(tmp_path):
    folder = made(tmp_path / "run", ("random", "greedy"), records="none")
    one, two = (replay_game(folder, 4, game) for game in (0, 1))
    for first, second in zip(one.rounds, two.rounds, strict=False):
        assert (first.pack, first.dealer) == (second.pack, second.dealer)
    assert one.names == two.names[::-1]


def test_given_packs(here, tmp_path):
    packs = []
    for number in range(3):
        packs.append(list(range(52)))
        random.Random(number).shuffle(packs[-1])
    file = tmp_path / "packs.txt"
    file.write_text("# three packs\n" + "".join(cards_text(pack) + "\n" for pack in packs))
    made(tmp_path / "run", ("greedy", "first"), packs=file)
    text = here("show", "run", "--pair", 2, "--game", 1).stdout
    assert replay(text).rounds[0].pack == tuple(packs[2])
    file.rename(tmp_path / "moved.txt")
    assert "packs.txt" in only_line(here("show", "run"))
    assert here("show", "run", "--pair", 2, "--game", 1, "--packs", "moved.txt").stdout == text
    (tmp_path / "moved.txt").write_text(cards_text(packs[0]))
    assert "are not those of the run" in only_line(here("show", "run", "--packs", "moved.txt"))


def test_a_strategy_that_has_changed_or_gone(here, tmp_path):
    folder, file = tmp_path / "mine", tmp_path / "mine" / "own.py"
    folder.mkdir()
    file.write_text(MINE)
    made(tmp_path / "run", ("own:x=0.25", "greedy"), strategies=[str(folder)])
    text = here("show", "run").stdout
    assert "seat 0: own:x=0.25\n" in text
    shutil.copytree(folder, tmp_path / "kept")
    file.write_text(MINE + "# changed\n")
    result = here("show", "run")
    assert "own.py has changed since the run" in only_line(result)
    assert result.returncode == 2
    assert here("show", "run", "--strategies", "kept").stdout == text
    file.unlink()
    assert "is gone" in only_line(here("show", "run"))
    assert here("show", "run", "--strategies", "kept").stdout == text


def test_a_strategy_that_never_plays_the_same_is_found_out(here, tmp_path):
    (tmp_path / "dice.py").write_text(
        "import random\ndef choose(view):\n    return random.choice([c for c in range(52) if view.hand >> c & 1])\n"
    )
    made(tmp_path / "run", (str(tmp_path / "dice.py"), "greedy"))
    result = here("show", "run", "--pair", 3)
    line = only_line(result)
    assert result.returncode == 1
    assert "does not come out as" in line
    assert "strategies check" in line


def test_objects_of_a_program_cannot_be_played_again(here, tmp_path):
    made(tmp_path / "run", (lambda view: view.hand.bit_length() - 1, "greedy"))
    assert "object of a Python program" in only_line(here("show", "run"))


QUESTIONS = {
    "nowhere": "no run folder",
    "run": "3 matches; say which with --match (0: first vs greedy, 1: first vs random",
    "run --match 3": "no match '3'",
    "run --match first": "did you mean first vs ",
    "run --match 0 --pair 10": "has the pairs 0 to 9",
    "run --match 0 --pair -1": "has the pairs 0 to 9",
    "run --match 0 --game 2": "it is 0 or 1",
    "run --match 0 --pair x": "--pair",
    "run --match 0 --packs packs.txt": "not played on given packs",
}


@pytest.mark.parametrize("words", QUESTIONS)
def test_questions_that_have_no_answer(words, here, tmp_path):
    made(tmp_path / "run", ("first", "greedy", "random"), records="none")
    result = here("show", *words.split())
    assert QUESTIONS[words] in only_line(result)
    assert result.returncode == 2


def test_a_damaged_manifest(here, tmp_path):
    folder = made(tmp_path / "run", ("first", "greedy"))
    (folder / "manifest.json").write_text("{")
    assert "manifest.json cannot be read" in only_line(here("show", "run"))


def test_the_library_call(tmp_path):
    folder = made(tmp_path / "run", ("first", "greedy"))
    script = replay_game(folder, pair=1, game=1, match="first vs greedy")
    assert dict(script.facts) == {"run": str(folder), "match": "first vs greedy", "seed": "31", "pair": "1", "game": "1"}
    assert write_game(script).startswith("basra game 1\n")
