"""Strategies: find, load and describe them. A strategy is a file; it is always found and loaded by path.

Search order, first found wins: a path, the folders asked for, BASRA_STRATEGIES, the built-in folder, entry points
`basra_sim.strategies` of installed packages; never the current folder unasked. Compiling is the business of players.py.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import importlib.util
import inspect
import os
import re
import sys
import traceback
from collections import namedtuple
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from basra_sim.errors import BadInput, StrategyFault, nearest
from basra_sim.game.rules import RuleSet

from .parameters import Parameter, chosen, declared
from .rule_sections import Section, Sections, nearest_section, own_sections, read_sections

ENTRY_POINTS = "basra_sim.strategies"


@dataclass(frozen=True)
class Card:
    """What a strategy file says of itself; every field has a default, so that ten lines of Python are enough."""

    summary: str = ""
    description: str = ""
    source: str = ""
    stochastic: bool = False
    cheats: bool = False
    timed: str = ""  # the parameter under which, unless it is 0, it thinks by the clock
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
    parameters: Any  # a named tuple of numbers, those for the rules that it was made ready for
    module: ModuleType | None = None
    factory: Callable[[], Any] | None = None  # makes a fresh object for each game
    given: dict[str, float] = field(default_factory=dict)  # parameters that the user set, under any rules
    sections: Sections = ()  # its own numbers by rule set

    def under(self, rules: RuleSet) -> Strategy:
        """The same with its parameters for these rules: its own, those of the nearest rule set, those given by the user."""
        if not self.sections:
            return self
        own = nearest_section(self.sections, rules)[0].values
        defaults = {name: parameter.default for name, parameter in self.card.parameters.items()}
        return replace(self, parameters=self.parameters._replace(**{**defaults, **own, **self.given}))

    def with_given(self, values: dict[str, float]) -> Strategy:
        """The same with parameters set as by the user."""
        return replace(self, parameters=self.parameters._replace(**values), given={**self.given, **values})

    def stand_in(self, rules: RuleSet) -> Section | None:
        """The section of another rule set that has to serve under these, if any of its numbers are used."""
        if not self.sections:
            return None
        section, own = nearest_section(self.sections, rules)
        return None if own or set(section.values) <= set(self.given) else section

    @property
    def is_object(self) -> bool:
        """Whether it is an object with a `choose` method, which plays interpreted."""
        return self.factory is not None

    @property
    def by_the_clock(self) -> bool:
        """Whether its plays depend on how fast the machine is: the same seed need not give the same games again."""
        return bool(self.card.timed) and getattr(self.parameters, self.card.timed) != 0

    @property
    def uses_values(self) -> bool:
        """Whether its file imports from basra_sim.skill, so that the tables of the rule set must be at hand."""
        names = vars(self.module).values() if self.module else ()
        return any(str(getattr(value, "__module__", "")).startswith("basra_sim.skill") for value in names)

    def describe(self) -> dict[str, Any]:
        """What a manifest says of it."""
        return {
            "name": self.name,
            "summary": self.card.summary,
            "spec": self.spec,
            "file": str(self.path) if self.path else None,
            "sha256": self.sha256,
            "parameters": self.parameters._asdict(),
        }


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


def _plain(name: str) -> str:
    """Names are compared without case, and underscore and hyphen are one."""
    return name.lower().replace("_", "-")


def _name_of(path: Path) -> str:
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
                return _as_tuple(ast.literal_eval(node.value))  # type: ignore[attr-defined]
            except (ValueError, TypeError):
                return ()
    return ()


def _as_tuple(value: Any) -> tuple[str, ...]:
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
    from importlib.metadata import entry_points

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

    Keys are names as written; they are compared as `_plain` has it.
    """
    found: dict[str, Place] = {}
    taken: set[str] = set()

    def add(name: str, place: Place) -> None:
        if _plain(name) not in taken:
            taken.add(_plain(name))
            found[name] = place

    for folder in search_folders(folders):
        where = _where(folder, folders)
        files = files_in(folder)
        for path in files:
            add(_name_of(path), Place(path, where))
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
        place = next((place for known_name, place in known.items() if _plain(known_name) == _plain(name)), None)
        if place is not None and place.path is not None:
            return place.path
        if place is not None:
            raise BadInput(f"strategy '{name}' of {place.where} is broken: {place.trouble}")
    hint = nearest(_plain(name), list(known)) or "basra-sim strategies list shows them"
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


