"""docs/architecture.md against the tree: what it names is there, and no room is left out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
HOUSE = ROOT / "basra_sim"
ROOMS = sorted(path.parent.relative_to(HOUSE) for path in HOUSE.rglob("__init__.py") if path.parent != HOUSE)


def test_every_path_and_module_it_names_exists():
    paths = re.findall(r"`((?:basra_sim|tests|docs|strategies|reports)/[\w/.-]*)`", TEXT)
    modules = re.findall(r"`(basra_sim(?:\.\w+)+)`", TEXT)
    files = re.findall(r"`([\w/]+\.py)`", TEXT)
    assert len(paths) > 15
    assert not [path for path in paths if "NAME" not in path and not (ROOT / path).exists()]
    assert not [name for name in modules if not list(HOUSE.parent.glob(name.replace(".", "/") + "*"))]
    assert not [name for name in files if "NAME" not in name and not list(ROOT.glob(name if "/" in name else f"*/**/{name}"))]


@pytest.mark.parametrize("room", [str(room) for room in ROOMS])
def test_no_room_is_left_out(room):
    outer, _, inner = room.partition("/")
    picture = TEXT.split("```")[1]
    assert re.search(rf"\b{outer}\b", picture)
    assert not inner or f"`{inner}`" in TEXT or f"`{room}`" in TEXT or f"basra_sim/{room}" in TEXT or room in TEXT


def test_no_list_of_files_to_touch_is_longer_than_three():
    rows = re.findall(r"^\| (a .*?) \| (.*) \|$", TEXT, re.MULTILINE)
    assert [what for what, _ in rows] == [
        "a strategy", "a house rule", "a statistic", "a plot", "a verb", "a shuffle test", "a log format",
    ]  # fmt: skip
    for what, files in rows:
        assert len(files.split(";")) <= 3, what
