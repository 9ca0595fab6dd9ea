"""Strategies: find, load and describe them. A strategy is a file; it is always found and loaded by path.

Search order, first found wins: a path, the folders asked for, BASRA_STRATEGIES, the built-in folder, entry points
`basra_sim.strategies` of installed packages; never the current folder unasked. Compiling is compile.py's business.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import os
import sys
import tomllib
import traceback
from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from .errors import BadInput, nearest

ENTRY_POINTS = "basra_sim.strategies"


class Parameter(NamedTuple):
    """A number that the user may set: a float if its default is one, otherwise an integer."""

    default: float
    low: float
    high: float
    meaning: str


@dataclass(frozen=True)
class Card:
    """What a strategy file says of itself; every field has a default, so that ten lines of Python are enough."""

    summary: str = ""
    description: str = ""
    source: str = ""
    stochastic: bool = False
    cheats: bool = False
    aliases: tuple[str, ...] = ()
    parameters: dict[str, Parameter] = field(default_factory=dict)


@dataclass
class Strategy:
    """A loaded strategy with its parameters set. `choose` is the plain Python function or bound method."""

    name: str  # as in the run
    spec: str  # as asked for
    path: Path | None  # None for an object given to the library
    sha256: str
    card: Card
    choose: Callable[[Any], Any]
    parameters: Any  # a named tuple of numbers
    module: ModuleType | None = None
    new_game: Callable[[], None] | None = None  # objects that remember are told of a new game
    factory: Callable[[], Any] | None = None  # makes a fresh object for each worker

    @property
    def is_object(self) -> bool:
        """Whether it is an object with a `choose` method, which plays interpreted."""
        return self.factory is not None

    def describe(self) -> dict[str, Any]:
        """What a manifest says of it."""
        return {
            "name": self.name,
            "spec": self.spec,
            "file": str(self.path) if self.path else None,
            "sha256": self.sha256,
            "parameters": self.parameters._asdict(),
        }


def builtin_folder() -> Path:
    """Where the shipped strategies lie: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent
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


def _name_of(path: Path) -> str:
    return path.stem.replace("_", "-")


def _aliases_of(path: Path) -> tuple[str, ...]:
    """The aliases that a file declares, read without running it."""
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, OSError, ValueError):
        return ()
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "ALIAS" for t in node.targets):
            try:
                return _as_tuple(ast.literal_eval(node.value))
            except ValueError:
                return ()
    return ()


