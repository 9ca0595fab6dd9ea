"""basra-sim strategies list, show, new and check, as a user meets them."""

from __future__ import annotations

import json
import re
from functools import partial
from textwrap import dedent

import pytest

from basra_sim.engine.sight import View
from basra_sim.players.loading import load
from basra_sim.players.player import prepare
from basra_sim.players.python_objects import from_object
from basra_sim.workshop.play_time import time_a_play
from basra_sim.workshop.strategy_checks import check

LOWEST = "from basra_sim.view import lowest\n\n\ndef choose(view):\n    return lowest(view.hand)\n"


# -- list ----------------------------------------------------------------------------------------------------------
def by_name(basra_sim, *args):
    ran = basra_sim("strategies", "list", "--format", "json", *args)
    assert ran.code == 0
    return {entry["name"]: entry for entry in json.loads(ran.out)}


def test_list_shows_the_shipped_strategies(basra_sim):
    entries = by_name(basra_sim)
    assert {"uniform", "first", "greedy", "basra-first", "defensive"} <= set(entries)
    assert entries["uniform"]["aliases"] == ["random"]
    assert entries["uniform"]["flags"] == ["stochastic"]
    assert all(entry["summary"] and entry["where"] == "built-in" and not entry["broken"] for entry in entries.values())
    table = basra_sim("strategies", "list")
    assert table.code == 0
    assert "uniform, random" in table.out and "stochastic" in table.out
    assert table.out.isascii() and "\x1b" not in table.out


def test_a_broken_file_is_listed_with_the_reason_and_disturbs_nothing(basra_sim, write):
    write("mine/broken.py", "x = 1\nimport nowhere_to_be_found")
    write("mine/unclear.py", "x = 1")
    write("mine/good.py", LOWEST)
    write("mine/_helper.py", "raise SystemExit")
    entries = by_name(basra_sim, "--strategies", "mine")
    assert set(entries) >= {"broken", "unclear", "good", "greedy"}
    assert entries["broken"]["broken"] == "fails to load: ModuleNotFoundError: No module named 'nowhere_to_be_found' (line 2)"
    assert entries["broken"]["flags"] == ["broken"]
    assert "no function choose(view)" in entries["unclear"]["broken"]
    assert entries["good"]["where"] == "mine"
    shown = " ".join(basra_sim("strategies", "list", "--strategies", "mine").out.split())
    assert "broken: fails to load: ModuleNotFoundError:" in shown
    ran = basra_sim("run", "good", "greedy", "--games", 2, "--seed", 1, "--strategies", "mine", "-q", "--out", "out", "--jobs", 1)
    assert (ran.code, ran.err) == (0, "")


def test_entry_points_of_packages(basra_sim, write, tmp_path, monkeypatch):
    package = tmp_path / "site"
    write("site/fancy/__init__.py", "")
    write("site/fancy/clever.py", LOWEST)
    write("site/sad/__init__.py", "raise RuntimeError('it is sad')")
    write("site/fancy-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: fancy\nVersion: 1.0\n")
    points = "clever_one = fancy.clever\nlost = fancy.lost\ngone = missing_package\nsad = sad.inner\ngreedy = fancy.clever\n"
    write("site/fancy-1.0.dist-info/entry_points.txt", f"[basra_sim.strategies]\n{points}")
    monkeypatch.syspath_prepend(str(package))
    entries = by_name(basra_sim)
    assert entries["clever-one"]["where"] == "package fancy"
    assert entries["clever-one"]["broken"] is None
    assert entries["lost"]["broken"] == "there is no module fancy.lost"
    assert entries["gone"]["broken"] == "there is no module missing_package"
    assert entries["sad"]["broken"] == "RuntimeError: it is sad"
    assert entries["greedy"]["where"] == "built-in"  # folders come before packages
    ran = basra_sim("run", "clever-one", "greedy", "--games", 2, "--seed", 1, "-q", "--out", "out", "--jobs", 1)
    assert (ran.code, ran.err) == (0, "")
    ran = basra_sim("run", "sad", "greedy", "--games", 2)
    assert (ran.code, ran.err) == (2, "basra-sim: strategy 'sad' of package fancy is broken: RuntimeError: it is sad\n")


def test_list_of_a_folder_that_is_not_there(basra_sim):
    ran = basra_sim("strategies", "list", "--strategies", "nowhere")
    assert (ran.code, ran.out, ran.err) == (2, "", "basra-sim: --strategies nowhere: there is no such folder\n")


# -- show ----------------------------------------------------------------------------------------------------------
def test_show(basra_sim):
    ran = basra_sim("strategies", "show", "defensive:rich=5")
    assert ran.code == 0
    text = " ".join(ran.out.split())
    for part in (
        "captures, saves jacks",
        "one look ahead",
        "source",
        "file",
        "plays compiled",
        "rich 5 4 1 to 20",
        load("defensive").sha256,
    ):
        assert part in text
    card = json.loads(basra_sim("strategies", "show", "defensive:rich=5", "--format", "json").out)
    assert card["parameters"]["rich"] == {"default": 4, "low": 1, "high": 20, "value": 5,
                                          "meaning": card["parameters"]["rich"]["meaning"]}  # fmt: skip
    assert (card["mode"], card["cheats"], card["stochastic"]) == ("compiled", False, False)


