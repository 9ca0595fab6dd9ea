"""How a strategy plays: compiled into a function that the engine calls by address, or interpreted through a callback.

Both are the same file and give the same plays. Which one a strategy became, and why, is for the run to say.
"""

from __future__ import annotations

import os
import re
import struct
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from .cards import ALL_CARDS
from .jit import (
    CACHE,
    JIT_ON,
    RAISED,
    cache_folder,
    callback,
    callback_address,
    compile_function,
    make_piece,
    strategy_entry,
)
from .memory import Memory
from .registry import Strategy, one_line
from .rng import SeatStream
from .rules import RuleSet
from .view import DESK_BYTES, KIND_BITS, KIND_FIELD, RuleNumbers, View, rule_numbers

NO_CARD = -3  # what a callback returns when the strategy gave something that is no card


@dataclass
class Player:
    """A strategy made ready: `entry` is the compiled function, or None when it plays interpreted, for the given reason."""

    strategy: Strategy
    entry: Any
    reason: str

    @property
    def mode(self) -> str:
        """ "compiled" or "interpreted"."""
        return "compiled" if self.entry is not None else "interpreted"


# ------------------------------------------------------------------------------------------------ compiled
def prepare(strategy: Strategy, interpret: bool = False) -> Player:
    """Compile a strategy where that can be done; otherwise say why it plays interpreted."""
    if interpret:
        return Player(strategy, None, "--interpret was given")
    if not JIT_ON:
        return Player(strategy, None, "NUMBA_DISABLE_JIT is set")
    if strategy.is_object or strategy.module is None:
        return Player(strategy, None, "it is a Python object, not a file with a choose(view)")
    try:
        entry = _compile(strategy)
    except Exception as error:  # numba raises many kinds; each of them means: not compilable
        return Player(strategy, None, _why_not(error))
    return Player(strategy, entry, "")


def _compile(strategy: Strategy) -> Any:
    module = strategy.module
    assert module is not None
    for name, value in list(vars(module).items()):
        if isinstance(value, types.FunctionType) and value.__module__ == module.__name__ and name != "choose":
            make_piece(value)
    # the generated entry file imports both by name: numba caches calls of named functions, not of closures
    vars(module).setdefault("_compiled_choose", compile_function(strategy.choose))
    entry = strategy_entry(_entry_function(strategy))
    kinds = {str(compiled.signature.return_type) for compiled in vars(module)["_compiled_choose"].overloads.values()}
    for kind in kinds:
        if not kind.startswith(("int", "uint", "Literal[int]")):
            raise TypeError(f"choose returns {kind}, which is no card id")
    return entry


_ENTRY = '''"""Generated: how the engine calls the strategy {name}."""
from basra_sim.jit import load_f64, load_i64
from basra_sim.view import PARAMETERS_AT, view_at
from {module} import _compiled_choose as choose, _Parameters as Parameters


def entry(hand, floor, row, seen, moment, desk):
    at = load_i64(desk + PARAMETERS_AT)
    return choose(view_at(hand, floor, row, seen, moment, desk, {parameters}))
'''


def _entry_function(strategy: Strategy) -> Callable[..., int]:
    loads = [
        f"{'load_f64' if isinstance(value, float) else 'load_i64'}(at + {8 * number})"
        for number, value in enumerate(strategy.parameters)
    ]
    assert strategy.module is not None
    text = _ENTRY.format(
        name=strategy.name.partition(":")[0], module=strategy.module.__name__, parameters=f"Parameters({', '.join(loads)})"
    )
    name = f"entry_{strategy.module.__name__}"
    if name in sys.modules:
        return vars(sys.modules[name])["entry"]
    made = types.ModuleType(name)
    sys.modules[name] = made  # before it runs, as for strategies: what is cached is found again by this name
    filename = f"<entry of {strategy.name}>"
    if CACHE:
        path = cache_folder() / f"{name}.py"
        if not path.exists():
            own = path.with_name(f"{path.name}.{os.getpid()}.tmp")
            own.write_text(text)
            os.replace(own, path)
        filename = str(path)
    exec(compile(text, filename, "exec"), vars(made))
    function: Callable[..., int] = vars(made)["entry"]
    return function


