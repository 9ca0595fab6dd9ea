"""Rule sets: options, presets, loading, names, digests, and every way to be refused."""

import itertools
import pickle
import subprocess
import sys
from dataclasses import FrozenInstanceError, fields

import pytest
from hypothesis import given
from rule_cases import V2, any_rules, with_options

from basra_sim.errors import BadInput
from basra_sim.game.card_points import CardPoints
from basra_sim.game.notation import parse_rules_name
from basra_sim.game.rule_files import load_rules
from basra_sim.game.rules import OPTIONS, PRESET_SUMMARIES, PRESETS, Kind, RuleSet, kind_points


def test_options_and_fields_are_the_same():
    assert list(OPTIONS) == [option.name for option in fields(RuleSet)]
    assert set(RuleSet.CHOICES) == {name for name, option in OPTIONS.items() if option.choices}


def test_the_default_is_egyptian_v2():
    assert RuleSet() == V2
    assert (V2.target, V2.majority_points, V2.basra_points, V2.komi_basra_points, V2.jack_basra_points) == (
        101,
        30,
        10,
        10,
        30,
    )
    assert (V2.jack_basra, V2.komi_power, V2.komi_basra, V2.komi_on_floor) == ("lone_jack", "sweep", "wild", "any")
    assert (V2.komi_on_lone_jack, V2.jack_on_lone_komi) == ("jack_basra", "jack_basra")
    assert (V2.floor_banned, V2.floor_ban_action, V2.majority_tie) == ("jacks_and_komi", "bottom", "none")
    assert (V2.first_dealer, V2.dealer_rotation, V2.single_round, dict(V2.card_points)) == (
        "random",
        "alternate",
        False,
        {},
    )


PAGAT_POINTS = {"J": 1, "A": 1, "2c": 2, "Td": 3}
PAGAT = {
    "majority_points": 3,
    "card_points": PAGAT_POINTS,
    "jack_basra": "never",
    "komi_basra": "sum_le_10",
    "komi_on_lone_jack": "none",
    "komi_on_floor": "seven",
    "jack_on_lone_komi": "none",
}
JAWAKER = {name: value for name, value in PAGAT.items() if name != "majority_points"} | {"floor_ban_action": "random"}
DIFFERENCES = {
    "egyptian-v2": {},
    "egyptian-v1": {"jack_basra_points": 10},
    "cafe": {
        "jack_basra_points": 20,
        "komi_basra": "single_card",
        "komi_on_lone_jack": "basra",
        "komi_on_floor": "seven",
        "jack_on_lone_komi": "none",
        "floor_ban_action": "random",
    },
    "pagat": PAGAT,
    "jawaker": JAWAKER,
    "lebanese": PAGAT | {"komi_power": "none", "komi_basra": "never", "floor_banned": "jacks"},
}


@pytest.mark.parametrize("name", DIFFERENCES)
def test_presets_differ_as_published(name):
    assert PRESETS[name].differences(V2) == DIFFERENCES[name]
    assert PRESETS[name].name == name
    assert load_rules(name) == PRESETS[name]
    assert PRESET_SUMMARIES[name]


def test_there_are_six_presets():
    assert set(PRESETS) == set(DIFFERENCES) == set(PRESET_SUMMARIES)


WRONG = [
    ({"target": 0}, "target: 0 is not allowed; give a whole number from 1 to"),
    ({"target": 101.0}, "target: 101.0 is not allowed"),
    ({"target": True}, "target: True is not allowed"),
    ({"target": "101"}, "target: '101' is not allowed"),
    ({"majority_points": -1}, "majority_points: -1 is not allowed; give a whole number from 0"),
    ({"jack_basra_points": 10**9}, "jack_basra_points: 1000000000 is not allowed"),
    ({"single_round": 1}, "single_round: 1 is not allowed; give one of false, true"),
    ({"majority_tie": "half"}, "majority_tie: 'half' is not allowed; give one of none, carry, each"),
    ({"komi_basra": "wid"}, r"komi_basra: 'wid' .* one of wild, sum_le_10, single_card, any, never \(did you mean wild"),
    ({"komi_basra": None}, "komi_basra: None is not allowed"),
    ({"card_points": {"X": 1}}, "card_points: 'X' is neither a rank"),
    ({"card_points": {"J": -1}}, "card_points of J: -1 is not allowed"),
    ({"card_points": {"J": 1.5}}, "card_points of J: 1.5 is not allowed"),
    ({"card_points": {"Td": 1, "10D": 2}}, "card_points: Td is given twice"),
    ({"card_points": 3}, "card_points: 3 is not allowed"),
]


@pytest.mark.parametrize(("values", "message"), WRONG, ids=[str(values) for values, _ in WRONG])
def test_a_wrong_value_names_the_option_and_what_is_allowed(values, message):
    with pytest.raises(BadInput, match=message):
        RuleSet(**values)