# ------------------------------------------------------------------------------------------------ loading
def _load_module(path: Path, sha256: str) -> ModuleType:
    """Run a strategy file as a module. It is in sys.modules before it runs, or numba's cache of it dies on the next run."""
    shown, path = path, path.resolve()
    # named by content and place: a file beside it may be a part of what it does
    plain = re.sub(r"[^A-Za-z0-9_]", "_", path.stem)
    name = f"basra_strategy_{plain}_{hashlib.sha256(f'{sha256} {path}'.encode(errors='surrogateescape')).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise BadInput(f"strategy file {shown} cannot be loaded as Python")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, KeyboardInterrupt):
            raise
        raise StrategyFault(f"strategy file {shown} fails to load: {one_line(error, path)}") from None
    return module


def one_line(error: BaseException, path: Path | None = None) -> str:
    """An exception as "NameError: name 'x' is not defined (line 12)", the line of the strategy's own file."""
    text = traceback.format_exception_only(error)[-1].strip().splitlines()[0]
    own = str(path.resolve()) if path else ""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if path and frame.filename == own]
    if isinstance(error, SyntaxError) and error.filename == own:
        lines = [error.lineno]
    return f"{text} (line {lines[-1]})" if lines and lines[-1] else text


def _card_of(module: ModuleType, path: Path) -> Card:
    def text(name: str) -> str:
        return " ".join(str(getattr(module, name, "")).split())

    parameters = declared(getattr(module, "PARAMETERS", {}), f"strategy file {path}")
    timed = text("TIMED")
    if timed and timed not in parameters:
        raise BadInput(f"strategy file {path}: TIMED = '{timed}' is none of its PARAMETERS")
    return Card(
        summary=text("SUMMARY") or ((module.__doc__ or "").strip().splitlines() or [""])[0],
        description=text("DESCRIPTION"),
        source=text("SOURCE"),
        stochastic=bool(getattr(module, "STOCHASTIC", False)),
        cheats=bool(getattr(module, "CHEATS", False)),
        aliases=_as_tuple(getattr(module, "ALIAS", ())),
        timed=timed,
        parameters=parameters,
    )


def split_spec(spec: str) -> tuple[str, str]:
    """(name or path, settings) of `NAME:settings` or `path/to/file.py:settings`; a path may hold colons itself."""
    name, _, settings = spec.partition(":")
    if os.sep in name or name.endswith(".py"):
        path = re.match(r"(.*?\.py)(?::(.*))?$", spec, re.DOTALL)
        if path:
            return path[1], path[2] or ""
    return name, settings


def load(spec: str, folders: Sequence[str | Path] = (), bare: bool = False) -> Strategy:
    """Load `NAME`, `path/to/file.py`, `NAME:key=value,key=value` or `NAME:@parameters.toml`, with parameters for egyptian-v2.

    `Strategy.under` has those for other rules. `bare`: no parameter file beside the strategy is looked for.
    """
    name, settings = split_spec(spec)
    path = find(name, folders)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise BadInput(f"strategy file {path} cannot be read: {error.strerror}") from None
    sha256 = hashlib.sha256(content).hexdigest()
    module = _load_module(path, sha256)
    card = _card_of(module, path)
    if settings.startswith("@"):  # a file that the user names stands in the place of the strategy's own
        sections, given = read_sections(Path(settings[1:]), card.parameters, spec)
    else:
        sections, given = own_sections(path, None if bare else getattr(module, "PARAMETER_FILE", ""), card.parameters)
        given = given | chosen(card.parameters, settings, spec)
    values = {name: parameter.default for name, parameter in card.parameters.items()} | given
    shown = _name_of(path) if name.endswith(".py") else _plain(name)
    strategy = Strategy(
        name=f"{shown}:{settings}" if settings else shown,
        spec=spec,
        path=path,
        sha256=sha256,
        card=card,
        choose=_no_choose,
        parameters=_parameters_class(module, list(values))(**values),
        module=module,
        given=given,
        sections=sections,
    )
    _find_choose(strategy, module, path)
    return strategy.under(RuleSet())


