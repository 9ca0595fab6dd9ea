"""How a strategy plays: compiled into a function that the engine calls by address, or interpreted through a callback.

Both are the same file and give the same plays. Which one a strategy became, and why, is for the run to say.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import re
import struct
import sys
import types
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from operator import index
from typing import Any

import numpy as np

from basra_sim.engine.jit.cache_folder import cache_folder
from basra_sim.engine.jit.compiling import CACHE, JIT_ON, compile_function, make_piece
from basra_sim.engine.jit.strategy_calls import RAISED, callback, callback_address, strategy_entry
from basra_sim.engine.layouts import BURIED_AT, DESK_BYTES, KIND_BITS, KIND_FIELD, MARK_AT, PILE_AT, PLAYED_AT, SECRETS_AT
from basra_sim.engine.memory import Memory
from basra_sim.engine.rule_numbers import rule_numbers
from basra_sim.engine.sight import View
from basra_sim.engine.streams import SeatStream
from basra_sim.game.cards import ALL_CARDS
from basra_sim.game.rules import RuleSet

from .strategy import Strategy

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

    def under(self, rules: RuleSet) -> Player:
        """The same with the strategy's parameters for these rules."""
        return replace(self, strategy=self.strategy.under(rules)) if self.strategy.sections else self


# ------------------------------------------------------------------------------------------------ compiled
def prepare(strategy: Strategy, interpret: bool = False, watched: bool = False) -> Player:
    """Compile a strategy where that can be done; otherwise say why it plays interpreted.

    `watched`: its desk says while it is at work (MARK_AT), as that of an interpreted one always does.
    """
    if interpret:
        return Player(strategy, None, "--interpret was given")
    if not JIT_ON:
        return Player(strategy, None, "NUMBA_DISABLE_JIT is set")
    if strategy.is_object:
        return Player(strategy, None, "it is an object that may remember; only a function choose(view) can be compiled")
    if strategy.module is None:
        return Player(strategy, None, "it is a Python function, not a file with a choose(view)")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what numba would rather have written differently is no concern of a run
            entry = _compile(strategy, watched)
    except Exception as error:  # numba raises many kinds; each of them means: not compilable
        return Player(strategy, None, _why_not(error, strategy.path.name if strategy.path else "?"))
    return Player(strategy, entry, "")


def _compile(strategy: Strategy, watched: bool) -> Any:
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


def _why_not(error: Exception, file: str) -> str:
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


def parameter_words(parameters: Any) -> np.ndarray:
    """Parameters as 64-bit words in their order: integers as they are, floats by their bits."""
    words = [struct.unpack("<q", struct.pack("<d" if isinstance(v, float) else "<q", v))[0] for v in parameters]
    return np.array(words or [0], np.int64)


# ------------------------------------------------------------------------------------------------ interpreted
class _DeskStream(SeatStream):
    """The seat's stream, whose words are copied in from the desk before a play and out after it: it reaches nothing else."""

    def __init__(self) -> None:
        self._words = [0, 0]


class Answer:
    """What a strategy gave instead of a card; its repr never fails."""

    def __init__(self, given: Any) -> None:
        try:
            self.text = repr(given)
        except Exception:
            self.text = f"an object of {type(given).__name__}"

    def __repr__(self) -> str:
        return self.text


_STREAM = struct.Struct("<QQ")
# a desk from its start: stream; pile, basras by kind and score; buried and stake
_OWN = struct.Struct(f"<QQ{PILE_AT - 16}xqqq{BURIED_AT - PILE_AT - 24}xqq")
_OTHER = struct.Struct("<qqq")  # the other desk from PILE_AT: pile, basras by kind, score
MARK = MARK_AT // 8
_new_view = tuple.__new__  # what View(...) calls in the end


def _unpacked(moment: int) -> tuple[int, int, int, int, int]:
    """(deal, ply, leading, captured_last, other_hand_size) of a moment, as view.py has it."""
    ply, leading, last = moment & 63, (moment >> 6) & 1, moment >> 7
    captured_last = 0 if last == 0 else 1 if (last == 1) == (leading == 1) else 2
    return ply >> 3, ply, leading, captured_last, 3 + leading - ((ply & 7) >> 1)


_MOMENTS = tuple(_unpacked(moment) for moment in range(3 * 128))


class OpenRules(RuleSet):
    """The rules as a strategy that says CHEATS = True gets them: with the dealt hands of the round in `secrets`."""