NO_POINTS = "majority_points=0 basra_points=0 komi_basra_points=0 jack_basra_points=0"
CONTRADICTIONS = [
    ("komi_power=none", "komi_basra=wild contradicts komi_power=none"),
    ("komi_power=none komi_basra=never", "komi_on_lone_jack=jack_basra contradicts komi_power=none"),
    ("majority_points=0 majority_tie=carry", "majority_tie=carry contradicts majority_points=0"),
    (NO_POINTS, "no point can ever be scored"),
    (NO_POINTS + " card_points=J:0", "no point can ever be scored"),
    (
        "majority_points=0 basra_points=0 komi_basra_points=10 komi_basra=never jack_basra_points=0",
        "no point can ever be scored",
    ),
    (
        "majority_points=0 basra_points=0 komi_basra_points=0 jack_basra=never komi_on_lone_jack=basra jack_on_lone_komi=none",
        "no point can ever be scored",
    ),
]


@pytest.mark.parametrize(("settings", "message"), CONTRADICTIONS)
def test_a_combination_that_contradicts_itself_is_refused(settings, message):
    with pytest.raises(BadInput, match=message):
        with_options(settings)


@pytest.mark.parametrize(
    "settings",
    [
        "komi_power=none komi_basra=never komi_on_lone_jack=none",
        NO_POINTS + " card_points=J:1",
        "majority_points=0",
        "majority_points=0 basra_points=0 jack_basra_points=0 komi_basra=never komi_on_lone_jack=basra",
        "majority_points=0 basra_points=0 komi_basra_points=0 jack_basra=never jack_on_lone_komi=none",
        "single_round=true majority_tie=carry",
        "floor_banned=none floor_ban_action=random",
        "jack_basra=all_jacks",
    ],
)
def test_a_rule_set_that_can_be_played_is_not_refused(settings):
    with_options(settings)


def test_every_pair_of_choices_is_made_or_refused_in_words():
    """No two values of different options break anything else than a BadInput."""
    made = refused = 0
    for (a, choices_a), (b, choices_b) in itertools.combinations(RuleSet.CHOICES.items(), 2):
        for value_a, value_b in itertools.product(choices_a, choices_b):
            try:
                with_options(f"{a}={value_a} {b}={value_b}")
                made += 1
            except BadInput as error:
                refused += 1
                assert "komi_power=none" in str(error)
    assert made > 300
    assert refused


def test_card_points_of_a_card_take_the_place_of_its_rank():
    points = RuleSet(card_points={"2": 1, "2c": 5, "Jd": 0, "J": 2}).points_of_cards()
    assert points[4:8] == (5, 1, 1, 1)
    assert points[40:44] == (2, 0, 2, 2)
    assert sum(points) == 5 + 3 + 6


def test_pagat_points_of_cards():
    points = PRESETS["pagat"].points_of_cards()
    assert len(points) == 52
    assert {card: value for card, value in enumerate(points) if value} == {
        0: 1, 1: 1, 2: 1, 3: 1, 4: 2, 37: 3, 40: 1, 41: 1, 42: 1, 43: 1,
    }  # fmt: skip


def test_equal_points_are_equal_rules():
    one = RuleSet(card_points={"j": 1, "10d": 3, "K": 0})
    other = RuleSet(card_points={"Td": 3, "Jc": 1, "Jd": 1, "Jh": 1, "Js": 1})
    assert one == other
    assert hash(one) == hash(other)
    assert one.digest() == other.digest()
    assert str(one.card_points) == "Td:3,J:1"


def test_card_points_are_frozen_and_rules_too():
    with pytest.raises(TypeError):
        V2.card_points["J"] = 1
    with pytest.raises(FrozenInstanceError):
        V2.target = 51
    with pytest.raises(KeyError):
        CardPoints({"J": 1})["A"]


def test_digests_tell_rules_apart():
    assert len({rules.digest() for rules in PRESETS.values()}) == len(PRESETS)
    assert with_options("target=51").digest() != V2.digest()
    assert len(V2.digest()) == 64


def test_hash_and_digest_are_the_same_in_another_process():
    code = "from basra_sim.game.rules import PRESETS; r = PRESETS['cafe']; print(hash(r), r.digest())"
    seeds = [{"PYTHONHASHSEED": str(seed)} for seed in (1, 2)]
    found = {subprocess.run([sys.executable, "-c", code], env=env, capture_output=True).stdout for env in seeds}
    assert found == {f"{hash(PRESETS['cafe'])} {PRESETS['cafe'].digest()}\n".encode()}


@given(any_rules)
def test_rules_survive_every_way_of_writing_them(rules):
    assert RuleSet(**rules.to_dict()) == rules
    assert pickle.loads(pickle.dumps(rules)) == rules
    assert hash(pickle.loads(pickle.dumps(rules))) == hash(rules)
    assert parse_rules_name(rules.name) == rules


def test_names_say_what_differs():
    assert with_options("target=51").name == "egyptian-v2 with target=51"
    assert with_options("majority_tie=carry", "cafe").name == "cafe with majority_tie=carry"
    assert with_options("jack_basra_points=10").name == "egyptian-v1"
    assert with_options("card_points.2c=7", "pagat").name == "pagat with card_points=A:1,2c:7,Td:3,J:1"
    assert with_options("single_round=true").name == "egyptian-v2 with single_round=true"


