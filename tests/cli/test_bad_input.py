"""Bad input to `basra-sim run`: one clear line on stderr, the exit code of the table, nothing played, nothing left behind."""

from __future__ import annotations

import resource
import subprocess

import pytest
from running import COMMAND, call, environment, left_behind, only_line

PACK = (
    "9s Kd 4h Ks 2s Kh 9d 5d 6c 3s 3d 8s Ad 9h 8d 7s 8h 6s Qc Qh Jd 4c Tc Ah Th Ts "
    "8c 9c 5h 7h 7d 2c 5c 7c Qs 4s 2h 4d Ac Qd 3h Jc Js Jh 2d 5s 6h 6d As Td 3c Kc"
)

# words after `run` -> what the line must hold
WORDS = {
    "greedyy first": ["unknown strategy 'greedyy'", "did you mean", "greedy"],
    "zzzzzz first": ["unknown strategy 'zzzzzz'", "strategies list"],
    "greedy": ["two strategies or more", "name it twice"],
    "": ["two strategies or more"],
    "greedy first --games 0": ["--games 0", "at least 1"],
    "greedy first --games -1": ["--games -1", "at least 1"],
    "greedy first --games x": ["--games", "'x'", "basra-sim run --help"],
    "greedy first --games 1.5": ["--games", "'1.5'"],
    "greedy first --jobs 0": ["--jobs 0", "at least 1"],
    "greedy first --jobs -2": ["--jobs -2", "at least 1"],
    "greedy first --seed -1": ["--seed -1", "from 0 to 2^64-1"],
    "greedy first --seed 18446744073709551616": ["--seed 18446744073709551616", "from 0 to 2^64-1"],
    "greedy first --seed 0x10": ["--seed", "'0x10'"],
    "greedy first --unit hand": ["--unit", "'hand'", "'game'"],
    "greedy first --format xml": ["--format", "'xml'"],
    "greedy first --records all": ["--records", "'all'"],
    "greedy first --rules egyption-v2": ["no rule set 'egyption-v2'", "did you mean egyptian-v2"],
    "greedy first --rules missing.toml": ["missing.toml", "No such file"],
    "greedy first --set target=0": ["target", "whole number from 1"],
    "greedy first --set taget=51": ["no rule option 'taget'", "did you mean target"],
    "greedy first --set target": ["OPTION=VALUE"],
    "greedy first --set komi_power=none": ["komi_basra", "contradicts komi_power"],
    "greedy first --packs missing.txt": ["pack file missing.txt", "No such file"],
    "greedy first --strategies nowhere": ["nowhere", "no such folder"],
    "./mine.py first": ["./mine.py"],
    "greedy:depth=3 first": ["greedy", "depth"],
    "greedy first --gamse 5": ["--gamse", "--games"],
    "greedy first --config nowhere.toml": ["settings file nowhere.toml", "No such file"],
    "greedy first --games": ["--games", "requires an argument"],
}


@pytest.mark.parametrize("words", WORDS)
def test_options(words, here, tmp_path):
    check_options(here("run", *words.split()), words, tmp_path)


@pytest.mark.parametrize("words", [pytest.param(w, marks=() if n % 9 == 0 else pytest.mark.slow) for n, w in enumerate(WORDS)])
def test_options_in_a_process(words, tmp_path):
    check_options(call("run", *words.split(), cwd=tmp_path), words, tmp_path)


def check_options(result, words, tmp_path):
    line = only_line(result)
    assert result.returncode == 2
    assert result.stdout == ""
    for part in WORDS[words]:
        assert part in line
    assert left_behind(tmp_path) == []


PACK_FILES = {
    "": "holds no pack",
    "# only a comment\n\n": "holds no pack",
    PACK + "\n" + PACK.replace(" Kc", "") + "\n": "line 2 is no pack of 52 cards: 51 cards, Kc missing",
    PACK.replace("Kc", "Kd"): "line 1 is no pack of 52 cards: 52 cards, Kd more than once, Kc missing",
    "# a comment\n" + PACK.replace("Kc", "Xz"): "line 2: 'Xz' is no card",
    PACK + " 2c": "line 1 is no pack of 52 cards: 53 cards, 2c more than once",
}