def _why_not(error: Exception) -> str:
    """numba's many lines cut down to the one that names the trouble."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    dull = ("Failed in nopython mode", "During:", "File ", "This error", "To find out", "Compilation is", "<source")
    telling = [line for line in lines if not line.startswith(dull)]
    return (telling or lines or [type(error).__name__])[0][:200]


def parameter_words(parameters: Any) -> np.ndarray:
    """Parameters as 64-bit words in their order: integers as they are, floats by their bits."""
    words = [struct.unpack("<q", struct.pack("<d" if isinstance(v, float) else "<q", v))[0] for v in parameters]
    return np.array(words or [0], np.int64)


# ------------------------------------------------------------------------------------------------ interpreted
class _DeskStream(SeatStream):
    """The seat's stream whose state lies in the desk, so that the engine opens it for each round."""

    def __init__(self, words: memoryview) -> None:
        self._words = words  # type: ignore[assignment]


_OWN = struct.Struct("<qqq")  # pile, basras by kind, score
_SHARED = struct.Struct("<qq")  # buried, stake


class InterpretedSeat:
    """A side of one worker's memory whose cards are chosen by plain Python. `fault` keeps what went wrong."""

    def __init__(self, player: Player, rules: RuleSet, memory: Memory, side: int) -> None:
        strategy = player.strategy
        made = strategy.factory() if strategy.factory else None
        self._choose = made.choose if made is not None else strategy.choose
        self._new_game = getattr(made, "new_game", None)
        self._parameters = strategy.parameters
        self._rules, self._numbers = rules, rule_numbers(rules)
        self._raw = memory.desks.reshape(-1).data.cast("B")
        self._own, self._other = side * DESK_BYTES, (1 - side) * DESK_BYTES
        self._stream = _DeskStream(self._raw[self._own : self._own + 16].cast("Q"))
        self._bonus = self._numbers.bonus_cards
        self.fault: BaseException | None = None
        self.answer: Any = None
        self._made = callback(self._play)
        self.address = callback_address(self._made)

    def _play(self, hand: int, floor: int, row: int, seen: int, moment: int, desk: int) -> int:
        try:
            if self._new_game and moment & 63 < 2 and self._is_new_game(moment):
                self._new_game()
            answer = self._choose(self._view(hand, floor, seen, moment))
        except BaseException as error:
            self.fault = error
            return RAISED
        if type(answer) is not int:
            try:
                card = -1 if isinstance(answer, (bool, np.bool_)) else index(answer)
            except TypeError:
                card = -1
            if not 0 <= card <= 51:
                self.answer = answer
                return NO_CARD
            return card
        if not 0 <= answer <= 51:
            self.answer = answer
            return NO_CARD
        return answer

    def _is_new_game(self, moment: int) -> bool:
        """The first play of a game: both scores are 0 and it is this side's first ply of the round."""
        own_score = _OWN.unpack_from(self._raw, self._own + 32)[2]
        other_score = _OWN.unpack_from(self._raw, self._other + 32)[2]
        return bool(own_score == 0 and other_score == 0)

    def _view(self, hand: int, floor: int, seen: int, moment: int) -> View:
        pile, kinds, score = _OWN.unpack_from(self._raw, self._own + 32)
        other_pile, other_kinds, other_score = _OWN.unpack_from(self._raw, self._other + 32)
        buried, stake = _SHARED.unpack_from(self._raw, self._own + 80)
        numbers = self._numbers
        ply, leading, last = moment & 63, (moment >> 6) & 1, moment >> 7
        return View(
            hand,
            floor,
            seen,
            ALL_CARDS & ~seen,
            buried,
            pile.bit_count(),
            other_pile.bit_count(),
            score,
            other_score,
            _basra_points(kinds, numbers) if kinds else 0,
            _basra_points(other_kinds, numbers) if other_kinds else 0,
            pile & self._bonus,
            other_pile & self._bonus,
            numbers.target,
            stake,
            ply >> 3,
            ply,
            leading,
            0 if last == 0 else (1 if (last == 1) == (leading == 1) else 2),
            3 + leading - ((ply & 7) >> 1),
            numbers,
            self._parameters,
            self._stream,
            self._rules,
        )


def _basra_points(kinds: int, numbers: RuleNumbers) -> int:
    ordinary, komi, jack = ((kinds >> (KIND_BITS * kind)) & KIND_FIELD for kind in (3, 4, 5))
    return ordinary * numbers.basra_points + komi * numbers.komi_basra_points + jack * numbers.jack_basra_points


def fault_text(error: BaseException, path: Path | None) -> str:
    """What a strategy's exception says, in one line."""
    return one_line(error, path)
