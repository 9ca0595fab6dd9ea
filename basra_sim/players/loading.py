"""Strategy files become strategies: run as modules, their cards read, their parameters set. Compiling is for later."""

from __future__ import annotations

import hashlib
import importlib.util
import inspect
import re
import sys
from collections import namedtuple
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from basra_sim.errors import BadInput, StrategyFault, UnfitLibrary, one_line
from basra_sim.game.rules import RuleSet

from .parameters import chosen, declared
from .rule_sections import own_sections, read_sections
from .strategy import Card, Strategy
from .strategy_files import find, name_of, plain_name, split_spec, words_of


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
    shown = name_of(path) if name.endswith(".py") else plain_name(name)
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
            strategy.be_object(made)
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
        if isinstance(error, (KeyboardInterrupt, UnfitLibrary)):
            raise
        raise StrategyFault(f"strategy file {shown} fails to load: {one_line(error, path)}") from None
    return module


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
        aliases=words_of(getattr(module, "ALIAS", ())),
        timed=timed,
        parameters=parameters,
    )


def _parameters_class(module: ModuleType, names: list[str]) -> Any:
    """The named tuple of a strategy's parameters, a class of its module, since compiled code is kept with its name."""
    if "_Parameters" not in vars(module):
        vars(module)["_Parameters"] = namedtuple("_Parameters", names, module=module.__name__)
    return vars(module)["_Parameters"]