def _no_choose(view: Any) -> int:
    raise NotImplementedError


def _find_choose(strategy: Strategy, module: ModuleType, path: Path) -> None:
    choose, made = getattr(module, "choose", None), getattr(module, "Strategy", None)
    if callable(choose):
        strategy.choose = choose
    elif isinstance(made, type) and callable(getattr(made, "choose", None)):
        try:
            _be_object(strategy, made)
        except Exception as error:
            raise StrategyFault(f"strategy file {path}: Strategy() fails: {one_line(error, path)}") from None
    else:
        raise BadInput(f"strategy file {path} has no function choose(view), nor a class Strategy with a choose(self, view)")
    try:
        inspect.signature(strategy.choose).bind(None)
    except TypeError:
        raise BadInput(f"strategy file {path}: choose must take one argument, the view") from None
    except ValueError:
        pass  # a callable that does not tell its arguments


def _be_object(strategy: Strategy, factory: Callable[[], Any]) -> None:
    strategy.factory = factory
    strategy.choose = factory().choose


def from_object(made: Any, name: str | None = None) -> Strategy:
    """A strategy out of any object or class with a `choose(view)`, or out of such a function; it plays interpreted.

    An object is copied (`copy.deepcopy`) for each game, a class is called for each game; a function is used as it is.
    """
    label = name or getattr(made, "name", None) or getattr(made, "__name__", None) or type(made).__name__
    strategy = Strategy(str(label), str(label), None, _hash_of_object(made), Card(), made, namedtuple("Parameters", ())())
    if isinstance(made, type):
        _be_object(strategy, made)
    elif hasattr(made, "choose"):
        try:
            _be_object(strategy, lambda: copy.deepcopy(made))
        except Exception as error:
            raise BadInput(
                f"strategy {label} cannot be copied for each game ({one_line(error)}); give its class instead"
            ) from None
    elif not callable(made):
        raise BadInput(f"{label} is no strategy: it has no choose(view)")
    return strategy


def _hash_of_object(made: Any) -> str:
    """A hash of the source of a function, or of a class and the plain values that its object holds."""
    code = getattr(made, "__code__", None)
    try:
        source = inspect.getsource(made if code or isinstance(made, type) else type(made))
    except (OSError, TypeError):
        source = f"{code.co_code.hex()} {code.co_consts!r} {code.co_names!r}" if code else type(made).__qualname__
    held = {} if code or isinstance(made, type) else getattr(made, "__dict__", {})
    plain = {key: value for key, value in held.items() if isinstance(value, (int, float, str, tuple))}
    return hashlib.sha256(f"{source} {sorted(plain.items())!r}".encode()).hexdigest()


def _parameters_class(module: ModuleType, names: list[str]) -> Any:
    """The named tuple of a strategy's parameters, a class of its module, since compiled code is kept with its name."""
    if "_Parameters" not in vars(module):
        vars(module)["_Parameters"] = namedtuple("_Parameters", names, module=module.__name__)
    return vars(module)["_Parameters"]


def distinct_names(strategies: Sequence[Strategy]) -> None:
    """Give repeated names a number: `greedy`, `greedy#2`, in the order of the run."""
    counts: dict[str, int] = {}
    for strategy in strategies:
        counts[strategy.name] = counts.get(strategy.name, 0) + 1
        if counts[strategy.name] > 1:
            strategy.name = f"{strategy.name}#{counts[strategy.name]}"
