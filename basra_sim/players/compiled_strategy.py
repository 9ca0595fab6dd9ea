"""A strategy as a function that the engine calls by address; or why numba cannot make it one, in one line."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from basra_sim.engine.jit.cache_folder import cache_folder
from basra_sim.engine.jit.compiling import CACHE, compile_function, make_piece
from basra_sim.engine.jit.strategy_calls import strategy_entry

from .strategy import Strategy


def compiled(strategy: Strategy, watched: bool) -> Any:
    """The entry of a strategy for the engine; raises what numba raises. `watched`: it marks its desk while it is at work."""
    module = strategy.module
    assert module is not None
    # once a module: a second copy of the same code at another address costs self-play a third of its speed
    made: dict[bool, Any] = vars(module).setdefault("_entries", {})
    if watched not in made:
        made[watched] = _compile_entry(strategy, module, watched)
    return made[watched]


def _compile_entry(strategy: Strategy, module: types.ModuleType, watched: bool) -> Any:
    for name, value in list(vars(module).items()):
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__ and name != "choose":
            make_piece(value)
    # the generated entry file imports both by name: numba caches calls of named functions, not of closures
    vars(module).setdefault("_compiled_choose", compile_function(strategy.choose))
    return strategy_entry(_entry_function(strategy, watched))


_ENTRY = '''"""Generated: how the engine calls a strategy."""
from basra_sim.engine.jit.instructions import card_id, real, word
from basra_sim.engine.layouts import desk_at
from basra_sim.engine.sight import view_at
from {module} import _compiled_choose as choose, _Parameters as Parameters


def entry(hand, floor, row, seen, moment, desk):
    at = desk_at(desk).parameters
    return card_id(choose(view_at(hand, floor, row, seen, moment, desk, {parameters})))
'''
_WATCHED_ENTRY = '''"""Generated: how the engine calls a strategy that another process watches."""
from basra_sim.engine.jit.instructions import card_id, mark, real, word
from basra_sim.engine.layouts import MARK_AT, desk_at
from basra_sim.engine.sight import view_at
from {module} import _compiled_choose as choose, _Parameters as Parameters


def entry(hand, floor, row, seen, moment, desk):
    at = desk_at(desk).parameters
    mark(desk + MARK_AT)
    card = card_id(choose(view_at(hand, floor, row, seen, moment, desk, {parameters})))
    mark(desk + MARK_AT)
    return card
'''


def _entry_function(strategy: Strategy, watched: bool) -> Callable[..., int]:
    module = strategy.module
    assert module is not None
    name = f"{'watched' if watched else 'entry'}_{module.__name__}_{_constants_hash(module)}"
    if name in sys.modules:
        return vars(sys.modules[name])["entry"]
    loads = [
        f"{'real' if isinstance(value, float) else 'word'}(at, {number})"
        for number, value in enumerate(strategy.parameters)
    ]
    text = (_WATCHED_ENTRY if watched else _ENTRY).format(module=module.__name__, parameters=f"Parameters({', '.join(loads)})")
    made = types.ModuleType(name)
    sys.modules[name] = made  # before it runs, as for strategies: what is cached is found again by this name
    filename = f"<{name}>"
    if CACHE:
        path = cache_folder() / f"{name}.py"
        if not path.exists():
            own = path.with_name(f"{path.name}.{os.getpid()}.tmp")
            own.parent.mkdir(parents=True, exist_ok=True)  # it may have been pruned under a process that ran for weeks
            own.write_text(text)
            os.replace(own, path)
        filename = str(path)
    exec(compile(text, filename, "exec"), vars(made))
    function: Callable[..., int] = vars(made)["entry"]
    return function


def _constants_hash(module: types.ModuleType) -> str:
    """A hash of the module's numbers, texts and arrays, which compiled code is made of: they may come from other files."""
    digest = hashlib.sha256()
    for name, value in sorted(vars(module).items()):
        if isinstance(value, np.ndarray):
            digest.update(f"{name} {value.dtype} {value.shape}".encode() + value.tobytes())
        elif isinstance(value, (int, float, complex, str, tuple, np.generic)) and not name.startswith("__"):
            digest.update(f"{name} {type(value).__name__} {value!r}".encode())
    return digest.hexdigest()[:8]


def why_not(error: Exception, file: str) -> str:
    """numba's many lines cut down to the one that names the trouble, and the line of the strategy's file."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    answer = re.search(r">>> card_id\((.*)\)", text)
    if answer:
        kind = re.sub(r"^Literal\[(\w+)\].*", r"\1", answer[1])
        return f"choose may return {_PYTHON_TYPES.get(kind, kind)}, which is no card id"
    lines = [line.strip().lstrip("> ") for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(_DULL)]
    reason = (telling or lines or [type(error).__name__])[0].rstrip(":")
    for pattern, plain in _SHORTER:
        reason = re.sub(pattern, plain, reason)
    place = re.search(rf"{re.escape(file)}(?:\", line |\s*\()(\d+)", text)
    return f"numba cannot compile it: {reason[:160]}" + (f" (line {place[1]})" if place else "")


_PYTHON_TYPES = {"none": "None", "float64": "a float", "bool": "True or False", "str": "a text", "unicode_type": "a text"}
_DULL = (
    "Failed in", "During:", "File ", "This error", "To find out", "Compilation is", "<source", "There are", "- Of which",
    "Overload of", "Overload in", "With argument", "Rejected as", "No implementation of function", "Resolution failure", "***",
)  # fmt: skip
# addresses, the types of all fields of a view, and places, which differ from machine to machine
_SHORTER = ((r" at 0x[0-9a-f]+", ""), (r"\bView\(.*", "View"), (r"\.? Raised from .*", ""), (r"\bfrom '.*?'", ""))
