"""Straight-line compiled code written by running plain Python once on `Word`s, whose operators emit instructions.

numba takes 20 to 100 ms to type and lower each function that it compiles; a new strategy waits for them. What has neither
branches nor loops, such as making a view, needs none of that.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .compiling import i64
from .typed_memory import place_in

_LL64 = ir.IntType(64)


class Word:
    """A 64-bit integer of the code being written. Whole numbers on either side of an operator are constants."""

    def __init__(self, builder: Any, value: Any) -> None:
        self.builder, self.value = builder, value

    def _with(self, other: Word | int, emit: str, swapped: bool = False) -> Word:
        value = other.value if isinstance(other, Word) else ir.Constant(_LL64, other)
        operands = (value, self.value) if swapped else (self.value, value)
        return Word(self.builder, getattr(self.builder, emit)(*operands))

    def __add__(self, other: Word | int) -> Word:
        return self._with(other, "add")

    def __mul__(self, other: Word | int) -> Word:
        return self._with(other, "mul")

    def __sub__(self, other: Word | int) -> Word:
        return self._with(other, "sub")

    def __and__(self, other: Word | int) -> Word:
        return self._with(other, "and_")

    def __or__(self, other: Word | int) -> Word:
        return self._with(other, "or_")

    def __xor__(self, other: Word | int) -> Word:
        return self._with(other, "xor")

    def __rshift__(self, other: Word | int) -> Word:
        return self._with(other, "ashr")

    def __radd__(self, other: int) -> Word:
        return self._with(other, "add")

    def __rsub__(self, other: int) -> Word:
        return self._with(other, "sub", swapped=True)

    def __rand__(self, other: int) -> Word:
        return self._with(other, "and_")

    def __invert__(self) -> Word:
        return self._with(-1, "xor")

    def bit_count(self) -> Word:
        """How many bits are set."""
        return Word(self.builder, self.builder.ctpop(self.value))

    def load(self, offset: int = 0) -> Word:
        """The 64-bit word that lies at this address, `offset` bytes on."""
        at = self + offset if offset else self
        return Word(self.builder, self.builder.load(self.builder.inttoptr(at.value, _LL64.as_pointer())))


class Fields:
    """The record that lies at an address, while code is written: `Fields(desk, DESK).pile` loads the word of that name."""

    def __init__(self, address: Word, kind: np.dtype[Any]) -> None:
        self._address, self._kind = address, kind

    def __getattr__(self, name: str) -> Any:
        return self._address.load(place_in(self._kind, name))


def emitted(write: Callable[..., Any], layout: type[Any], nested: dict[str, type[Any]], carried: str) -> Any:
    """A function for compiled code that makes the named tuple `layout` as `write(*words)` makes it from Words.

    Fields of `layout` are words; those in `nested` are named tuples of words. The field `carried`, which is the last
    argument, is passed through whatever its type.
    """
    names = write.__code__.co_varnames[: write.__code__.co_argcount]
    kinds = {name: _words_type(inner) for name, inner in nested.items()}

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        made = write(*(Word(builder, value) for value in args[:-1]), args[-1])
        parts = []
        for name, part in zip(layout._fields, made, strict=True):
            if name in nested:
                parts.append(context.make_tuple(builder, kinds[name], [word.value for word in part]))
            else:
                parts.append(part if name == carried else part.value)
        return context.make_tuple(builder, signature.return_type, parts)

    def signature_for(given: Any) -> Any:
        fields = [given if name == carried else kinds.get(name, i64) for name in layout._fields]
        return types.NamedTuple(fields, layout)(*([i64] * (len(names) - 1)), given)

    # numba wants the parameter names spelled out
    scope: dict[str, Any] = {"codegen": codegen, "signature_for": signature_for}
    exec(f"def typed(typing_context, {', '.join(names)}):\n    return signature_for({names[-1]}), codegen", scope)
    typed = scope["typed"]
    typed.__name__ = write.__name__
    return intrinsic(typed)


def _words_type(layout: type[Any]) -> Any:
    return types.NamedUniTuple(i64, len(layout._fields), layout)
