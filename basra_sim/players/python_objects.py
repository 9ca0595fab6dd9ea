"""Objects, classes and functions of a Python program as strategies, and whatever else somebody may name one by."""

from __future__ import annotations

import copy
import hashlib
import inspect
from collections import namedtuple
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from basra_sim.errors import BadInput, one_line

from .loading import load
from .strategy import Card, Strategy, distinct_names


def load_strategies(given: Sequence[Any], folders: Sequence[str | Path]) -> list[Strategy]:
    """Strategies from specs, loaded strategies, functions or objects with a `choose`; repeated names get #2, #3."""
    loaded = []
    for one in given:
        if isinstance(one, Strategy):
            loaded.append(replace(one))
        else:
            loaded.append(load(one, folders) if isinstance(one, str) else from_object(one))
    distinct_names(loaded)
    return loaded


def from_object(made: Any, name: str | None = None) -> Strategy:
    """A strategy out of any object or class with a `choose(view)`, or out of such a function; it plays interpreted.

    An object is copied (`copy.deepcopy`) for each game, a class is called for each game; a function is used as it is.
    """
    label = name or getattr(made, "name", None) or getattr(made, "__name__", None) or type(made).__name__
    strategy = Strategy(str(label), str(label), None, _hash_of_object(made), Card(), made, namedtuple("Parameters", ())())
    if isinstance(made, type):
        strategy.be_object(made)
    elif hasattr(made, "choose"):
        try:
            strategy.be_object(lambda: copy.deepcopy(made))
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
