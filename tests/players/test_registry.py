"""Finding and loading strategies: names, paths, the search order, parameters."""

from __future__ import annotations

import os
import sys

import pytest

from basra_sim.errors import BadInput, StrategyFault
from basra_sim.players.registry import find, from_object, load, split_spec

LOWEST = "from basra_sim.view import lowest\n\n\ndef choose(view):\n    return lowest(view.hand)\n"
PARAMETERS = """
PARAMETERS = {"weight": (1.5, 0.0, 10.0, "a real number"), "how_many": (2, 0, 9, "a whole number")}


def choose(view):
    return view.parameters.how_many
"""


# -- names and paths -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["basra-first", "basra_first", "BASRA-First"])
def test_underscore_hyphen_and_case_are_one(name):
    assert load(name).path.name == "basra_first.py"
    assert load(name).name == "basra-first"


def test_an_alias_is_a_name():
    assert load("random").name == "random"
    assert load("random").sha256 == load("uniform").sha256


@pytest.mark.parametrize(
    "name", ["my strategy.py", "mój_gracz.py", "random.py", "MyBot.py", "a'b.py", "a:b.py", "class.py", "1st.py"]
)
def test_any_file_name_plays(basra_sim, write, name):
    write(f"some where/{name}", LOWEST)
    ran = basra_sim("run", f"some where/{name}", "first", "--games", 2, "--seed", 1, "--jobs", 1, "--quiet", "--out", "out")
    assert (ran.code, ran.err) == (0, "")
    import random

    assert random.choice([1]) == 1  # Python's own module, not ours


def test_a_capital_in_a_file_name_is_found(write, tmp_path):
    write("MyBot.py", LOWEST)
    assert find("mybot", [tmp_path]).name == "MyBot.py"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("gredy", "unknown strategy 'gredy': did you mean greedy?"),
        ("xyzzy", "unknown strategy 'xyzzy': basra-sim strategies list shows them"),
        ("mine", "unknown strategy 'mine': write ./mine.py for the file in this folder"),
        ("", "unknown strategy ''"),
        ("./nine.py", "there is no strategy file ./nine.py: did you mean mine.py?"),
        ("./notes.txt", "./notes.txt is no strategy file: it must be Python and end in .py"),
        ("./folder", "./folder is a folder, not a strategy file; to name strategies that lie in it use --strategies ./folder"),
        ("folder.py", "folder.py is a folder"),
    ],
)
def test_what_is_not_there(basra_sim, write, tmp_path, given, said):
    write("mine.py", LOWEST)
    write("notes.txt", "")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder.py").mkdir()
    ran = basra_sim("run", given, "greedy", "--games", 2)
    assert ran.code == 2
    assert ran.out == ""
    assert ran.err.startswith(f"basra-sim: {said}")
    assert len(ran.err.splitlines()) == 1


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root reads every file")
def test_a_file_that_may_not_be_read(write):
    path = write("mine.py", LOWEST)
    path.chmod(0)
    with pytest.raises(BadInput, match="cannot be read: Permission denied"):
        load(str(path))


def test_a_file_that_cannot_be_read(write, monkeypatch):
    path = write("mine.py", LOWEST)

    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "read_bytes", refuse)
    with pytest.raises(BadInput, match=r"strategy file .*mine\.py cannot be read: Permission denied"):
        load(str(path))


def test_the_search_order(write, tmp_path, monkeypatch):
    asked, environment = tmp_path / "asked", tmp_path / "environment"
    monkeypatch.chdir(tmp_path)
    write("greedy.py", LOWEST)  # never the current folder unasked
    assert "strategies" in str(find("greedy"))
    write("environment/greedy.py", LOWEST)
    monkeypatch.setenv("BASRA_STRATEGIES", str(environment))
    assert find("greedy").parent == environment
    write("asked/greedy.py", LOWEST)
    assert find("greedy", [asked]).parent == asked
    assert find("./greedy.py", [asked]).parent == tmp_path / "." or find("./greedy.py").resolve().parent == tmp_path
    write("asked/other.py", "ALIAS: str = 'random'\n" + LOWEST)
    assert find("random", [asked]).name == "other.py"


def test_folders_must_exist(monkeypatch):
    with pytest.raises(BadInput, match="--strategies nowhere: there is no such folder"):
        find("greedy", ["nowhere"])
    monkeypatch.setenv("BASRA_STRATEGIES", "nowhere")
    with pytest.raises(BadInput, match="BASRA_STRATEGIES names nowhere: there is no such folder"):
        find("greedy")


@pytest.mark.parametrize(
    ("spec", "parts"),
    [
        ("greedy", ("greedy", "")),
        ("defensive:rich=3,alive=2", ("defensive", "rich=3,alive=2")),
        ("./a.py:x=1", ("./a.py", "x=1")),
        ("a.py:x=1", ("a.py", "x=1")),
        ("/odd:place/a.py", ("/odd:place/a.py", "")),
        ("/odd:place/a.py:x=1", ("/odd:place/a.py", "x=1")),
        ("defensive:@some/a.toml", ("defensive", "@some/a.toml")),
    ],
)
def test_specs(spec, parts):
    if os.sep == "/":
        assert split_spec(spec) == parts