def _as_tuple(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(str(item) for item in value)


def files_in(folder: Path) -> list[Path]:
    """The strategy files of a folder, by name."""
    return sorted(path for path in folder.glob("*.py") if not path.name.startswith("_"))


def _entry_point_files() -> dict[str, Path]:
    """Files of installed packages: each entry point names a module that is a strategy file."""
    from importlib.metadata import entry_points

    found = {}
    for point in entry_points(group=ENTRY_POINTS):
        try:
            spec = importlib.util.find_spec(point.module)
        except (ImportError, ValueError):
            spec = None
        origin = spec.origin if spec else None
        found[point.name.replace("_", "-")] = Path(origin or f"<entry point {point.value}>")
    return found


def known_files(folders: Sequence[str | Path] = ()) -> dict[str, Path]:
    """Every strategy that can be named -> its file; the first found wins, aliases come last."""
    found: dict[str, Path] = {}
    aliases: dict[str, Path] = {}
    for folder in search_folders(folders):
        for path in files_in(folder):
            found.setdefault(_name_of(path), path)
            for alias in _aliases_of(path):
                aliases.setdefault(alias.replace("_", "-"), path)
    for name, path in _entry_point_files().items():
        found.setdefault(name, path)
    return found | {alias: path for alias, path in aliases.items() if alias not in found}


def find(name: str, folders: Sequence[str | Path] = ()) -> Path:
    """The file of a strategy given by name or by path; BadInput suggests the nearest names."""
    if name.endswith(".py") or os.sep in name:
        path = Path(name)
        if not path.is_file():
            raise BadInput(f"there is no strategy file {name}")
        return path
    known = known_files(folders)
    path_of = known.get(name.replace("_", "-").lower())
    if path_of is None:
        hint = nearest(name, list(known)) or "basra-sim strategies list shows them"
        raise BadInput(f"unknown strategy '{name}': {hint}")
    return path_of


# ------------------------------------------------------------------------------------------------ loading
def _load_module(path: Path, sha256: str) -> ModuleType:
    """Run a strategy file as a module. It is in sys.modules before it runs, or numba's cache of it dies on the next run."""
    name = f"basra_strategy_{path.stem}_{sha256[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadInput(f"strategy file {path} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise BadInput(f"strategy file {path} fails to load: {one_line(error, path)}") from None
    return module


def one_line(error: BaseException, path: Path | None = None) -> str:
    """An exception as "NameError: name 'x' is not defined (line 12)", the line of the strategy's own file."""
    text = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
    line = None
    if isinstance(error, SyntaxError):
        line = error.lineno
    else:
        frames = traceback.extract_tb(error.__traceback__)
        own = [frame.lineno for frame in frames if path and Path(frame.filename) == path]
        line = own[-1] if own else None
    return f"{text} (line {line})" if line else text


def _card_of(module: ModuleType, path: Path) -> Card:
    def text(name: str) -> str:
        return str(getattr(module, name, "")).strip()

    parameters = {}
    for name, values in dict(getattr(module, "PARAMETERS", {})).items():
        try:
            parameter = Parameter(*values)
            ordered = parameter.low <= parameter.default <= parameter.high
        except TypeError:
            ordered = False
        if not ordered or not str(name).isidentifier():
            raise BadInput(
                f"{path}: PARAMETERS['{name}'] must be (default, lowest, highest, meaning) with lowest <= default <= highest"
            )
        parameters[name] = parameter
    return Card(
        summary=text("SUMMARY") or ((module.__doc__ or "").strip().splitlines() or [""])[0],
        description=text("DESCRIPTION"),
        source=text("SOURCE"),
        stochastic=bool(getattr(module, "STOCHASTIC", False)),
        cheats=bool(getattr(module, "CHEATS", False)),
        aliases=_as_tuple(getattr(module, "ALIAS", ())),
        parameters=parameters,
    )


def load(spec: str, folders: Sequence[str | Path] = ()) -> Strategy:
    """Load `NAME`, `path/to/file.py`, `NAME:key=value,key=value` or `NAME:@parameters.toml`."""
    name, _, settings = spec.partition(":")
    path = find(name, folders)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"strategy file {path} cannot be read: {error.strerror}") from None
    sha256 = hashlib.sha256(content).hexdigest()
    module = _load_module(path.resolve(), sha256)
    card = _card_of(module, path)
    values = _parameters(module, card, settings, spec)
    shown = name.lower().replace("_", "-") if not name.endswith(".py") else _name_of(path)
    strategy = Strategy(
        name=f"{shown}:{settings}" if settings else shown,
        spec=spec,
        path=path,
        sha256=sha256,
        card=card,
        choose=_no_choose,
        parameters=values,
        module=module,
    )
    _find_choose(strategy, module, path)
    return strategy


def _no_choose(view: Any) -> int:
    raise NotImplementedError


def _find_choose(strategy: Strategy, module: ModuleType, path: Path) -> None:
    choose = getattr(module, "choose", None)
    if callable(choose):
        strategy.choose = choose
        return
    made = getattr(module, "Strategy", None)
    if isinstance(made, type) and callable(getattr(made, "choose", None)):
        _be_object(strategy, made)
        return
    raise BadInput(f"{path} has no function choose(view), nor a class Strategy with a choose(self, view)")