class InterpretedSeat:
    """A side of one worker's memory whose cards are chosen by plain Python. `fault` keeps what went wrong.

    An object is made anew for each game, so that no game depends on which others were played before it in this worker.
    """

    def __init__(self, player: Player, rules: RuleSet, memory: Memory, side: int) -> None:
        strategy = player.strategy
        self._choose, self._factory = strategy.choose, strategy.factory
        self._parameters = strategy.parameters
        self._rules, self._numbers = rules, rule_numbers(rules)
        self._memory, self._scored = memory, 0
        self._raw = memory.desks.view(np.uint8).data.cast("B")
        self._own, self._other = side * DESK_BYTES, (1 - side) * DESK_BYTES
        self._cards, self._other_cards = (self._raw[desk + PLAYED_AT :] for desk in (self._own, self._other))
        self._history: tuple[int, ...] = ()  # of the round, as its last view had it
        self._marks = memory.desks[side : side + 1].view(np.int64).data
        self._stream = _DeskStream()
        self._bonus, self._target = self._numbers.bonus_cards, self._numbers.target
        self._points: dict[int, int] = {0: 0}
        self._cheats = strategy.card.cheats
        if self._cheats:
            self._rules = OpenRules(**rules.to_dict())
        self.fault: BaseException | None = None
        self.answer: Any = None
        self._made = callback(self._play)
        self.address = callback_address(self._made)

    def _play(self, hand: int, floor: int, row: int, seen: int, moment: int, desk: int) -> int:
        self._marks[MARK] += 1
        try:
            if self._factory is not None and moment & 63 < 2 and self._is_new_game():
                self._begin_game(self._factory())
            answer = self._answer(hand, floor, seen, moment)
            return answer if type(answer) is int and 0 <= answer <= 51 else self._card(answer)
        except BaseException as error:
            self.fault = error
            return RAISED
        finally:
            self._marks[MARK] += 1

    def _card(self, answer: Any) -> int:
        """An answer that is not simply an int of 0..51: integers of numpy are cards too, True is none."""
        try:
            card = -1 if isinstance(answer, (bool, np.bool_)) else index(answer)
        except TypeError:
            card = -1
        if 0 <= card <= 51:
            return card
        self.answer = Answer(answer)
        return NO_CARD

    def _is_new_game(self) -> bool:
        """At the first ply of this side in a round: is it a game's first round? A game that goes on at 0-0 is none."""
        memory = self._memory
        scored, before = int(memory.role_points.sum()), self._scored
        self._scored = scored
        if any(_OTHER.unpack_from(self._raw, desk + PILE_AT)[2] for desk in (self._own, self._other)):
            return False  # one of the scores
        return self._rules.single_round or memory.get("rounds_played") == 0 or scored != before

    def _begin_game(self, made: Any) -> None:
        self._choose = made.choose
        if hasattr(made, "new_game"):
            made.new_game()

    def _answer(self, hand: int, floor: int, seen: int, moment: int) -> Any:
        """Ask for a card. Every play comes through here: two reads of the desks, no call that can be spared."""
        s0, s1, pile, kinds, score, buried, stake = _OWN.unpack_from(self._raw, self._own)
        other_pile, other_kinds, other_score = _OTHER.unpack_from(self._raw, self._other + PILE_AT)
        words = self._stream._words
        words[0], words[1] = s0, s1
        bonus, points, deal, ply, leading, captured_last, other_hand_size = self._bonus, self._points, *_MOMENTS[moment]
        if ply > 1:  # since this side was asked last, it and the other have played a card each
            history = self._history = (*self._history, self._cards[ply - 2], self._other_cards[ply - 1])
        else:
            history = self._history = (self._other_cards[0],) if ply else ()
        view = _new_view(
            View,
            (
                hand,
                floor,
                seen,
                ALL_CARDS & ~seen,
                buried,
                pile.bit_count(),
                other_pile.bit_count(),
                score,
                other_score,
                points[kinds] if kinds in points else self._count_points(kinds),
                points[other_kinds] if other_kinds in points else self._count_points(other_kinds),
                pile & bonus,
                other_pile & bonus,
                self._target,
                stake,
                deal,
                ply,
                leading,
                captured_last,
                other_hand_size,
                self._numbers,
                self._parameters,
                self._stream,
                self._rules,
                history,
            ),
        )
        if self._cheats:
            object.__setattr__(self._rules, "secrets", self._secrets())
        answer = self._choose(view)
        if words[0] != s0 or words[1] != s1:
            _STREAM.pack_into(self._raw, self._own, *words)
        return answer

    def _secrets(self) -> tuple[int, ...]:
        """The dealt round: the leader's six hands, then the dealer's."""
        (at,) = struct.unpack_from("<q", self._raw, self._own + SECRETS_AT)
        return tuple((ctypes.c_int64 * 12).from_address(at))

    def _count_points(self, kinds: int) -> int:
        """The points of the basras in a desk's word of kinds, kept for the next time."""
        numbers = self._numbers
        ordinary, komi, jack = ((kinds >> (KIND_BITS * kind)) & KIND_FIELD for kind in (3, 4, 5))
        points = ordinary * numbers.basra_points + komi * numbers.komi_basra_points + jack * numbers.jack_basra_points
        self._points[kinds] = points
        return points