def test_the_same_text_in_two_places_is_two_modules(write):
    text = "import pathlib\nNUMBER = int(pathlib.Path(__file__).with_suffix('.txt').read_text())\n" + LOWEST
    for folder in "ab":
        write(f"{folder}/mine.txt", str(ord(folder)))
        strategy = load(str(write(f"{folder}/mine.py", text)))
        number = strategy.module.NUMBER
        assert number == ord(folder)


# -- parameters ----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("settings", "values"),
    [
        ("", (1.5, 2)),
        ("weight=3", (3.0, 2)),
        (" weight = 3e-1 , how-many=7", (0.3, 7)),
        ("@file.toml", (2.0, 4)),
        ("@file.json", (0.25, 9)),
        ("@table.toml", (1.5, 1)),
    ],
)
def test_parameters(write, tmp_path, monkeypatch, settings, values):
    monkeypatch.chdir(tmp_path)
    write("mine.py", PARAMETERS)
    write("file.toml", "weight = 2\nhow_many = 4\n")
    write("file.json", '{"weight": 0.25, "how_many": 9.0}')
    write("table.toml", "title = 'x'\n[parameters]\nhow_many = 1\n")
    strategy = load(f"./mine.py:{settings}" if settings else "./mine.py")
    assert tuple(strategy.parameters) == values
    assert [type(value) for value in strategy.parameters] == [float, int]
    assert strategy.name == (f"mine:{settings}" if settings else "mine")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ("wait=1", "no parameter 'wait': did you mean weight?"),
        ("zzz=1", "no parameter 'zzz': it has weight, how_many"),
        ("weight=11", "weight=11 is outside 0.0..10.0"),
        ("weight=nan", "weight=nan is outside"),
        ("weight=-inf", "weight=-inf is outside"),
        ("weight=x", "weight=x is no number"),
        ("how_many=1.5", "how_many=1.5 is no whole number"),
        ("how_many=", "how_many= is no whole number"),
        ("how_many=1,how-many=2", "parameter 'how-many' is set twice"),
        ("weight", "'weight' is no setting; write key=value"),
        ("weight=1,,how_many=2", "'' is no setting; write key=value"),
        ("=1", "'=1' is no setting"),
        ("@nowhere.toml", "parameter file nowhere.toml cannot be read: No such file or directory"),
        ("@bad.toml", "parameter file bad.toml is not TOML"),
        ("@bad.json", "parameter file bad.json is not JSON"),
        ("@list.json", "parameter file list.json holds no table"),
        ("@half.toml", "how_many=1.5 is no whole number"),
        ("@true.toml", "weight=True is no number"),
        ("@unknown.toml", "no parameter 'wieght': did you mean weight?"),
    ],
)
def test_wrong_parameters(basra_sim, write, settings, said):
    write("mine.py", PARAMETERS)
    files = {"bad.toml": "=", "bad.json": "{", "list.json": "[1]", "half.toml": "how_many = 1.5", "true.toml": "weight = true",
             "unknown.toml": "wieght = 1"}  # fmt: skip
    for name, text in files.items():
        write(name, text)
    ran = basra_sim("run", f"./mine.py:{settings}", "greedy", "--games", 2)
    assert ran.code == 2
    assert said in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    "declared",
    ["5", "{'a': 1}", "{'a': (1, 2, 3, 'x')}", "{'a': (1, 0, 2)}", "{'a': (1, 0, 2.5, 'x')}", "{'a': ('1', '0', '2', 'x')}",
     "{'a': (True, False, True, 'x')}", "{'a': (1, 0, 1 << 70, 'x')}", "{'class': (1, 0, 2, 'x')}", "{'_a': (1, 0, 2, 'x')}",
     "{'a b': (1, 0, 2, 'x')}", "{'a': None}"],
)  # fmt: skip
def test_wrongly_declared_parameters(write, declared):
    with pytest.raises(BadInput, match=r"mine\.py: "):
        load(str(write("mine.py", f"PARAMETERS = {declared}\n{LOWEST}")))


def test_parameters_change_the_play_and_the_digest(write):
    from basra_sim.runs.running import run

    outcomes = [run([spec, "greedy"], games=200, seed=1) for spec in ("defensive", "defensive:exposed=0", "defensive:exposed=6")]
    digests = [outcome.totals.digest for outcome in outcomes]
    assert digests[0] != digests[1]
    assert digests[0] == digests[2]  # the default, said aloud


# -- objects -------------------------------------------------------------------------------------------------------
def test_what_is_no_strategy():
    with pytest.raises(BadInput, match="it has no choose"):
        from_object(5)


def test_an_object_that_cannot_be_copied():
    import threading

    class Locked:
        def __init__(self):
            self.lock = threading.Lock()

        def choose(self, view):
            return 0

    with pytest.raises(BadInput, match=r"cannot be copied for each game .*; give its class instead"):
        from_object(Locked())
    assert from_object(Locked).is_object


def test_a_strategy_that_breaks_leaves_no_module_behind(write):
    path = write("mine.py", "raise KeyError('x')")
    before = set(sys.modules)
    for _ in range(2):
        with pytest.raises(StrategyFault, match="KeyError: 'x'"):
            load(str(path))
    assert not [name for name in set(sys.modules) - before if "mine" in name]
