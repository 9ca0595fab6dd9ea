"""A strategy at fault stops a run with one line that names it, the game, the ply and the card; exit code 3."""

from __future__ import annotations

import csv
import re

import pytest

LOWEST = "from basra_sim.view import lowest\n"
PLACE = r", in match bad - greedy, pair 0, game [01], round 0, ply \d+ \(deal \d\)"

# name, text of the file, how it plays, what is said
AT_PLAY = [
    ("none", "def choose(view):\n    return None", "interpreted", "returned None, which is no card"),
    ("text", "def choose(view):\n    return 'x'", "interpreted", "returned 'x', which is no card"),
    ("real", "def choose(view):\n    return 3.0", "interpreted", r"returned 3\.0, which is no card"),
    ("true", "def choose(view):\n    return True", "interpreted", "returned True, which is no card"),
    ("comparison", "def choose(view):\n    return view.ply < 50", "interpreted", "returned True, which is no card"),
    ("set", "def choose(view):\n    return {1}", "interpreted", r"returned \{1\}, which is no card"),
    ("large", "def choose(view):\n    return 10 ** 30", "interpreted", "returned 10{30}, which is no card"),
    ("repr", "class Odd:\n    def __repr__(self):\n        1 / 0\ndef choose(view):\n    return Odd()", "interpreted",
     "returned an object of Odd, which is no card"),
    ("numpy", "import numpy as np\ndef choose(view):\n    return np.int64(99)", "compiled",
     r"returned np\.int64\(99\), which is no card"),
    ("fifty-two", "def choose(view):\n    return 52", "compiled", r"returned 52, which is no card"),
    ("minus-one", "def choose(view):\n    return -1", "compiled", r"returned -1, which is no card"),
    ("minus-two", "def choose(view):\n    return -2", "compiled", r"returned -2, which is no card"),
    ("not-held", LOWEST + "def choose(view):\n    return lowest(view.floor | (1 << 51))", "compiled",
     r"played \w\w, which it does not hold \(its hand: \w\w( \w\w)*\)"),
    ("raises", LOWEST + "def choose(view):\n    if view.ply > 9:\n        raise ValueError('late')\n    return lowest(view.hand)",
     "compiled", r"raised ValueError: late \(line 4\)"),
    ("divides", LOWEST + "def choose(view):\n    return lowest(view.hand) + 1 // (view.ply // 100)", "compiled",
     r"raised ZeroDivisionError: .* \(line 3\)"),
    ("index", "import numpy as np\nW = np.zeros(5, np.int64)\n\ndef choose(view):\n    return 51 + W[view.ply + 6]",
     "compiled", r"raised IndexError: .* \(line 5\)"),
    ("python", "def choose(view):\n    return {}[view.ply]", "interpreted", r"raised KeyError: \d+ \(line 2\)"),
    ("exit", "import sys\ndef choose(view):\n    sys.exit(0)", "interpreted", r"raised SystemExit: 0 \(line 3\)"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "mode", "said"), [case[1:] for case in AT_PLAY], ids=[case[0] for case in AT_PLAY])
def test_faults_at_play(basra_sim, write, text, mode, said):
    write("bad.py", text)
    notes = {"compiled": 0, "interpreted": 1}
    for more in ([], ["--interpret"]):
        ran = basra_sim("run", "./bad.py", "greedy", "--games", 20, "--seed", 1, "--jobs", 1, "--out", f"out{len(more)}", *more)
        lines = ran.err.splitlines()
        assert ran.code == 3
        assert len(lines) == 1 + (1 if more else notes[mode]), lines
        assert re.fullmatch(f"basra-sim: strategy bad {said}{PLACE}", lines[-1]), lines[-1]


@pytest.mark.parametrize("text", [AT_PLAY[0][1], AT_PLAY[9][1]], ids=["interpreted", "compiled"])
def test_check_finds_the_fault(basra_sim, write, text):
    write("bad.py", text)
    ran = basra_sim("strategies", "check", "./bad.py", "--games", 4)
    assert ran.code == 3
    assert "FAULT" in ran.out and "which is no card" in " ".join(ran.out.split())


def test_what_was_played_before_a_fault_is_kept(basra_sim, write, tmp_path):
    write("bad.py", LOWEST + "def choose(view):\n    return lowest(view.hand) if view.my_score + view.other_score < 60 else 99")
    ran = basra_sim(
        "run", "first", "greedy", "./bad.py", "--games", 20, "--seed", 1, "--jobs", 1, "--out", "kept", "--on-fault", "stop"
    )
    assert ran.code == 3
    assert "strategy bad returned 99" in ran.err
    with (tmp_path / "kept" / "matches.csv").open(newline="") as file:
        played = {(row["a"], row["b"]): int(row["games"]) for row in csv.DictReader(file)}
    assert played[("first", "greedy")] == 20
    assert played.get(("first", "bad"), 0) < 20
    assert (tmp_path / "kept" / "summary.json").is_file()


def test_only_the_compiled_code_fails(basra_sim, write):
    """2**62 * 4 is 0 in 64 bits: the plain Python divides by a large number instead."""
    write("bad.py", LOWEST + "def choose(view):\n    return lowest(view.hand) + 1 // ((1 << 62) * (view.ply + 4))")
    ran = basra_sim("run", "./bad.py", "greedy", "--games", 2, "--seed", 1, "--jobs", 1, "--out", "out")
    assert ran.code == 3
    assert "raised an error as compiled code that its plain Python does not raise" in ran.err.splitlines()[-1]


AT_LOAD = [
    ("raises", "raise ValueError('no\\nway')", 3, r"strategy file .*bad\.py fails to load: ValueError: no \(line 1\)"),
    ("syntax", "def choose(view)", 3, r"strategy file .*bad\.py fails to load: SyntaxError: expected ':' \(line 1\)"),
    ("imports", "x = 1\nimport nowhere_to_be_found", 3,
     r".* ModuleNotFoundError: No module named 'nowhere_to_be_found' \(line 2\)"),
    ("exits", "import sys\nsys.exit(5)", 3, r".*fails to load: SystemExit: 5 \(line 2\)"),
    ("init", "class Strategy:\n    def __init__(self):\n        1 / 0\n    def choose(self, view):\n        return 1", 3,
     r".*Strategy\(\) fails: ZeroDivisionError: division by zero \(line 3\)"),
    ("empty", "", 2, r".*bad\.py has no function choose\(view\), nor a class Strategy with a choose\(self, view\)"),
    ("no-function", "choose = 5", 2, r".* has no function choose\(view\), nor .*"),
    ("arguments", "def choose():\n    return 1", 2, r".*choose must take one argument, the view"),
    ("null", "x = '\0'", 3, r".*fails to load: .*null bytes.*"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "code", "said"), [case[1:] for case in AT_LOAD], ids=[case[0] for case in AT_LOAD])
def test_faults_at_load(basra_sim, write, tmp_path, text, code, said):
    write("bad.py", text)
    for command in (
        ["run", "./bad.py", "greedy", "--games", 2],
        ["strategies", "check", "./bad.py"],
        ["strategies", "show", "./bad.py"],
    ):
        ran = basra_sim(*command)
        assert ran.code == code
        assert ran.out == ""
        assert re.fullmatch(f"basra-sim: {said}", ran.err.rstrip("\n")), ran.err
    assert not (tmp_path / "reports").exists() or not list((tmp_path / "reports").iterdir())
