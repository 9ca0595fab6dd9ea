"""The house as it is to be: rooms of a size, names that stand once, files and functions that fit in the head."""

from __future__ import annotations

import ast
import re
from collections import Counter
from pathlib import Path
from statistics import median

import pytest

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "basra_sim"
FILES = sorted(path for path in HOUSE.rglob("*.py"))
ROOMS = sorted({path.parent for path in FILES} - {HOUSE})
TREES = {path: ast.parse(path.read_text(encoding="utf-8")) for path in [*FILES, *sorted((ROOT / "strategies").glob("*.py"))]}



def functions():
    for path, tree in TREES.items():
        for node in ast.walk(tree):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                yield path, node, (node.end_lineno or 0) - node.lineno + 1


def test_no_file_is_longer_than_400_lines():
    long = {str(path): n for path in TREES if (n := len(path.read_text(encoding="utf-8").splitlines())) > 400}
    assert not long


def test_no_function_is_longer_than_40_lines():
    long = {f"{path.relative_to(ROOT)} {node.name}".removeprefix("basra_sim/") for path, node, lines in functions() if lines > 40}
    assert not long


def test_most_functions_are_short():
    assert median(lines for _, _, lines in functions()) <= 10


def test_a_name_stands_once_in_the_house():
    names = Counter(path.stem for path in FILES if not path.stem.startswith("__")) + Counter(room.name for room in ROOMS)
    assert not {name: count for name, count in names.items() if count > 1}


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: str(room.relative_to(HOUSE)))
def test_a_room_holds_about_a_dozen_files_and_says_what_it_is(room):
    modules = [path for path in room.glob("*.py") if path.stem != "__init__"]
    assert 1 <= len(modules) + sum(part.parent == room for part in ROOMS) <= 14
    said = ast.get_docstring(TREES[room / "__init__.py"]) or ""
    sentences = re.findall(r"[.:;](?:\s|$)", said)
    assert len(sentences) >= 3, f"{room.name}: what lives here, what it may import, what comes in and goes out"


def imported(tree: ast.Module) -> set[str]:
    """The outer packages that a file names in any import, deferred ones included."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize(
    ("library", "rooms"),
    [("numba", ["engine/jit"]), ("llvmlite", ["engine/jit"]), ("click", ["cli"]), ("matplotlib", ["plots"])],
)
def test_a_library_is_known_in_one_room(library, rooms):
    homes = {path.relative_to(HOUSE).as_posix() for path in FILES if library in imported(TREES[path])}
    assert homes and all(any(home.startswith(f"{room}/") for room in rooms) for home in homes)


def test_tests_lie_in_the_rooms_of_the_house():
    own = {"api", "data", "house", "packaging", "playthroughs"}  # of the whole, not of a room
    rooms = {room.relative_to(HOUSE).as_posix() for room in ROOMS}
    tested = {path.parent.relative_to(ROOT / "tests").as_posix() for path in (ROOT / "tests").rglob("test_*.py")}
    assert {name for name in tested if name.split("/")[0] not in own} <= rooms
