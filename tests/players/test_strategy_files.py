"""Finding strategies: names, aliases, paths, the search order."""

from __future__ import annotations

import os

import pytest

from basra_sim.errors import BadInput
from basra_sim.players.loading import load
from basra_sim.players.strategy_files import find, split_spec

LOWEST = "from basra_sim.view import lowest\n\n\ndef choose(view):\n    return lowest(view.hand)\n"


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
