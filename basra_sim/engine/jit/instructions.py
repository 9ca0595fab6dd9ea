"""The instructions that kernels are written in where Python has no word for them: bits of card sets, words at addresses, calls.

Each is a plain Python function, which is what runs in Python and with NUMBA_DISABLE_JIT=1; `instruction` says besides what
compiled code does in its place, in one or two LLVM instructions, so that nothing need be compiled for it. Arguments are 64-bit
integers.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import llvmlite.binding
from llvmlite import ir
from numba import types
from numba.core.cgutils import get_or_insert_function
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, builtin_registry

from .compiling import JIT_ON, i64, overload

MASK64 = (1 << 64) - 1
_WORD, _WIDE = ir.IntType(64), ir.IntType(128)
_NO = ir.Constant(ir.IntType(1), 0)


def instruction(emit: Callable[..., Any], result: Any = i64) -> Callable[[Any], Any]:
    """Decorate a Python function of integers: compiled code runs what `emit(builder, *values)` writes, and gets a `result`."""

    def decorate(python: Any) -> Any:
        if not JIT_ON:
            return python
        arity = python.__code__.co_argcount

        def generic(self: Any, args: Any, kws: Any) -> Any:
            fits = len(args) == arity and all(isinstance(given, types.Integer) for given in args)
            return result(*([i64] * arity)) if fits else None

        template = type(python.__name__, (AbstractTemplate,), {"generic": generic, "key": python})
        builtin_registry.register_global(python, types.Function(template))
        lower_builtin(python, *([types.Integer] * arity))(lambda context, builder, signature, args: emit(builder, *args))
        return python

    return decorate


@instruction(lambda builder, number: number)
def signed64(number: int) -> int:
    """A number modulo 2**64 as the signed 64-bit integer that kernels take."""
    number &= MASK64
    return number - (1 << 64) if number >> 63 else number


# ---------------------------------------------------------------------------------------------- card sets
@instruction(lambda builder, answer: answer)
def card_id(answer: int) -> int:
    """What a strategy answers, if it is a whole number: compiled code that answers anything else is not compiled."""
    return answer


@instruction(lambda builder, card_set: builder.ctpop(card_set))
def popcount(value: int) -> int:
    """How many cards a card set holds."""
    return value.bit_count()


@instruction(lambda builder, card_set: builder.cttz(card_set, _NO))
def lowest(value: int) -> int:
    """The lowest card id of a card set (64 for the empty set)."""
    return int(value & -value).bit_length() - 1 if value else 64


def _deposit(builder: Any, card_set: Any, index: Any) -> Any:
    """x86 with BMI2 deposits a bit at the index-th place of a mask: no branch, where a random index defies prediction."""
    deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(_WORD, [_WORD, _WORD]))
    bit = builder.call(deposit, [builder.shl(ir.Constant(_WORD, 1), index), card_set])
    return builder.cttz(bit, _NO)


def nth_card(card_set: int, index: int) -> int:
    """The card with the index-th lowest id of a set, counting from 0 (64 where there is none)."""
    for _ in range(index):
        card_set &= card_set - 1
    return lowest(card_set)


def _nth_by_clearing(card_set, index):
    for _ in range(index - 3):
        card_set &= card_set - 1
    # a hand holds four cards at most: three steps without a branch
    card_set &= (card_set - 1) | ((index - 1) >> 63)
    card_set &= (card_set - 1) | ((index - 2) >> 63)
    card_set &= (card_set - 1) | ((index - 3) >> 63)
    return lowest(card_set)


if JIT_ON and llvmlite.binding.get_host_cpu_features().get("bmi2"):
    instruction(_deposit)(nth_card)
elif JIT_ON:
    overload(nth_card)(lambda card_set, index: _nth_by_clearing)


# ---------------------------------------------------------------------------------------------- arrays at an address
def _place(builder: Any, address: Any, place: Any, kind: Any) -> Any:
    return builder.gep(builder.inttoptr(address, kind.as_pointer()), [place])


@instruction(lambda builder, address, place: builder.load(_place(builder, address, place, _WORD)))
def word(address: int, place: int) -> int:
    """The signed 64-bit word at a place of an array of words."""
    return ctypes.c_int64.from_address(address + 8 * place).value


@instruction(lambda builder, address, place: builder.load(_place(builder, address, place, ir.DoubleType())), types.float64)
def real(address: int, place: int) -> float:
    """The float at a place of an array of 64-bit floats."""
    return ctypes.c_double.from_address(address + 8 * place).value


@instruction(lambda builder, address, place: builder.zext(builder.load(_place(builder, address, place, ir.IntType(8))), _WORD))
def byte(address: int, place: int) -> int:
    """The byte at a place of an array of bytes."""
    return ctypes.c_uint8.from_address(address + place).value


def _put(bits: int) -> Callable[..., Any]:
    def emit(builder: Any, address: Any, place: Any, number: Any) -> Any:
        kind = ir.IntType(bits)
        builder.store(number if bits == 64 else builder.trunc(number, kind), _place(builder, address, place, kind))
        return _WORD(0)

    return emit


@instruction(_put(64))
def put_word(address: int, place: int, number: int) -> int:
    """Write a word at a place of an array of words."""
    ctypes.c_int64.from_address(address + 8 * place).value = number
    return 0


@instruction(_put(8))
def put_byte(address: int, place: int, number: int) -> int:
    """Write a byte at a place of an array of bytes."""
    ctypes.c_uint8.from_address(address + place).value = number
    return 0


def _add_watched(builder: Any, address: Any) -> Any:
    # atomic, so that it is not moved or dropped: another process reads it while this one may never come back
    pointer = builder.inttoptr(address, _WORD.as_pointer())
    value = builder.add(builder.load_atomic(pointer, "monotonic", 8), _WORD(1))
    builder.store_atomic(value, pointer, "monotonic", 8)
    return _WORD(0)


@instruction(_add_watched)
def mark(address: int) -> int:
    """Add 1 to a word that another process watches."""
    put_word(address, 0, word(address, 0) + 1)
    return 0


# ---------------------------------------------------------------------------------------------- arithmetic of 64-bit words
@instruction(lambda builder, number: number, types.uint64)
def unsigned(number: int) -> int:
    """A word as an unsigned number: the arithmetic of the streams is written in them, and so is an index in a hot piece, of which
    compiled code then need not ask whether it counts from the end (8 % of a round)."""
    return number & MASK64


def _high_half(builder: Any, x: Any, y: Any) -> Any:
    product = builder.mul(builder.zext(x, _WIDE), builder.zext(y, _WIDE))
    return builder.trunc(builder.lshr(product, ir.Constant(_WIDE, 64)), _WORD)


@instruction(_high_half)
def multiply_high(x: int, y: int) -> int:
    """The upper 64 bits of the 128-bit product of two words taken as unsigned: in 0..y-1 for a bound y below 2**63."""
    return signed64((int(x) & MASK64) * (int(y) & MASK64) >> 64)


def _select(builder: Any, given: Any, one: Any, other: Any) -> Any:
    chosen = builder.select(builder.icmp_signed("!=", given, _WORD(0)), one, other)
    chosen.set_metadata("unpredictable", builder.module.add_metadata([]))
    return chosen


@instruction(_select)
def either(given: int, one: int, other: int) -> int:
    """`one` if `given` is not 0, else `other`, without a branch: for what cannot be predicted, as whether a card captures."""
    return one if given else other


# ---------------------------------------------------------------------------------------------- calls
def external_call(symbol: str, function: Any) -> Any:
    """A C function `int32 f(int32, int64)` for compiled code, called by a name of its own: nothing cached holds its address."""

    def call(number: int, argument: int) -> int:
        return int(function(number, argument))

    def emit(builder: Any, number: Any, argument: Any) -> Any:
        half = ir.IntType(32)
        callee = get_or_insert_function(builder.module, ir.FunctionType(half, [half, _WORD]), symbol)
        return builder.sext(builder.call(callee, [builder.trunc(number, half), argument]), _WORD)

    if JIT_ON:
        address = ctypes.cast(function, ctypes.c_void_p).value
        assert address is not None
        llvmlite.binding.add_symbol(symbol, address)
    return instruction(emit)(call)


def _keep_apart(builder: Any) -> Any:
    attributes = builder.function.attributes
    attributes.discard("alwaysinline")
    attributes.add("noinline")
    return _WORD(0)


@instruction(_keep_apart)
def stay_apart() -> int:
    """Said first in a large piece that is called from several places: it stays a function of its own.

    A strategy is compiled to be inlined, and numba hands that on to all it calls: a search inlined into its callers at every
    call takes minutes to compile.
    """
    return 0
