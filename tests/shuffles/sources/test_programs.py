"""Decks from programs: started again, fed, stopped, and what goes wrong said."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

from basra_sim.errors import BadInput
from basra_sim.shuffles.logs.deck_log import DeckLog
from basra_sim.shuffles.sources.programs import read_command

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


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program.py"
    path.write_text(PROGRAM)
    return f"{sys.executable} {path}"


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
