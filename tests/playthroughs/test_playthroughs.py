"""Golden playthroughs, replayed line by line by every engine; and the notation they are written in."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from engines import ENGINES
from write import GAMES, written

from basra_sim.errors import BadInput, StrategyFault
from basra_sim.game.cards import parse_cards
from basra_sim.game.judge import choose_first, choose_greedy, play_game, play_round
from basra_sim.game.notation import GameScript, RoundScript, parse_game, play_script, record_game, replay, write_game
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import PRESETS

FILES = sorted(Path(__file__).parent.glob("*.txt"))
PACKS = [parse_cards(line) for line in (Path(__file__).parents[1] / "data" / "packs.txt").read_text().splitlines()]
golden = pytest.mark.parametrize("path", FILES, ids=[path.stem for path in FILES])
engines = pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)


@engines
@golden
def test_every_line_is_played_again(path, engine):
    replay(path.read_text(), engine)


@golden
def test_writing_and_parsing_are_inverse(path):
    text = path.read_text()
    game = parse_game(text)
    assert write_game(game) == text
    assert parse_game(write_game(game)) == game


@pytest.mark.parametrize("path", [path for path in FILES if "by-hand" not in path.stem], ids=lambda path: path.stem)
def test_the_named_strategies_play_these_cards(path):
    """The text fixes the cards; that `first` and `greedy` choose them from packs.txt is told apart."""
    assert written(GAMES[path.stem]) == path.read_text(), "if that was meant, run `make playthroughs` and read what it wrote"


def test_the_golden_games_show_what_can_happen():
    text = "".join(path.read_text() for path in FILES)
    for what in (
        "rules: egyptian-v2", "rules: cafe", "rules: pagat", "rules: lebanese", "basra 10", "komi basra 10",
        "jack basra 30", "sweep", "capture", "to the bottom of the stock", "of the stock", "into place", "card point",
        "more cards: level", "carried",
    ):  # fmt: skip
        assert what in text, what
    assert len(FILES) >= 5


@pytest.fixture(scope="module")
def game():
    rules = PRESETS["egyptian-v2"]
    return record_game(rules, ("first", "greedy"), lambda k: PACKS[k], 1, (choose_first(rules), choose_greedy(rules)))


def changed(text, old, new):
    assert old in text
    return text.replace(old, new, 1)


def test_one_round_can_be_played_alone(game):
    result = play_script(game.rules, game.rounds[0])
    rules = game.rules
    assert result == play_round(rules, PACKS[0], 1, (choose_first(rules), choose_greedy(rules)))


def test_result_lines(game):
    played = play_game(game.rules, lambda k: PACKS[k], 1, (choose_first(game.rules), choose_greedy(game.rules)))
    high, low = max(played.scores), min(played.scores)
    name = game.names[played.winner]
    assert write_game(game).endswith(
        f"result: seat {played.winner} ({name}) wins {high}-{low} after {len(played.rounds)} rounds\n"
    )
    assert "result: not over, " in write_game(replace(game, rounds=game.rounds[:1]))
    rules = load_rules("egyptian-v2", ["single_round=true", "basra_points=0", "komi_basra_points=0", "jack_basra_points=0"])
    draws = [
        write_game(record_game(rules, ("first", "first"), lambda k, pack=pack: pack, 0, (choose_first(rules),) * 2))
        for pack in PACKS
    ]
    assert any(text.endswith("result: a draw, 0-0 after 1 round\n") for text in draws)


def test_comments_and_blank_lines_do_not_count(game):
    text = write_game(game)
    replay(text.replace("\n", "\n\n").replace("deal 1:", "# a good deal\ndeal 1:"))


def test_more_header_lines_are_kept(game):
    told = replace(game, facts=(("pair", "3"), ("run", "reports/x")))
    assert parse_game(write_game(told)) == told
    assert "\npair: 3\nrun: reports/x\n" in write_game(told)


@pytest.mark.parametrize(
    ("pattern", "new", "message"),
    [
        (r"capture        floor", "basra 10       floor", r"line \d+: written '.*basra 10.*', played '.*capture.*'"),
        (r"takes \w\w ", "lays     ", r"line \d+: written '.*lays.*', played '.*takes"),
        (r"count: seat 0 \d+", "count: seat 0 0", r"written 'count: seat 0 0 cards"),
        (r"score: \d+-\d+", "score: 1-1", r"line \d+: written 'score: 1-1'"),
        (r"result: .*", "", r"written are \d+ lines, played \d+"),
        (r"floor: \w\w", "floor: 2c", r"written 'floor: 2c"),
    ],
)
def test_a_line_that_is_not_what_happens_is_found(game, pattern, new, message):
    text = re.sub(pattern, new, write_game(game), count=1)
    assert text != write_game(game)
    with pytest.raises(BadInput, match=message):
        replay(text)


BROKEN = [
    ("basra game 1", "basra game 9", "line 1: a written game begins with 'basra game 1'"),
    ("rules: egyptian-v2\n", "", "the line 'rules: ...' is missing"),
    ("seat 1: greedy\n", "", "the line 'seat 1: ...' is missing"),
    ("rules: egyptian-v2", "rules: egyptian-v3", "did you mean"),
    ("seat 1: greedy", "seat 0: greedy", "line 5: .* stands twice"),
    ("seat 1: greedy", "seat one greedy", "line 5: .* is no header line"),
    ("round 0:", "round 1:", "line 7: round 0 comes here, not 1"),
    ("deal 1:", "dial 1:", r"line \d+: 'dial 1: .*' cannot be read"),
    ("   5  seat", "   6  seat", r"line \d+: ply 5 comes here, not 6"),
    ("   5  seat 1", "   5  seat 0", r"line \d+: ply 5 is not seat 0's"),
    ("   5  seat 1  ", "   5  seat 1  X", r"line \d+: 'X\w\w' is no card"),
    ("pack: ", "pack: Zc ", r"line 8: 'Zc' is no card"),
    ("pack: 9s ", "pack: ", "round 0: its pack does not hold each of the 52 cards once"),
]


@pytest.mark.parametrize(("old", "new", "message"), BROKEN)
def test_what_cannot_be_read_is_named_with_its_line(game, old, new, message):
    with pytest.raises(BadInput, match=message):
        parse_game(changed(write_game(game), old, new))


def test_a_round_must_be_whole(game):
    lines = write_game(game).splitlines(keepends=True)
    cut = [line for line in lines if not line.startswith("  47  seat")]
    with pytest.raises(BadInput, match="round 0: has 47 plies, not 48"):
        parse_game("".join(cut))
    with pytest.raises(BadInput, match="a round has 48 plies, this one 2"):
        write_game(GameScript(game.rules, game.names, (RoundScript(tuple(PACKS[0]), 0, (1, 2)),)))
    with pytest.raises(BadInput, match="line 1"):
        parse_game("")


def test_a_card_that_is_not_held_is_a_fault(game):
    script = game.rounds[0]
    swapped = (script.cards[1], script.cards[0], *script.cards[2:])
    with pytest.raises(StrategyFault, match="seat 0 at ply 0"):
        write_game(replace(game, rounds=(replace(script, cards=swapped),)))