@pytest.mark.parametrize("content", PACK_FILES, ids=["empty", "comments", "51 cards", "double", "bad word", "53 cards"])
def test_pack_files(content, here, tmp_path):
    (tmp_path / "packs.txt").write_text(content)
    result = here("run", "greedy", "first", "--packs", "packs.txt")
    assert PACK_FILES[content] in only_line(result)
    assert result.returncode == 2
    assert left_behind(tmp_path) == ["packs.txt"]


def test_a_pack_file_that_is_no_text(here, tmp_path):
    (tmp_path / "packs.txt").write_bytes(b"\xff\xfe\x00\x01" * 10)
    result = here("run", "greedy", "first", "--packs", "packs.txt")
    assert "not a text file" in only_line(result)
    assert result.returncode == 2


def test_games_do_not_go_with_packs(here, tmp_path):
    (tmp_path / "packs.txt").write_text(PACK)
    result = here("run", "greedy", "first", "--packs", "packs.txt", "--games", 10)
    assert "--games" in only_line(result)
    assert result.returncode == 2


CONFIGS = {
    "gamse = 5": ["unknown setting 'gamse'", "did you mean games"],
    'games = "many"': ["games must be a whole number", "'many'"],
    "games = 1.5": ["games must be a whole number", "1.5"],
    "games = true": ["games must be a whole number"],
    "seed = -3": ["--seed -3"],
    'players = "greedy"': ["players must be a list"],
    "players = [1, 2]": ["players must be a list"],
    'set = "target=51"': ["set must be a list"],
    'quiet = "yes"': ["quiet must be true or false"],
    'format = "xml"': ["--format", "'xml'"],
    "games = ": ["is not TOML"],
    "\x00": ["is not TOML"],
}


@pytest.mark.parametrize("content", CONFIGS)
def test_settings_files(content, here, tmp_path):
    (tmp_path / "run.toml").write_text(content)
    result = here("run", "greedy", "first", "--config", "run.toml")
    line = only_line(result)
    for part in CONFIGS[content]:
        assert part in line
    assert "run.toml" in line or "--" in line
    assert result.returncode == 2
    assert left_behind(tmp_path) == ["run.toml"]


def test_flags_override_the_settings_file(here, tmp_path):
    (tmp_path / "run.toml").write_text('players = ["greedy", "first"]\ngames = 4\nseed = 5\nformat = "json"\nout = "here"\n')
    import json

    one = here("run", "--config", "run.toml")
    two = here("run", "--config", "run.toml", "--games", 6, "--out", "there")
    assert [json.loads(result.stdout)["games"] for result in (one, two)] == [4, 6]
    assert left_behind(tmp_path) == ["here", "run.toml", "there"]


@pytest.mark.parametrize("kind", ["file", "not empty", "below a file"])
def test_out(kind, here, tmp_path):
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("mine")
        wanted = "is a file"
    elif kind == "not empty":
        out.mkdir()
        (out / "precious.txt").write_text("mine")
        wanted = "not empty"
    else:
        out.write_text("mine")
        out, wanted = out / "deeper", "Not a directory"
    before = sorted(tmp_path.rglob("*"))
    result = here("run", "greedy", "first", "--games", 2, "--out", out)
    assert wanted in only_line(result)
    assert result.returncode == 2
    assert sorted(tmp_path.rglob("*")) == before


def test_a_place_that_cannot_be_written(here, tmp_path):
    """Neither as --out nor for ./reports; /proc takes no folder, not even from root."""
    result = here("run", "greedy", "first", "--games", 2, "--out", "/proc/basra-run", "--quiet")
    assert "/proc/basra-run" in only_line(result)
    assert result.returncode == 2
    (tmp_path / "reports").write_text("a file in the way")
    result = here("run", "greedy", "first", "--games", 2, "--quiet")
    line = only_line(result)
    assert "reports" in line
    assert "--out DIR" in line
    assert result.returncode == 2