def test_show_says_why_it_is_interpreted(basra_sim, write):
    write("mine.py", "TABLE = {1: 2}\n\n\ndef choose(view):\n    return TABLE[view.ply]")
    text = " ".join(basra_sim("strategies", "show", "./mine.py").out.split())
    assert "plays interpreted: numba cannot compile it: " in text
    assert "'TABLE'" in text and "(line 5)" in text
    ran = basra_sim("strategies", "show", "gredy")
    assert (ran.code, ran.err) == (2, "basra-sim: unknown strategy 'gredy': did you mean greedy?\n")


# -- new -----------------------------------------------------------------------------------------------------------
def test_new_writes_a_file_that_plays(basra_sim, tmp_path):
    ran = basra_sim("strategies", "new", "my_bot")
    assert ran.code == 0
    assert "basra-sim run ./my_bot.py greedy" in ran.out
    played = basra_sim("run", "./my_bot.py", "greedy", "--games", 200, "--seed", 1, "--jobs", 1, "--out", "out")
    assert (played.code, played.err) == (0, "")  # no note: it plays compiled
    shown = json.loads(basra_sim("strategies", "show", "./my_bot.py", "--format", "json").out)
    assert shown["mode"] == "compiled" and shown["summary"] and "fear" in shown["parameters"]
    text = (tmp_path / "my_bot.py").read_text()
    body = text[text.index("def choose") :].strip().splitlines()
    assert len(body) <= 15
    for name in View._fields:
        assert name == "lookup" or re.search(rf"\b{name}\b", text), f"the template does not explain {name}"