def test_settings():
    rules = load_rules("pagat", ["Target=51", "komi-basra=ANY", "card_points.j=2", "card_points.10c=4"])
    assert (rules.target, rules.komi_basra) == (51, "any")
    assert dict(rules.card_points) == {"A": 1, "2c": 2, "Tc": 4, "Td": 3, "J": 2}
    assert not load_rules("pagat", ["card_points=none"]).card_points
    assert dict(load_rules("pagat", ["card_points=Q:2, 3h:1"]).card_points) == {"Q": 2, "3h": 1}


WRONG_SETTINGS = [
    ("target", "'target' sets nothing; write OPTION=VALUE"),
    ("targt=51", "no rule option 'targt'; did you mean target"),
    ("zzz=51", "no rule option 'zzz'; the options are target, single_round"),
    ("target.x=51", "no rule option 'target.x'"),
    ("target=abc", "target: 'abc' is not allowed"),
    ("target=", "target: '' is not allowed"),
    ("target=5.5", "target: '5.5' is not allowed"),
    ("single_round=maybe", "single_round: 'maybe' is not allowed; give one of false, true"),
    ("card_points=J", "card_points: 'J' is not allowed; write ranks or cards and their points"),
    ("card_points=J:-1", "card_points: 'J:-1' is not allowed"),
    ("card_points=J:1,j:2", "card_points: J is given twice"),
    ("card_points=Z:1", "card_points: 'Z' is neither a rank"),
    ("card_points.Z=1", "card_points: 'Z' is neither a rank"),
    ("card_points.J=x", "card_points.J: 'x' is not allowed"),
]


@pytest.mark.parametrize(("setting", "message"), WRONG_SETTINGS)
def test_a_wrong_setting_gets_one_clear_line(setting, message):
    with pytest.raises(BadInput, match=message) as caught:
        load_rules("egyptian-v2", [setting])
    assert "\n" not in str(caught.value)


def test_an_option_set_twice_is_refused():
    with pytest.raises(BadInput, match="target is set twice"):
        load_rules("egyptian-v2", ["target=51", "target=101"])


@pytest.mark.parametrize("spec", ["caffe", "Cafe ", "egyptian"])
def test_preset_names(spec):
    if spec.strip().lower() in PRESETS:
        assert load_rules(spec) == PRESETS["cafe"]
    else:
        with pytest.raises(BadInput, match=f"no rule set '{spec}'; did you mean"):
            load_rules(spec)


def write(folder, text):
    path = folder / "house.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_a_file_of_rules(tmp_path):
    path = write(tmp_path, 'preset = "cafe"\ntarget = 51\nsingle_round = true\n[card_points]\nJ = 1\n10d = 3\n')
    rules = load_rules(path, ["jack_basra_points=10"])
    assert rules.name == "cafe with target=51 single_round=true jack_basra_points=10 card_points=Td:3,J:1"
    assert load_rules(write(tmp_path, "")) == V2


WRONG_FILES = [
    ("target = ", "not TOML"),
    ("targt = 51", "no rule option 'targt'; did you mean target"),
    ('preset = "caffe"', "no preset 'caffe'; did you mean cafe"),
    ("preset = 3", "no preset '3'"),
    ('target = "51"', "target: '51' is not allowed"),
    ("komi_power = 'none'", "komi_basra=wild contradicts komi_power=none"),
    ("[card_points]\nJ = true", "card_points of J: True is not allowed"),
    ("card_points = 3", "card_points: 3 is not allowed"),
]


@pytest.mark.parametrize(("text", "message"), WRONG_FILES)
def test_a_wrong_file_is_named_with_what_is_wrong(tmp_path, text, message):
    with pytest.raises(BadInput, match=message) as caught:
        load_rules(write(tmp_path, text))
    assert "contradicts" in message or "house.toml" in str(caught.value)


def test_files_that_cannot_be_read(tmp_path):
    with pytest.raises(BadInput, match=r"nowhere\.toml: No such file"):
        load_rules(str(tmp_path / "nowhere.toml"))
    binary = tmp_path / "binary.toml"
    binary.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(BadInput, match="not a text file in UTF-8"):
        load_rules(str(binary))


def test_kinds_and_their_points():
    assert [kind.text for kind in Kind] == ["lay", "capture", "sweep", "basra", "komi_basra", "jack_basra"]
    assert list(Kind) == [0, 1, 2, 3, 4, 5]
    assert kind_points(V2) == (0, 0, 0, 10, 10, 30)
    assert kind_points(PRESETS["cafe"]) == (0, 0, 0, 10, 10, 20)


def test_codes_for_kernels():
    assert V2.code("target") == 101
    assert V2.code("single_round") == 0
    assert with_options("single_round=true").code("single_round") == 1
    assert [with_options(f"majority_tie={tie}").code("majority_tie") for tie in ("none", "carry", "each")] == [0, 1, 2]
