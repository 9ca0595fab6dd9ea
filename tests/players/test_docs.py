"""docs/strategies.md against the program: fields, rule numbers, helpers, the shortest strategy."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from basra_sim import view
from basra_sim.runs.running import run
from basra_sim.workshop.strategy_checks import _CHECKS

DOCS = Path(__file__).resolve().parents[2] / "docs" / "strategies.md"


@pytest.fixture(scope="module")
def text() -> str:
    return DOCS.read_text(encoding="utf-8")


def section(text: str, title: str) -> str:
    return text.split(f"## {title}\n")[1].split("\n## ")[0]


def first_column(part: str) -> list[str]:
    cells = [line.split("|")[1] for line in part.splitlines() if line.startswith("| `")]
    return [name for cell in cells for name in re.findall(r"`(\w+)", cell)]


def test_the_fields_of_the_view_in_their_order(text):
    part = section(text, "The view")
    assert first_column(part) == list(view.View._fields)
    assert f"Version {view.VIEW_VERSION}." in part
    told = re.findall(r"`(\w+)`", part.split("`view.rules` holds")[1])
    assert told == list(view.RuleNumbers._fields)


def test_every_helper_is_told(text):
    part = section(text, "Helpers")
    helpers = [name for name in view.__all__ if inspect.isfunction(getattr(view, name))]
    assert sorted(first_column(part)) == sorted(helpers)
    kinds = re.findall(r"`([A-Z_]+)`", part.split("Kinds are")[1].split("= 0 to 5")[0])
    assert [getattr(view, name) for name in kinds] == list(range(6))
    assert {f".{field}" for field in view.Outcome._fields} == set(re.findall(r"`(\.\w+)`", part))


def test_every_check_is_told(text):
    told = re.findall(r"^\| (\w+)[ ,|]", section(text, "What `check` does"), re.MULTILINE)
    names = {name.__name__.lstrip("_").replace("modes_agree", "modes").replace("draws", "flags") for name in _CHECKS}
    assert names <= set(told)


def test_the_shortest_strategy_plays(text, write):
    code = re.search(r"`lowest.py`:\n\n```python\n(.*?)```", text, re.DOTALL)
    path = write("lowest.py", code[1])
    mine, first = (run([name, "greedy"], games=20, seed=1).totals.matches[0] for name in (str(path), "first"))
    assert mine.pair_sums == first.pair_sums


def test_commands_and_files_named_in_the_guides_exist():
    root = DOCS.parents[1]
    guide = (root / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for name in re.findall(r"`((?:basra_sim|tests|docs)/[\w./]*)`", guide) + re.findall(r"\((docs/[\w.]+)\)", guide):
        assert (root / name).exists(), name
