"""The parameters of a strategy: what its file declares, and the values that a user gives. Imports errors only."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Mapping
from keyword import iskeyword
from pathlib import Path
from typing import Any, NamedTuple

from basra_sim.errors import BadInput, nearest

MOST = (1 << 63) - 1  # whole numbers travel to compiled code as 64-bit integers


class Parameter(NamedTuple):
    """A number that the user may set: a float if its default is one, otherwise a whole number."""

    default: float
    low: float
    high: float
    meaning: str

    @property
    def is_whole(self) -> bool:
        """Whether only whole numbers are allowed."""
        return isinstance(self.default, int)


def declared(given: Any, where: str) -> dict[str, Parameter]:
    """PARAMETERS of a strategy file, checked; BadInput names the entry that is not as it should be."""
    if not isinstance(given, Mapping):
        raise BadInput(f"{where}: PARAMETERS must be a dict of name: (default, lowest, highest, meaning)")
    return {str(name): _declared_one(str(name), values, where) for name, values in given.items()}


def _declared_one(name: str, values: Any, where: str) -> Parameter:
    if not name.isidentifier() or iskeyword(name) or name.startswith("_"):
        raise BadInput(f"{where}: '{name}' cannot be the name of a parameter; use letters, digits and underscores")
    try:
        default, low, high, meaning = values
        parameter = Parameter(default, low, high, str(meaning))
        numbers = [number for number in parameter[:3] if isinstance(number, (int, float)) and not isinstance(number, bool)]
        good = len(numbers) == 3 and low <= default <= high
        good = good and (
            not parameter.is_whole or (isinstance(low, int) and isinstance(high, int) and low >= -MOST and high <= MOST)
        )
    except (TypeError, ValueError):
        good = False
    if not good:
        raise BadInput(
            f"{where}: PARAMETERS['{name}'] must be (default, lowest, highest, meaning), numbers with lowest <= default <= "
            "highest, all three whole if the default is"
        )
    return parameter


def chosen(parameters: dict[str, Parameter], settings: str, spec: str) -> dict[str, float]:
    """The values that `settings` (``key=value,key=value``) gives. BadInput if it is wrong."""
    return numbers(parameters, _from_text(settings, spec), spec)


def numbers(parameters: dict[str, Parameter], given: Mapping[str, Any], spec: str) -> dict[str, float]:
    """Given values by parameter, checked."""
    values: dict[str, float] = {}
    for name, value in given.items():
        key = name.replace("-", "_")
        if key not in parameters:
            known = list(parameters)
            hint = nearest(key, known) or (f"it has {', '.join(known)}" if known else "it has no parameters")
            raise BadInput(f"{spec}: no parameter '{name}': {hint}")
        values[key] = _number(parameters[key], name, value, spec)
    return values


def _from_text(settings: str, spec: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in settings.split(",") if settings.strip() else []:
        name, equals, text = (piece.strip() for piece in part.partition("="))
        if not equals or not name:
            raise BadInput(f"{spec}: '{part.strip()}' is no setting; write key=value")
        if name.replace("-", "_") in found:
            raise BadInput(f"{spec}: parameter '{name}' is set twice")
        found[name.replace("-", "_")] = text
    return found


def read_file(path: Path, spec: str) -> dict[str, Any]:
    """The content of a TOML or JSON file of parameters."""
    is_json = path.suffix.lower() == ".json"
    try:
        content = path.read_text(encoding="utf-8-sig")
        found = json.loads(content) if is_json else tomllib.loads(content)
    except OSError as error:
        raise BadInput(f"{spec}: parameter file {path} cannot be read: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"{spec}: parameter file {path} is not {'JSON' if is_json else 'TOML'}: {error}") from None
    if not isinstance(found, dict):
        raise BadInput(f"{spec}: parameter file {path} holds no table of names and numbers")
    return found


def _number(parameter: Parameter, name: str, given: Any, spec: str) -> float:
    kind = "whole number" if parameter.is_whole else "number"
    try:
        if isinstance(given, (bool, list, dict)) or given is None:
            raise TypeError
        if parameter.is_whole:
            value: float = int(given) if isinstance(given, str) else _whole(given)
        else:
            value = float(given)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{spec}: {name}={given} is no {kind}") from None
    if math.isnan(value) or not parameter.low <= value <= parameter.high:
        raise BadInput(f"{spec}: {name}={given} is outside {parameter.low}..{parameter.high}")
    return value


def _whole(given: float) -> int:
    if given != int(given):
        raise ValueError
    return int(given)
