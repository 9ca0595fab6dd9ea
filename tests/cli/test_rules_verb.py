"""`basra-sim rules` as a user meets it, and the sentences of an explanation."""

import json
import subprocess
import sys

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st
from rule_cases import PLAIN, V2, any_rules, with_options

from basra_sim.cli import cli
from basra_sim.errors import BadInput
from basra_sim.game.captures import play
from basra_sim.game.cards import to_set
from basra_sim.game.reasons import explain
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import OPTIONS, PRESETS


def run(*arguments):
    result = CliRunner().invoke(cli, ["rules", *arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.output


def in_a_shell(*arguments):
    command = [sys.executable, "-m", "basra_sim", "rules", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_list_names_every_preset_and_what_differs():
    text = run("list")
    for name, rules in PRESETS.items():
        assert name in text
        for option in rules.differences(V2):
            assert option in text
    assert [entry["preset"] for entry in json.loads(run("list", "--format", "json"))] == list(PRESETS)


def test_show_names_every_option_with_value_and_meaning():
    text = run("show", "cafe", "--set", "target=51")
    assert "Rule set cafe with target=51" in text
    for name, option in OPTIONS.items():
        assert name in text
        assert all(choice in text for choice in option.choices)
    starred = {line.split()[1] for line in text.splitlines() if line.startswith("*  ")}
    assert starred == {*PRESETS["cafe"].differences(V2), "target"}
    assert "(egyptian-v2: 30)" in text


def test_show_json_and_toml_can_be_read_back(tmp_path):
    rules = with_options("card_points.3h=4 single_round=true", "pagat")
    arguments = ["show", "pagat", "--set", "card_points.3h=4", "--set", "single_round=true", "--format"]
    shown = json.loads(run(*arguments, "json"))
    assert shown["options"] == rules.to_dict()
    assert shown["digest"] == rules.digest()
    path = tmp_path / "house.toml"
    path.write_text(run(*arguments, "toml"))
    assert load_rules(str(path)) == rules


EXPLAINED = [
    ("Ac 2d 3h 5s", "8c", "", ["takes   Ac 2d 5s", "1 + 2 + 5 = 8", "leaves  3h", "kind    capture", "scores  0 points"]),
    ("Ac 2d 3h 5s", "8c", "", ["Groups that total 8: (Ac 2d 5s), (3h 5s)", "with the most cards together"]),
    ("", "7d", "", ["takes   nothing", "leaves  7d", "kind    lay", "The floor is empty", "burned"]),
    ("", "Jc", "", ["floor   (empty)", "takes   nothing", "kind    lay"]),
    ("9c", "9d", "", ["group 9c: the same rank", "kind    basra", "scores  10 points", "leaves  (an empty floor)"]),
    ("9c Kd", "2d", "", ["Nothing on the floor fits, so 2d is laid", "leaves  2d 9c Kd"]),
    ("Kc Kh", "Kd", "", ["its own rank", "kind    basra"]),
    ("7d Kd", "Kc", "", ["group 7d: the komi, which any card takes", "group of its own", "kind    basra"]),
    ("7d Kd", "Kc", "komi_on_floor=seven", ["is only a 7", "takes   Kd", "kind    capture"]),
    ("2c 7d", "9h", "", ["group 2c 7d: 2 + 7 = 9"]),
    ("2c 9h", "Jc", "", ["captures everything on the floor", "kind    sweep", "scores  0 points"]),
    ("Jd", "Jc", "", ["A lone jack lies on the floor: a jack basra", "scores  30 points"]),
    ("Jd", "Jc", "jack_basra=never", ["under these rules that scores nothing", "kind    sweep"]),
    ("Jd Jh", "Jc", "jack_basra=all_jacks", ["Jacks alone lie on the floor: a jack basra"]),
    ("Jd Jh", "7d", "jack_basra=all_jacks", ["is a plain jack", "kind    jack basra"]),
    ("7d", "Jc", "", ["A lone komi lies there; under these rules a jack on it scores a jack basra"]),
    ("7d", "Jc", "jack_on_lone_komi=none", ["a jack on it scores nothing"]),
    ("7d", "Jc", "jack_on_lone_komi=basra", ["a jack on it scores a basra", "scores  10 points"]),
    ("Jd", "7d", "", ["A lone jack lies there; under these rules the komi on it scores a jack basra"]),
    ("Jd", "7d", "komi_on_lone_jack=basra", ["the komi on it scores a komi basra", "kind    komi basra"]),
    ("Tc 5h 4s Ad", "7d", "", ["Played as a ten it would capture the whole floor, (Tc), (Ad 4s 5h): a komi basra"]),
    ("8c 9h", "7d", "", ["Played as no card other than a jack", "kind    sweep"]),
    ("3c 8h", "7d", "komi_basra=sum_le_10", ["no basra here (total 11)"]),
    ("3c Kh", "7d", "komi_basra=sum_le_10", ["not all are number cards"]),
    ("3c 4h", "7d", "komi_basra=sum_le_10", ["basra here (total 7)", "kind    komi basra"]),
    ("3c 4h", "7d", "komi_basra=single_card", ["exactly one card: no basra on 2 cards"]),
    ("3c", "7d", "komi_basra=single_card", ["exactly one card: basra on 1 card"]),
    ("3c Jh", "7d", "komi_basra=any", ["on every floor that is not empty", "kind    komi basra"]),
    ("3c", "7d", "komi_basra=never", ["the komi never scores a basra", "kind    sweep"]),
    ("3c 4h", "7d", PLAIN, ["the komi plays as a plain 7", "3 + 4 = 7", "kind    basra"]),
    ("Ac Jd", "Js", "card_points=J:1,A:2", ["Ac 2, Jd 1, Js 1; together 4", "The pile grows by 3 cards"]),
]


@pytest.mark.parametrize(("floor", "card", "options", "words"), EXPLAINED)
def test_explain_says_what_why_and_what_it_scores(floor, card, options, words):
    settings = [word for option in options.split() for word in ("--set", option)]
    text = " ".join(run("explain", floor, card, *settings).split())
    for expected in words:
        assert " ".join(expected.split()) in text


def test_explain_json():
    shown = json.loads(run("explain", "Ac 2d 3h 5s", "8C", "--format", "json", "--rules", "cafe"))
    assert shown["rules"] == "cafe"
    assert (shown["floor"], shown["card"]) == (["Ac", "2d", "3h", "5s"], "8c")
    assert (shown["captured"], shown["left"]) == (["Ac", "2d", "5s"], ["3h"])
    assert (shown["groups"], shown["kind"], shown["points"]) == ([["Ac", "2d", "5s"]], "capture", 0)
    assert len(shown["why"]) > 2


@settings(max_examples=200, deadline=None)
@given(any_rules, st.lists(st.integers(0, 51), min_size=1, max_size=9, unique=True))
def test_every_play_can_be_explained(rules, cards):
    floor, card = to_set(cards[1:]), cards[0]
    told = explain(rules, floor, card)
    assert (told.taken, told.kind, told.points) == play(rules, floor, card)
    assert told.why


WRONG = [
    (["explain", "8c Ac", "8c"], "8c lies on the floor already"),
    (["explain", "Ac Ac", "8c"], "Ac is given twice"),
    (["explain", "Ax", "8c"], "'Ax' is no card"),
    (["explain", "Ac", "8"], "'8' is no card"),
    (["explain", "Ac", "8c", "--rules", "caffe"], "did you mean cafe"),
    (["show", "nowhere.toml"], "No such file"),
    (["show", "cafe", "--set", "komi_power=none"], "contradicts"),
]


@pytest.mark.parametrize(("arguments", "message"), WRONG)
def test_wrong_input_is_bad_input(arguments, message):
    with pytest.raises(BadInput, match=message):
        run(*arguments)


def test_bad_input_is_one_line_on_stderr_and_exit_code_2():
    result = in_a_shell("explain", "8c Ac", "8c")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == "basra-sim: 8c lies on the floor already, so it cannot be played\n"


def test_piped_output_is_plain():
    result = in_a_shell("show", "cafe")
    assert result.returncode == 0
    assert "\x1b" not in result.stdout
    assert result.stdout.isascii()
    assert max(map(len, result.stdout.splitlines())) <= 80


def test_nothing_slow_is_imported_to_explain():
    code = (
        "import sys; from click.testing import CliRunner; from basra_sim.cli import cli; "
        "r = CliRunner().invoke(cli, ['rules', 'explain', 'Ac', 'Ad', '--format', 'json']); assert r.exit_code == 0; "
        "print(sorted({'numba', 'numpy', 'pandas', 'matplotlib'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "[]\n"
