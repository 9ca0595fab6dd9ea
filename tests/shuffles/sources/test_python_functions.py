"""Decks from Python functions: those that shuffle, and those that do not, each said."""

from __future__ import annotations

from pathlib import Path

import pytest

from basra_sim.errors import BadInput
from basra_sim.shuffles.logs.deck_log import DeckLog
from basra_sim.shuffles.sources.python_functions import read_python

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
def functions(tmp_path: Path) -> str:
    path = tmp_path / "my_shuffles.py"
    path.write_text(FUNCTIONS)
    return str(path)


def count(log: DeckLog) -> int:
    return sum(map(len, log.chunks()))


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
