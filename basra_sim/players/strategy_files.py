"""Where strategies are found: a strategy is a file, always found by path. Runs none of them.

Search order, first found wins: a path, the folders asked for, BASRA_STRATEGIES, the built-in folder, entry points
`basra_sim.strategies` of installed packages; never the current folder unasked.
"""

from __future__ import annotations

import ast
import importlib.util
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from basra_sim.errors import BadInput, nearest, one_line

ENTRY_POINTS = "basra_sim.strategies"


def builtin_folder() -> Path:
    """Where the shipped strategies lie: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "strategies"
    return inside if inside.is_dir() else package.parent / "strategies"


def search_folders(asked: Sequence[str | Path] = ()) -> list[Path]:
    """The folders that are searched, in order. A folder that was asked for and is not there is an error."""
    folders = []
    for given in asked:
        if not Path(given).is_dir():
            raise BadInput(f"--strategies {given}: there is no such folder")
        folders.append(Path(given))
    for given in os.environ.get("BASRA_STRATEGIES", "").split(os.pathsep):
        if given:
            if not Path(given).is_dir():
                raise BadInput(f"BASRA_STRATEGIES names {given}: there is no such folder")
            folders.append(Path(given))
    return [*folders, builtin_folder()]


def plain_name(name: str) -> str:
    """Names are compared without case, and underscore and hyphen are one."""
    return name.lower().replace("_", "-")


def name_of(path: Path) -> str:
    """The name of the strategy in a file."""
    return path.stem.replace("_", "-")


def _aliases_of(path: Path) -> tuple[str, ...]:
    """The aliases that a file declares, read without running it."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, OSError, ValueError):
        return ()
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        if any(isinstance(target, ast.Name) and target.id == "ALIAS" for target in targets):
            try:
                return words_of(ast.literal_eval(node.value))  # type: ignore[attr-defined]
            except (ValueError, TypeError):
                return ()
    return ()


def words_of(value: Any) -> tuple[str, ...]:
    """One text or several, as a strategy file may give its aliases."""
    if isinstance(value, str):
        return (value,)
    return tuple(str(item) for item in value) if isinstance(value, (list, tuple)) else ()


def files_in(folder: Path) -> list[Path]:
    """The strategy files of a folder, by name."""
    return sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))


class Place(NamedTuple):
    """Where a strategy was found: its file (None if there is none to be found), and in whose words."""

    path: Path | None
    where: str
    trouble: str = ""  # why there is no file


def _entry_points() -> dict[str, Place]:
    """Strategies of installed packages: each entry point names a module that is a strategy file."""
    from importlib.metadata import entry_points  # for names that no folder has

    found = {}
    for point in entry_points(group=ENTRY_POINTS):
        package = f"package {point.dist.name}" if point.dist else "an installed package"
        try:
            spec = importlib.util.find_spec(point.module)
            trouble = "" if spec and spec.origin else f"there is no module {point.module}"
        except Exception as error:  # a parent package that fails to import
            spec, trouble = None, one_line(error)
        path = Path(spec.origin) if spec and spec.origin and not trouble else None
        found[point.name.replace("_", "-")] = Place(path, package, trouble)
    return found


def _where(folder: Path, asked: Sequence[str | Path]) -> str:
    if folder in map(Path, asked):
        return str(folder)
    return "built-in" if folder == builtin_folder() else f"{folder} (BASRA_STRATEGIES)"


def places(folders: Sequence[str | Path] = (), installed: bool = True) -> dict[str, Place]:
    """Every strategy that can be named -> where it is, by the search order; aliases of a folder come after its names.

    Keys are names as written; they are compared as `plain_name` has it.
    """
    found: dict[str, Place] = {}
    taken: set[str] = set()

    def add(name: str, place: Place) -> None:
        if plain_name(name) not in taken:
            taken.add(plain_name(name))
            found[name] = place

    for folder in search_folders(folders):
        where = _where(folder, folders)
        files = files_in(folder)
        for path in files:
            add(name_of(path), Place(path, where))
        for path in files:
            for alias in _aliases_of(path):
                add(alias.replace("_", "-"), Place(path, where))
    for name, place in _entry_points().items() if installed else ():
        add(name, place)
    return found


def find(name: str, folders: Sequence[str | Path] = ()) -> Path:
    """The file of a strategy given by name or by path; BadInput suggests the nearest names."""
    if name.endswith(".py") or os.sep in name:
        return _given_file(name)
    for installed in (False, True):  # packages are asked only for what the folders do not have
        known = places(folders, installed)
        place = next((place for known_name, place in known.items() if plain_name(known_name) == plain_name(name)), None)
        if place is not None and place.path is not None:
            return place.path
        if place is not None:
            raise BadInput(f"strategy '{name}' of {place.where} is broken: {place.trouble}")
    hint = nearest(plain_name(name), list(known)) or "basra-sim strategies list shows them"
    if Path(f"{name}.py").is_file():
        hint = f"write ./{name}.py for the file in this folder"
    raise BadInput(f"unknown strategy '{name}': {hint}")


def _given_file(name: str) -> Path:
    path = Path(name)
    if path.is_dir():
        raise BadInput(f"{name} is a folder, not a strategy file; to name strategies that lie in it use --strategies {name}")
    if not path.exists():
        near = nearest(path.name, [other.name for other in path.parent.glob("*.py") if other.is_file()])
        raise BadInput(f"there is no strategy file {name}" + (f": {near}" if near else ""))
    if path.suffix != ".py":
        raise BadInput(f"{name} is no strategy file: it must be Python and end in .py")
    return path


def split_spec(spec: str) -> tuple[str, str]:
    """(name or path, settings) of `NAME:settings` or `path/to/file.py:settings`; a path may hold colons itself."""
    name, _, settings = spec.partition(":")
    if os.sep in name or name.endswith(".py"):
        path = re.match(r"(.*?\.py)(?::(.*))?$", spec, re.DOTALL)
        if path:
            return path[1], path[2] or ""
    return name, settings