def test_new_overwrites_nothing(basra_sim, write, tmp_path):
    write("mine.py", LOWEST)
    ran = basra_sim("strategies", "new", "mine")
    assert (ran.code, ran.err) == (2, "basra-sim: mine.py is there already, and is not overwritten; choose another name\n")
    assert (tmp_path / "mine.py").read_text() == LOWEST


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["a b"], "'a b' cannot name a strategy"),
        (["../up"], "'../up' cannot name a strategy"),
        ([""], "'' cannot name a strategy"),
        (["1st"], "'1st' cannot name a strategy"),
        (["random"], "'random' is the name of a Python module"),
        (["mine", "--dir", "nowhere"], "--dir nowhere: there is no such folder"),
    ],
)
def test_new_refuses(basra_sim, tmp_path, args, said):
    ran = basra_sim("strategies", "new", *args)
    assert ran.code == 2
    assert ran.err.startswith(f"basra-sim: {said}") and len(ran.err.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_new_into_a_folder(basra_sim, tmp_path):
    (tmp_path / "some where").mkdir()
    ran = basra_sim("strategies", "new", "mine.py", "--dir", "some where")
    assert ran.code == 0
    assert (tmp_path / "some where" / "mine.py").is_file()
    assert "'./some where/mine.py'" in ran.out


# -- check ---------------------------------------------------------------------------------------------------------
check_here = partial(check, another_process=False)


def verdicts(report):
    return {finding.check: finding.verdict for finding in report.findings}


@pytest.mark.parametrize("name", ["random", "defensive"])
def test_check_of_shipped_strategies(name):
    report = check_here(load(name), games=6)
    assert verdicts(report) == dict.fromkeys(["mode", "legal", "repeatable", "blind", "modes", "speed"], "ok")
    assert not report.at_fault


def test_check_through_the_command(basra_sim, write):
    write("mine.py", LOWEST)
    ran = basra_sim("strategies", "check", "./mine.py", "--games", 4)
    assert (ran.code, ran.err) == (0, "")
    text = " ".join(ran.out.split())
    assert "legal 48 games (" in text  # 6 presets, 2 opponents, 4 games each
    assert "No fault was found." in text
    found = json.loads(basra_sim("strategies", "check", "./mine.py", "--games", 4, "--format", "json").out)
    assert found["at_fault"] is False and found["mode"] == "compiled"
    assert [finding["check"] for finding in found["findings"]] == ["mode", "legal", "repeatable", "blind", "modes", "speed"]


@pytest.mark.parametrize(
    "args", [["./nowhere.py"], ["gredy"], ["greedy", "--games", "0"], ["greedy", "--seconds", "0"], ["greedy:x=1"]]
)
def test_check_of_bad_input(basra_sim, args):
    assert basra_sim("strategies", "check", *args).code == 2


def test_check_finds_python_random(write):
    text = """
    import random
    from basra_sim.view import members


    def choose(view):
        return random.choice(list(members(view.hand)))
    """
    report = check_here(load(str(write("mine.py", text))), games=10)
    assert verdicts(report)["repeatable"] == "fault"
    said = next(finding.text for finding in report.findings if finding.check == "random")
    assert "line 2: random" in said and "Python's random was drawn from" in said and "view.rng" in said


def test_check_finds_numpy_random_that_changes_nothing(write):
    text = """
    import numpy as np
    from basra_sim.view import lowest
    KEPT = {}


    def choose(view):
        np.random.rand()
        KEPT[0] = lowest(view.hand)
        return KEPT[0]
    """
    report = check_here(load(str(write("mine.py", text))), games=10)
    said = next(finding.text for finding in report.findings if finding.check == "random")
    assert "line 8: np.random" in said and "numpy's global random state" in said
    assert not report.at_fault


def test_check_finds_what_is_remembered_between_games(write):
    text = """
    PLAYED = []


    def choose(view):
        PLAYED.append(1)
        cards = [c for c in range(52) if view.hand >> c & 1]
        return cards[len(PLAYED) % 7 % len(cards)]
    """
    report = check_here(load(str(write("mine.py", text))), games=10)
    assert verdicts(report)["repeatable"] == "fault"
    assert "remembers something between games" in report.findings[-1].text


def test_check_finds_what_differs_from_process_to_process(write):
    text = """
    KEPT = {}


    def choose(view):
        KEPT[0] = 1
        cards = [c for c in range(52) if view.hand >> c & 1]
        return cards[hash(str(view.ply)) % len(cards)]
    """
    report = check(load(str(write("mine.py", text))), games=10)
    assert verdicts(report)["repeatable"] == "fault"
    assert "another process" in report.findings[-1].text


def test_check_finds_a_strategy_that_peeks(write):
    """It climbs from its own frame to the engine's memory: nothing stops that, and the check sees it."""
    text = """
    import sys
    import numpy as np


    def choose(view):
        memory = sys._getframe(1).f_locals["self"]._memory
        hands = memory.deals.view(np.int64)  # six hands of the leader, six of the dealer
        other = int(hands[view.deal + (6 if view.leading else 0)])
        cards = [card for card in range(52) if view.hand >> card & 1]
        return cards[other % 101 % len(cards)]
    """
    report = check_here(load(str(write("mine.py", text))), games=10)
    found = verdicts(report)
    assert (found["legal"], found["repeatable"], found["blind"]) == ("ok", "ok", "fault")
    declared = check_here(load(str(write("honest.py", "CHEATS = True\n" + dedent(text)))), games=4)
    assert verdicts(declared)["blind"] == "note"
    assert not declared.at_fault


def test_check_compares_both_modes(write):
    """Products beyond 64 bits wrap when compiled and do not when interpreted."""
    text = """
    from basra_sim.view import nth_card, popcount


    def choose(view):
        return nth_card(view.hand, (view.hand * view.hand * 31) % 1009 % popcount(view.hand))
    """
    report = check_here(load(str(write("mine.py", text))), games=10)
    assert verdicts(report)["modes"] == "fault"


@pytest.mark.parametrize(("flag", "said"), [("", "say so with STOCHASTIC = True"), ("STOCHASTIC = True\n", None)])
def test_check_of_the_stochastic_flag(write, flag, said):
    text = """
    from basra_sim.view import nth_card, popcount, random_below


    def choose(view):
        return nth_card(view.hand, random_below(view.rng, popcount(view.hand)))
    """
    notes = [
        finding.text
        for finding in check_here(load(str(write("mine.py", flag + dedent(text)))), games=4).findings
        if finding.check == "flags"
    ]
    assert bool(notes) == bool(said)
    assert not said or said in notes[0]


def test_check_of_imports(write):
    report = check_here(load(str(write("mine.py", "import click\n" + LOWEST))), games=4)
    assert ("imports", "note") in verdicts(report).items()


def test_check_of_an_object():
    class Mine:
        def choose(self, view):
            return (view.hand & -view.hand).bit_length() - 1

    report = check_here(from_object(Mine), games=4)
    assert verdicts(report) == {"mode": "note", "legal": "ok", "repeatable": "ok", "blind": "ok", "speed": "ok"}


def test_a_slow_strategy_is_checked_on_fewer_games(write):
    import time

    def slow(view):
        time.sleep(0.0005)
        return (view.hand & -view.hand).bit_length() - 1

    report = check_here(from_object(slow), games=1000, seconds=0.1)
    said = next(finding.text for finding in report.findings if finding.check == "legal")
    assert re.search(r"12,000 were asked for, time was up", said)
    assert not report.at_fault


def test_time_of_a_play_is_that_of_its_work(write):
    """Ten thousand steps of a loop that cannot be left out take ten times as long as a thousand, about."""
    text = """
    from basra_sim.view import lowest


    def choose(view):
        x = view.hand
        for step in range({steps}):
            x = (x * 1103515245 + 12345 + step) % 2147483647
        return lowest(view.hand) + (x == -1)
    """
    times = [time_a_play(prepare(load(str(write(f"a{n}.py", text.format(steps=n)))))) for n in (1000, 10000)]
    assert 4 < times[1] / times[0] < 25
    assert 1_000 < times[0] < 200_000