def _be_object(strategy: Strategy, factory: Callable[[], Any]) -> None:
    strategy.factory = factory
    made = factory()
    strategy.choose = made.choose
    strategy.new_game = getattr(made, "new_game", None)


def from_object(made: Any, name: str | None = None) -> Strategy:
    """A strategy out of any Python object with a `choose(view)`, or out of such a function; it plays interpreted."""
    import copy
    import inspect

    function = made if callable(made) and not hasattr(made, "choose") else made.choose
    try:
        source = inspect.getsource(function if made is function else type(made))
    except (OSError, TypeError):
        source = repr(type(made))
    label = name or getattr(made, "name", None) or getattr(made, "__name__", None) or type(made).__name__
    sha256 = hashlib.sha256(source.encode()).hexdigest()
    strategy = Strategy(str(label), str(label), None, sha256, Card(), function, namedtuple("Parameters", ())())
    if made is not function:
        _be_object(strategy, lambda: copy.deepcopy(made))
    return strategy


# ------------------------------------------------------------------------------------------------ parameters
def _parameters(module: ModuleType, card: Card, settings: str, spec: str) -> Any:
    values = {name: parameter.default for name, parameter in card.parameters.items()}
    for name, text in _settings(settings, spec).items():
        if name not in card.parameters:
            known = list(card.parameters)
            hint = nearest(name, known) or (f"it has {', '.join(known)}" if known else "it has no parameters")
            raise BadInput(f"{spec}: no parameter '{name}': {hint}")
        values[name] = _number(card.parameters[name], name, text, spec)
    return _parameters_class(module, list(values))(**values)


def _parameters_class(module: ModuleType, names: list[str]) -> Any:
    """The named tuple of a strategy's parameters, a class of its module, since compiled code is kept with its name."""
    if "_Parameters" not in vars(module):
        vars(module)["_Parameters"] = namedtuple("_Parameters", names, module=module.__name__)  # type: ignore[misc]
    return vars(module)["_Parameters"]


def _settings(settings: str, spec: str) -> dict[str, Any]:
    if settings.startswith("@"):
        return _parameter_file(Path(settings[1:]), spec)
    found: dict[str, Any] = {}
    for part in filter(None, settings.split(",")):
        name, equals, text = part.partition("=")
        if not equals:
            raise BadInput(f"{spec}: '{part}' is no setting; write key=value")
        if name.strip() in found:
            raise BadInput(f"{spec}: parameter '{name.strip()}' is set twice")
        found[name.strip()] = text.strip()
    return found


def _parameter_file(path: Path, spec: str) -> dict[str, Any]:
    """A TOML or JSON file of parameters; a table [parameters] in it is used if there is one."""
    try:
        content = path.read_text()
        found = json.loads(content) if path.suffix == ".json" else tomllib.loads(content)
    except OSError as error:
        raise BadInput(f"{spec}: parameter file {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"{spec}: parameter file {path} is not {'JSON' if path.suffix == '.json' else 'TOML'}: {error}") from None
    inner = found.get("parameters", found)
    return dict(inner)


def _number(parameter: Parameter, name: str, text: Any, spec: str) -> float:
    whole = isinstance(parameter.default, int) and not isinstance(parameter.default, float)
    try:
        value = int(text) if whole else float(text)
    except (TypeError, ValueError):
        raise BadInput(f"{spec}: {name}={text} is no {'whole ' if whole else ''}number") from None
    if not parameter.low <= value <= parameter.high:
        raise BadInput(f"{spec}: {name}={text} is outside {parameter.low}..{parameter.high}")
    return value


def distinct_names(strategies: Sequence[Strategy]) -> None:
    """Give repeated names a number: `greedy`, `greedy#2`, in the order of the run."""
    counts: dict[str, int] = {}
    for strategy in strategies:
        counts[strategy.name] = counts.get(strategy.name, 0) + 1
        if counts[strategy.name] > 1:
            strategy.name = f"{strategy.name}#{counts[strategy.name]}"