def test_a_full_disk(tmp_path):
    """No file may grow beyond 2,000 bytes: the same error as a full disk gives."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

    call("run", "greedy", "first", "--games", 2, "--out", "warm", cwd=tmp_path)  # so that nothing is left to be compiled
    result = subprocess.run(
        [*COMMAND, "run", "greedy", "first", "--games", "200", "--records", "games", "--out", "full", "--quiet"],
        cwd=tmp_path, env=environment(), capture_output=True, text=True, preexec_fn=limit, timeout=120, check=False,
    )  # fmt: skip
    line = only_line(result)
    assert "no space left" in line
    assert "full" in line
    assert result.returncode == 1
    assert not list((tmp_path / "full").glob("*.parquet"))  # no table cut short under its name


def test_output_to_a_full_device(tmp_path):
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [*COMMAND, "run", "greedy", "first", "--games", "2", "--out", "out", "--quiet"],
            cwd=tmp_path, env=environment(), stdout=full, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
        )  # fmt: skip
    assert "No space left" in only_line(result)
    assert result.returncode == 1
    assert (tmp_path / "out" / "summary.json").exists()


FAULTS = {
    "raises at import": ("import nothing_of_that_name", "ModuleNotFoundError"),
    "has no choose": ("x = 1", "choose"),
    "is no Python": ("def choose(view:\n    return 1", "SyntaxError"),
    "raises at play": ("def choose(view):\n    return [][view.ply]", "IndexError"),
    "raises late": ("def choose(view):\n    if view.ply > 30:\n        raise ValueError('no idea')\n"
                    "    return (view.hand & -view.hand).bit_length() - 1", "no idea"),
    "a card of nobody": ("def choose(view):\n    return 52", "52"),
    "a huge number": ("def choose(view):\n    return 10 ** 18", "1000000000000000000"),
    "below zero": ("def choose(view):\n    return -5", "-5"),
    "nothing": ("def choose(view):\n    return None", "None"),
    "words": ("def choose(view):\n    return '7d'", "7d"),
    "half a card": ("def choose(view):\n    return 1.5", "1.5"),
    "not held": ("def choose(view):\n    return 0 if view.hand & 1 == 0 else 1", "does not hold"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_strategies_at_fault(fault, here, tmp_path):
    """Exit code 3 (or 2 for a file that is no strategy), and a line that names the strategy, the place and the card."""
    content, wanted = FAULTS[fault]
    (tmp_path / "wrong.py").write_text(content)
    result = here("run", "./wrong.py", "greedy", "--games", 20, "--seed", 1, "--quiet", "--out", "out")
    line = only_line(result)
    assert "wrong" in line
    assert wanted in line
    if fault in ("has no choose", "raises at import", "is no Python"):
        assert result.returncode in (2, 3)
        assert left_behind(tmp_path) == sorted({"wrong.py", *(["__pycache__"] if (tmp_path / "__pycache__").exists() else [])})
        return
    assert result.returncode == 3
    for part in ("match wrong - greedy", "pair 0", "game 0", "ply"):
        assert part in line
    assert (tmp_path / "out" / "manifest.json").exists()
    import json

    assert json.loads((tmp_path / "out" / "manifest.json").read_text())["complete"] is False


@pytest.mark.parametrize("words", ["frobnicate", "rum", "run --help-me", "show", "show nowhere", "runs nowhere", "--nonsense"])
def test_other_commands(words, here, tmp_path):
    result = here(*words.split())
    assert only_line(result)
    assert result.returncode == 2
    assert left_behind(tmp_path) == []


def test_help_and_version(here):
    for words in (["--help"], ["run", "--help"], ["show", "-h"]):
        result = here(*words)
        assert (result.returncode, result.stderr) == (0, "")
        assert "Usage: " in result.stdout
    result = here("--version")
    assert result.stdout.startswith("basra-sim, version ")
    assert here().returncode == 2
