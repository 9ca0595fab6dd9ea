"""Strategy files become modules: each once and under its own place, and none that breaks stays behind."""

from __future__ import annotations

import sys

import pytest

from basra_sim.errors import BadInput, StrategyFault
from basra_sim.players.loading import load

LOWEST = "from basra_sim.view import lowest\n\n\ndef choose(view):\n    return lowest(view.hand)\n"


def test_a_file_that_cannot_be_read(write, monkeypatch):
    path = write("mine.py", LOWEST)

    def refuse(self):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(path), "read_bytes", refuse)
    with pytest.raises(BadInput, match=r"strategy file .*mine\.py cannot be read: Permission denied"):
        load(str(path))


def test_the_same_text_in_two_places_is_two_modules(write):
    text = "import pathlib\nNUMBER = int(pathlib.Path(__file__).with_suffix('.txt').read_text())\n" + LOWEST
    for folder in "ab":
        write(f"{folder}/mine.txt", str(ord(folder)))
        strategy = load(str(write(f"{folder}/mine.py", text)))
        number = strategy.module.NUMBER
        assert number == ord(folder)


def test_a_strategy_that_breaks_leaves_no_module_behind(write):
    path = write("mine.py", "raise KeyError('x')")
    before = set(sys.modules)
    for _ in range(2):
        with pytest.raises(StrategyFault, match="KeyError: 'x'"):
            load(str(path))
    assert not [name for name in set(sys.modules) - before if "mine" in name]
