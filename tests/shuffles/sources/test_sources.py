"""Programs and functions as sources of decks, and all that they may do wrong."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from basra_sim.errors import BadInput
from basra_sim.shuffles.logs.deck_log import DeckLog
from basra_sim.shuffles.sources.programs import read_command
from basra_sim.shuffles.sources.python_functions import read_python

PROGRAM = """
import random, sys
mode = sys.argv[1]
pack = [r + s for s in "CDHS" for r in "A23456789TJQK"]
def show(deck):
    print(" ".join(deck), flush=True)
if mode == "many":
    for _ in range(int(sys.argv[2])):
        random.shuffle(pack); show(pack)
elif mode == "forever":
    while True:
        random.shuffle(pack); show(pack)
elif mode == "seeded":
    random.seed(5)
    for _ in range(60):
        random.shuffle(pack); show(pack)
elif mode == "dies":
    random.shuffle(pack); show(pack); random.shuffle(pack); show(pack); raise SystemExit("out of cards")
elif mode == "answers":
    for line in sys.stdin:
        deck = line.split(); random.shuffle(deck); show(deck)
elif mode == "hangs":
    random.shuffle(pack); show(pack)
    sys.stdin.read() if len(sys.argv) > 2 else __import__("time").sleep(60)
"""
FUNCTIONS = """
import random
import numpy as np
def in_place(deck): random.shuffle(deck)
def returned(deck): return random.sample(deck, len(deck))
def array(deck): return np.random.permutation(deck)
def copy(deck): np.random.shuffle(np.array(deck))
def unchanged(deck): return deck
def fixed(deck): random.Random(5).shuffle(deck)
def own():
    deck = [r + s for r in "23456789TJQKA" for s in "CDHS"]
    random.shuffle(deck)
    return deck
def fails(deck): raise ValueError("no cards left")
def short(deck): random.shuffle(deck); return deck[:-1]
def sometimes(deck, calls=[0]):
    calls[0] += 1
    random.shuffle(deck)
    return deck[calls[0] == 3:]
def two(deck, times): pass
def number(deck): return 5
def nothing(): pass
"""


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return f"{sys.executable} {path}"


@pytest.fixture
def functions(tmp_path: Path) -> str:
    path = tmp_path / "my_shuffles.py"
    path.write_text(FUNCTIONS)
    return str(path)


def count(log: DeckLog) -> int:
    return sum(map(len, log.chunks()))


def test_as_many_decks_as_asked_for_are_read_and_the_program_is_stopped(program: str) -> None:
    begin = time.monotonic()
    log = read_command(f"{program} forever", decks=500)
    assert count(log) == 500
    assert time.monotonic() - begin < 10


def test_a_program_that_prints_few_decks_is_started_again(program: str) -> None:
    log = read_command("seq 0 51 | shuf", decks=30)
    assert count(log) == 30
    assert "was started" in " ".join(log.notes)
    assert "one card a line" in log.format


def test_starts_that_print_the_same_are_read_once_and_said(program: str) -> None:
    log = read_command(f"{program} seeded", decks=500)
    assert count(log) == 60
    assert "each start of the program prints the same" in " ".join(log.notes)
    assert "only 60 of the 500" in " ".join(log.notes)


def test_a_program_that_dies_in_the_middle_is_said_with_its_last_words(program: str) -> None:
    log = read_command(f"{program} dies", decks=500)
    assert count(log) == 2
    assert "exit code 1" in " ".join(log.notes) and "out of cards" in " ".join(log.notes)


@pytest.mark.parametrize("start", ["new", "prev", "SHDC-A2K"])
def test_the_order_before_may_be_told_on_standard_input(program: str, start: str) -> None:
    assert count(read_command(f"{program} answers", decks=200, start=start)) == 200


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("exit 3", "exit code 3 before it printed a deck"),
        ("true", "without printing anything"),
        ("no-such-program-here", "not found"),
        (f"{sys.executable} -c 1/0", "ZeroDivisionError"),
        ("yes", "line 1: no card in 'y'"),
        ("seq 0 51 | tr '\\n' ' '", "gave the same deck 20 times in a row"),
        ("yes \"$(seq 0 51 | tr '\\n' ' ')\"", "the same deck"),
        ("cat", "the same deck"),
    ],
)
def test_programs_that_are_no_shuffle(command: str, reason: str) -> None:
    with pytest.raises(BadInput) as caught:
        count(read_command(command, start="new" if command == "cat" else None))
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_program_that_falls_silent(program: str) -> None:
    with pytest.raises(BadInput, match=r"printed nothing for 0.5 s.*flush"):
        read_command("sleep 60", silence=0.5)
    with pytest.raises(BadInput, match="nothing more for 1 s"):
        count(read_command(f"{program} hangs", silence=1.0))


@pytest.mark.parametrize("name", ["in_place", "returned", "array", "own"])
def test_functions_that_shuffle(functions: str, name: str) -> None:
    log = read_python(f"{functions}:{name}", decks=50)
    assert count(log) == 50
    assert ("ignores the deck" in " ".join(log.notes)) == (name == "own")


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("copy", "shuffles a copy"),
        ("unchanged", "in the same order"),
        ("fixed", "the same deck 20 times"),
        ("fails", "call 1 of .* raised ValueError: no cards left"),
        ("short", "call 1: 51 cards instead of 52"),
        ("two", r"needs 2 arguments \(deck, times\)"),
        ("number", "returned int, not a deck"),
        ("nothing", "takes no deck and returns none"),
        ("in_plase", "did you mean in_place"),
    ],
)
def test_functions_that_do_not(functions: str, name: str, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        count(read_python(f"{functions}:{name}", decks=50))


def test_a_bad_call_is_a_finding_with_its_number(functions: str) -> None:
    log = read_python(f"{functions}:sometimes", decks=50)
    assert count(log) == 49
    assert str(log.reasons[0]).startswith("call 3: 51 cards instead of 52")


def test_start_from_the_last_deck_and_small_packs() -> None:
    assert count(read_python("random:shuffle", decks=100, start="prev")) == 100
    assert count(read_python("random:shuffle", decks=100, deck_size=5)) == 100


@pytest.mark.parametrize("target", ["random", "no_module_here:f", "nofile.py:f"])
def test_targets_that_are_not_there(target: str) -> None:
    with pytest.raises(BadInput):
        read_python(target)
