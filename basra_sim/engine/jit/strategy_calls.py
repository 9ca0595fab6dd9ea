"""Strategies as C functions of six integers: compiled ones, and plain Python ones through a callback."""

from __future__ import annotations

import ctypes
import threading
from collections.abc import Callable
from typing import Any

import numba
from llvmlite import ir

from .compiling import CACHE, i64
from .instructions import instruction
from .parts import only_whole

STRATEGY_SIGNATURE = i64(i64, i64, i64, i64, i64, i64)  # hand, floor, row, seen, moment, desk -> card id
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * 6))
_WORD = ir.IntType(64)
_C_FUNCTION = ir.FunctionType(_WORD, [_WORD] * 6)
_COMPILING = threading.RLock()
RAISED = -2  # what a compiled strategy's address returns when the strategy raised


def _call(builder: Any, address: Any, *arguments: Any) -> Any:
    return builder.call(builder.inttoptr(address, _C_FUNCTION.as_pointer()), arguments)


@instruction(_call)
def call_address(address: int, hand: int, floor: int, row: int, seen: int, moment: int, desk: int) -> int:
    """Call the C function of six integers that lies at an address: ask a strategy for a card."""
    return _CALLBACK(address)(hand, floor, row, seen, moment, desk)


def callback(function: Callable[..., int]) -> Any:
    """A plain Python function of six integers as a C function; keep the result alive while its address is in use."""
    return _CALLBACK(function)


def callback_address(made: Any) -> int:
    """The address of what `callback` made."""
    return ctypes.cast(made, ctypes.c_void_p).value or 0


def _strategy_wrapper(context: Any, library: Any, description: Any) -> None:
    """The C function around a compiled strategy: numba's own, but inlined into one function and with RAISED for an error.

    numba's wrapper calls the compiled function (3-4 ns a ply), and on an exception prints to stderr and returns 0, which
    is the ace of clubs.
    """
    module = context.create_module("strategy_wrapper")
    inner_type = context.call_conv.get_function_type(description.restype, description.argtypes)
    inner = ir.Function(module, inner_type, description.llvm_func_name)
    outer = ir.Function(module, _C_FUNCTION, description.llvm_cfunc_wrapper_name)
    builder = ir.IRBuilder(outer.append_basic_block("entry"))
    status, card = context.call_conv.call_function(
        builder, inner, description.restype, description.argtypes, outer.args, attrs=("alwaysinline",)
    )
    builder.ret(builder.select(status.is_error, _WORD(RAISED), card))
    library.add_ir_module(module)


def strategy_entry(function: Callable[..., int]) -> Any:
    """Compile a function of STRATEGY_SIGNATURE for calls by address; keep the result alive while `.address` is in use."""
    context = numba.core.registry.cpu_target.target_context
    usual = context.create_cfunc_wrapper

    def wrap(library: Any, description: Any, env: Any, call_helper: Any) -> None:
        if description.argtypes == STRATEGY_SIGNATURE.args and description.qualname == function.__qualname__:
            _strategy_wrapper(context, library, description)
        else:
            usual(library, description, env, call_helper)

    with _COMPILING, only_whole(context, function.__qualname__):
        context.create_cfunc_wrapper = wrap
        try:
            return numba.cfunc(STRATEGY_SIGNATURE, cache=CACHE)(function)
        finally:
            del context.create_cfunc_wrapper
