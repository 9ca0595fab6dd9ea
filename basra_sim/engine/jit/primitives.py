"""All numba policy in one place; the only module of the engine's side that imports numba.

The cache folder is named by a hash of the package's sources, the numba version and the bounds-check flag, because numba's
own cache does not notice edits in *other* files (a stale engine gives plausible wrong results). Raw addresses instead of
arrays cross the kernels: arrays passed down cost atomic reference counts wherever LLVM stops inlining (measured 4 x).

With NUMBA_DISABLE_JIT=1 every primitive has a plain Python twin, so that the kernels run as they are, slowly.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import llvmlite.binding
import numba
from llvmlite import ir
from numba import _dynfunc as dynfunc  # type: ignore[attr-defined]
from numba import types  # also for engine.py and view.py
from numba.core.codegen import JITCodeLibrary
from numba.core.imputils import lower_builtin
from numba.core.typing.templates import AbstractTemplate, infer_global
from numba.extending import intrinsic, register_jitable
from numba.extending import overload as _numba_overload

from .pruning import note_use

_CONFIG: Any = numba.config  # its names are made at run time
JIT_ON = not _CONFIG.DISABLE_JIT
MASK64 = (1 << 64) - 1
i64 = types.int64
_LL64 = ir.IntType(64)
_LL128 = ir.IntType(128)


@lru_cache(maxsize=1)
def sources_hash() -> str:
    """A hash of every source file that compiled code is made of: names the cache folder, and changes with any edit.

    Those are the files that speak of jit (kernels, pieces, primitives) and the few whose constants they use.
    """
    digest = hashlib.sha256(f"numba {numba.__version__} bounds {os.environ.get('NUMBA_BOUNDSCHECK', '')}".encode())
    root = Path(__file__).parents[2]
    for path in sorted(root.rglob("*.py")):
        text = path.read_bytes()
        if b"jit" in text or path.name in ("cards.py", "counters.py"):
            digest.update(str(path.relative_to(root)).encode() + b"\0" + text)
    return digest.hexdigest()[:16]


@lru_cache(maxsize=1)
def cache_folder() -> Path:
    """Where compiled code and tables live: NUMBA_CACHE_DIR if the user has set it, else the user's cache folder."""
    own = os.environ.get("NUMBA_CACHE_DIR")
    if own:
        return Path(own)
    import platformdirs

    return platformdirs.user_cache_path("basra-sim") / sources_hash()


def _prepare_cache() -> bool:
    """Point numba at the folder; False (compile each time) where nothing can be written."""
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    if not os.access(folder, os.W_OK):
        return False
    _CONFIG.CACHE_DIR = str(folder)
    if not os.environ.get("NUMBA_CACHE_DIR"):
        note_use(folder)
    return True


CACHE = _prepare_cache()


def kernel(function: Callable[..., Any]) -> Any:
    """A compiled entry point: cached on disk, releases the GIL."""
    return numba.njit(nogil=True, cache=CACHE)(function)


# A piece of a kernel: compiled with it (no cache entry of its own), plain Python elsewhere. `hot` pieces are always
# inlined; the others are left to LLVM, because inlining everything doubles the compile time and spills registers.
# Pieces are never called from Python or C when compiled: leaving out the wrappers saves a third of the compile time.
_NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
piece = register_jitable(**_NO_WRAPPERS)
hot = register_jitable(forceinline=True, **_NO_WRAPPERS)


def overload(function: Callable[..., Any]) -> Any:
    """numba's, for a piece: what compiled code calls instead of a plain Python function."""
    return _numba_overload(function, jit_options=_NO_WRAPPERS)  # type: ignore[arg-type]


def compile_function(function: Callable[..., Any]) -> Any:
    """The function of a strategy that its entry calls. An index outside an array raises, as it does in Python."""
    return numba.njit(forceinline=True, boundscheck=True, **_NO_WRAPPERS)(function)


def make_piece(function: Callable[..., Any]) -> None:
    """Let a strategy's compiled code call a plain Python function; it stays what it is for Python."""
    register_jitable(boundscheck=True, **_NO_WRAPPERS)(function)


def _primitive(python: Callable[..., Any], result: Any, arity: int, emit: Callable[..., Any]) -> Any:
    """An instruction written in LLVM, with a Python twin for NUMBA_DISABLE_JIT. Arguments are 64-bit integers."""
    if not JIT_ON:
        return python

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return emit(builder, *args)

    signature = result(*([i64] * arity)) if arity else result()

    # numba wants the parameter names spelled out
    names = ", ".join(f"a{index}" for index in range(arity))
    scope: dict[str, Any] = {"signature": signature, "codegen": codegen}
    exec(f"def typed(typing_context, {names}):\n    return signature, codegen", scope)
    typed = scope["typed"]
    typed.__name__ = getattr(python, "__name__", "external")
    return intrinsic(typed)


def _pointer(builder: Any, address: Any, bits: int) -> Any:
    return builder.inttoptr(address, ir.IntType(bits).as_pointer())


def _signed(value: int) -> int:
    value &= MASK64
    return value - (1 << 64) if value >> 63 else value


# ---------------------------------------------------------------------------------------------- memory
def _py_load_i64(address: int) -> int:
    return ctypes.c_int64.from_address(address).value


def _py_load_u32(address: int) -> int:
    return ctypes.c_uint32.from_address(address).value


def _py_load_u8(address: int) -> int:
    return ctypes.c_uint8.from_address(address).value


def _py_store_i64(address: int, value: int) -> None:
    ctypes.c_int64.from_address(address).value = _signed(value)


def _py_store_i32(address: int, value: int) -> None:
    ctypes.c_int32.from_address(address).value = value


def _py_store_u8(address: int, value: int) -> None:
    ctypes.c_uint8.from_address(address).value = value


def _py_add_i64(address: int, value: int) -> None:
    _py_store_i64(address, _py_load_i64(address) + value)


def _py_add_i32(address: int, value: int) -> None:
    ctypes.c_int32.from_address(address).value += value


def _emit_load(bits: int) -> Callable[..., Any]:
    def emit(builder: Any, address: Any) -> Any:
        value = builder.load(_pointer(builder, address, bits))
        return value if bits == 64 else builder.zext(value, _LL64)

    return emit


def _emit_store(bits: int) -> Callable[..., Any]:
    def emit(builder: Any, address: Any, value: Any) -> Any:
        builder.store(value if bits == 64 else builder.trunc(value, ir.IntType(bits)), _pointer(builder, address, bits))
        return ir.Constant(_LL64, 0)

    return emit


def _emit_add(bits: int) -> Callable[..., Any]:
    def emit(builder: Any, address: Any, value: Any) -> Any:
        pointer = _pointer(builder, address, bits)
        more = value if bits == 64 else builder.trunc(value, ir.IntType(bits))
        builder.store(builder.add(builder.load(pointer), more), pointer)
        return ir.Constant(_LL64, 0)

    return emit


load_i64 = _primitive(_py_load_i64, i64, 1, _emit_load(64))
load_u32 = _primitive(_py_load_u32, i64, 1, _emit_load(32))
load_u8 = _primitive(_py_load_u8, i64, 1, _emit_load(8))
store_i64 = _primitive(_py_store_i64, i64, 2, _emit_store(64))
store_i32 = _primitive(_py_store_i32, i64, 2, _emit_store(32))
store_u8 = _primitive(_py_store_u8, i64, 2, _emit_store(8))
add_i64 = _primitive(_py_add_i64, i64, 2, _emit_add(64))
add_i32 = _primitive(_py_add_i32, i64, 2, _emit_add(32))


def _py_load_f64(address: int) -> float:
    return ctypes.c_double.from_address(address).value


def _emit_load_f64(builder: Any, address: Any) -> Any:
    return builder.load(builder.inttoptr(address, ir.DoubleType().as_pointer()))


def _emit_mark(builder: Any, address: Any) -> Any:
    # atomic, so that it is not moved or dropped: another process reads it while this one may never come back
    pointer = _pointer(builder, address, 64)
    value = builder.add(builder.load_atomic(pointer, "monotonic", 8), ir.Constant(_LL64, 1))
    builder.store_atomic(value, pointer, "monotonic", 8)
    return ir.Constant(_LL64, 0)


def _py_mark(address: int) -> None:
    _py_add_i64(address, 1)


mark = _primitive(_py_mark, i64, 1, _emit_mark)
"""Add 1 to a word that another process watches."""
load_f64 = _primitive(_py_load_f64, types.float64, 1, _emit_load_f64)


def external_call(symbol: str, function: Any) -> Any:
    """A C function `int32 f(int32, int64)` for compiled code, called by a name of its own: nothing cached holds its address."""
    if not JIT_ON:
        return function
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    llvmlite.binding.add_symbol(symbol, address)

    def emit(builder: Any, number: Any, argument: Any) -> Any:
        word = ir.IntType(32)
        callee = numba.core.cgutils.get_or_insert_function(builder.module, ir.FunctionType(word, [word, _LL64]), symbol)
        return builder.sext(builder.call(callee, [builder.trunc(number, word), argument]), _LL64)

    return _primitive(function, i64, 2, emit)


# ---------------------------------------------------------------------------------------------- bits
def _emit_popcount(builder: Any, value: Any) -> Any:
    return builder.ctpop(value)


def _emit_lowest(builder: Any, value: Any) -> Any:
    return builder.cttz(value, ir.Constant(ir.IntType(1), 0))


def popcount(value: int) -> int:
    """How many cards a card set holds."""
    return value.bit_count()


def lowest(value: int) -> int:
    """The lowest card id of a card set (64 for the empty set)."""
    return (value & -value).bit_length() - 1 if value else 64


def nth_card(card_set: int, index: int) -> int:
    """The card with the index-th lowest id of a set, counting from 0 (64 where there is none)."""
    for _ in range(index):
        card_set &= card_set - 1
    return lowest(card_set)


def _emit_nth_by_deposit(builder: Any, card_set: Any, index: Any) -> Any:
    """x86 with BMI2 deposits a bit at the index-th place of a mask: no branch, where a random index defies prediction."""
    deposit = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), ir.FunctionType(_LL64, [_LL64, _LL64]))
    bit = builder.call(deposit, [builder.shl(ir.Constant(_LL64, 1), index), card_set])
    return builder.cttz(bit, ir.Constant(ir.IntType(1), 0))


def _nth_by_clearing(card_set, index):
    for _ in range(index - 3):
        card_set &= card_set - 1
    # a hand holds four cards at most: three steps without a branch
    card_set &= (card_set - 1) | ((index - 1) >> 63)
    card_set &= (card_set - 1) | ((index - 2) >> 63)
    card_set &= (card_set - 1) | ((index - 3) >> 63)
    return lowest(card_set)


def _write_instruction(python: Callable[[int], int], emit: Callable[..., Any]) -> None:
    """Let compiled code use a Python function of one integer as an instruction, without compiling anything for it."""

    def generic(self: Any, args: Any, kws: Any) -> Any:
        return i64(i64) if len(args) == 1 and isinstance(args[0], types.Integer) else None

    infer_global(python)(type(python.__name__, (AbstractTemplate,), {"generic": generic}))
    lower_builtin(python, types.Integer)(lambda context, builder, signature, args: emit(builder, *args))


def card_id(answer: int) -> int:
    """What a strategy answers, if it is a whole number: compiled code that answers anything else is not compiled."""
    return answer


if JIT_ON:
    _write_instruction(card_id, lambda builder, answer: answer)
    _write_instruction(popcount, _emit_popcount)
    _write_instruction(lowest, _emit_lowest)
    _nth_by_deposit = _primitive(nth_card, i64, 2, _emit_nth_by_deposit)
    _HAS_DEPOSIT = bool(llvmlite.binding.get_host_cpu_features().get("bmi2"))

    @overload(nth_card)
    def _typed_nth_card(card_set, index):
        if _HAS_DEPOSIT:
            return lambda card_set, index: _nth_by_deposit(card_set, index)
        return _nth_by_clearing


def stay_apart() -> None:
    """Said first in a large piece that is called from several places: it stays a function of its own.

    A strategy is compiled to be inlined, and numba hands that on to all it calls: a search inlined into its callers at every
    call takes minutes to compile.
    """


def _emit_apart(builder: Any) -> Any:
    attributes = builder.function.attributes
    attributes.discard("alwaysinline")
    attributes.add("noinline")
    return ir.Constant(_LL64, 0)


if JIT_ON:
    _stay_apart = _primitive(lambda: 0, i64, 0, _emit_apart)

    @overload(stay_apart)
    def _typed_stay_apart():
        def apart():
            _stay_apart()

        return apart


# ---------------------------------------------------------------------------------------------- 64-bit arithmetic of the streams
def _py_multiply_high(x: int, y: int) -> int:
    return _signed(((x & MASK64) * (y & MASK64)) >> 64)


def _py_multiply_low(x: int, y: int) -> int:
    return _signed((x & MASK64) * (y & MASK64))


def _py_below(x: int, y: int) -> bool:
    return (x & MASK64) < (y & MASK64)


def _py_mix(z: int) -> int:
    z &= MASK64
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK64
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK64
    return _signed(z ^ (z >> 31))


def _py_shift_right(x: int, count: int) -> int:
    return _signed((x & MASK64) >> count)


def _emit_multiply_high(builder: Any, x: Any, y: Any) -> Any:
    product = builder.mul(builder.zext(x, _LL128), builder.zext(y, _LL128))
    return builder.trunc(builder.lshr(product, ir.Constant(_LL128, 64)), _LL64)


def _emit_mix(builder: Any, z: Any) -> Any:
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        z = builder.mul(builder.xor(z, builder.lshr(z, ir.Constant(_LL64, shift))), ir.Constant(_LL64, factor))
    return builder.xor(z, builder.lshr(z, ir.Constant(_LL64, 31)))


multiply_high = _primitive(_py_multiply_high, i64, 2, _emit_multiply_high)
multiply_low = _primitive(_py_multiply_low, i64, 2, lambda builder, x, y: builder.mul(x, y))
add_wrapped = _primitive(lambda x, y: _signed(x + y), i64, 2, lambda builder, x, y: builder.add(x, y))
unsigned_below = _primitive(_py_below, types.boolean, 2, lambda builder, x, y: builder.icmp_unsigned("<", x, y))
mix64 = _primitive(_py_mix, i64, 1, _emit_mix)
shift_right = _primitive(_py_shift_right, i64, 2, lambda builder, x, n: builder.lshr(x, n))


def _py_rotate(x: int, count: int) -> int:
    return ((x << count) | (x >> (64 - count))) & MASK64


def _py_xoshiro_next(state: int) -> int:
    s0, s1, s2, s3 = (_py_load_i64(state + 8 * k) & MASK64 for k in range(4))
    result = (_py_rotate((s0 + s3) & MASK64, 23) + s0) & MASK64
    s2 ^= s0
    s3 ^= s1
    for k, word in enumerate((s0 ^ s3, s1 ^ s2, s2 ^ ((s1 << 17) & MASK64), _py_rotate(s3, 45))):
        _py_store_i64(state + 8 * k, word)
    return _signed(result)


def _py_xoroshiro_next(state: int) -> int:
    s0, s1 = (_py_load_i64(state + 8 * k) & MASK64 for k in range(2))
    result = (_py_rotate((s0 + s1) & MASK64, 17) + s0) & MASK64
    s1 ^= s0
    _py_store_i64(state, _py_rotate(s0, 49) ^ s1 ^ ((s1 << 21) & MASK64))
    _py_store_i64(state + 8, _py_rotate(s1, 28))
    return _signed(result)


def _ll(value: int) -> Any:
    return ir.Constant(_LL64, value)


def _rotate(builder: Any, x: Any, count: int) -> Any:
    return builder.or_(builder.shl(x, _ll(count)), builder.lshr(x, _ll(64 - count)))


def _emit_xoshiro_next(builder: Any, state: Any) -> Any:
    pointers = [_pointer(builder, builder.add(state, _ll(8 * k)), 64) for k in range(4)]
    s0, s1, s2, s3 = (builder.load(pointer) for pointer in pointers)
    result = builder.add(_rotate(builder, builder.add(s0, s3), 23), s0)
    s2, s3 = builder.xor(s2, s0), builder.xor(s3, s1)
    words = (
        builder.xor(s0, s3),
        builder.xor(s1, s2),
        builder.xor(s2, builder.shl(s1, _ll(17))),
        _rotate(builder, s3, 45),
    )
    for pointer, word in zip(pointers, words, strict=True):
        builder.store(word, pointer)
    return result


def _emit_xoroshiro_next(builder: Any, state: Any) -> Any:
    pointers = [_pointer(builder, builder.add(state, _ll(8 * k)), 64) for k in range(2)]
    s0, s1 = (builder.load(pointer) for pointer in pointers)
    result = builder.add(_rotate(builder, builder.add(s0, s1), 17), s0)
    s1 = builder.xor(s1, s0)
    mixed = builder.xor(builder.xor(_rotate(builder, s0, 49), s1), builder.shl(s1, _ll(21)))
    builder.store(mixed, pointers[0])
    builder.store(_rotate(builder, s1, 28), pointers[1])
    return result


xoshiro_next = _primitive(_py_xoshiro_next, i64, 1, _emit_xoshiro_next)
"""The next 64-bit word of the xoshiro256++ stream whose four state words lie at an address (Blackman, Vigna 2021)."""
xoroshiro_next = _primitive(_py_xoroshiro_next, i64, 1, _emit_xoroshiro_next)
"""The next 64-bit word of the xoroshiro128++ stream whose two state words lie at an address (Blackman, Vigna 2021)."""

# ---------------------------------------------------------------------------------------------- calling a strategy
STRATEGY_SIGNATURE = i64(i64, i64, i64, i64, i64, i64)  # hand, floor, row, seen, moment, block -> card id
_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, *([ctypes.c_int64] * 6))


def _py_call_strategy(address: int, *arguments: int) -> int:
    return _CALLBACK(address)(*arguments)


def callback(function: Callable[..., int]) -> Any:
    """A plain Python function of six integers as a C function; keep the result alive while its address is in use."""
    return _CALLBACK(function)


def callback_address(made: Any) -> int:
    """The address of what `callback` made."""
    return ctypes.cast(made, ctypes.c_void_p).value or 0


def _emit_call(builder: Any, address: Any, *arguments: Any) -> Any:
    function_type = ir.FunctionType(_LL64, [_LL64] * 6)
    return builder.call(builder.inttoptr(address, function_type.as_pointer()), arguments)


call_address = _primitive(_py_call_strategy, i64, 7, _emit_call)


def call_strategy(choose, hand, floor, row, seen, moment, block):
    """Ask a strategy for a card: `choose` is a function's address, or a compiled function to be inlined."""
    if isinstance(choose, int):
        return call_address(choose, hand, floor, row, seen, moment, block)
    return choose(hand, floor, row, seen, moment, block)


if JIT_ON:

    @overload(call_strategy)
    def _typed_call_strategy(choose, hand, floor, row, seen, moment, block):
        if isinstance(choose, types.Integer):
            return lambda choose, hand, floor, row, seen, moment, block: call_address(
                choose, hand, floor, row, seen, moment, block
            )
        return lambda choose, hand, floor, row, seen, moment, block: choose(hand, floor, row, seen, moment, block)


RAISED = -2  # what a compiled strategy's address returns when the strategy raised


def _strategy_wrapper(context: Any, library: Any, description: Any) -> None:
    """The C function around a compiled strategy: numba's own, but inlined into one function and with RAISED for an error.

    numba's wrapper calls the compiled function (3-4 ns a ply), and on an exception prints to stderr and returns 0, which
    is the ace of clubs.
    """
    module = context.create_module("strategy_wrapper")
    inner_type = context.call_conv.get_function_type(description.restype, description.argtypes)
    inner = ir.Function(module, inner_type, description.llvm_func_name)
    outer_type = ir.FunctionType(_LL64, [_LL64] * 6)
    outer = ir.Function(module, outer_type, description.llvm_cfunc_wrapper_name)
    builder = ir.IRBuilder(outer.append_basic_block("entry"))
    status, card = context.call_conv.call_function(
        builder, inner, description.restype, description.argtypes, outer.args, attrs=("alwaysinline",)
    )
    builder.ret(builder.select(status.is_error, ir.Constant(_LL64, RAISED), card))
    library.add_ir_module(module)


class _PartLibrary(JITCodeLibrary):
    """What a piece is compiled to: LLVM code to be linked into whoever calls it, and no machine code of its own.

    numba optimises every function it compiles and makes machine code of it, though a piece is only ever called by compiled
    code that contains it: that was three quarters of the time that a search took to compile.
    """

    _whole = False

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """The address of a function; 0 if it is not there. One that Python is to call (numba.njit) is made whole first."""
        self._ensure_finalized()
        try:
            self._final_module.get_function(name)
        except NameError:
            return 0
        if not self._whole:
            self._whole = True
            self._final_module = self._final_module.clone()  # it may have been linked elsewhere already
            super()._optimize_final_module()
            super()._finalize_final_module()
        return int(super().get_pointer_to_function(name))


def _library_for(entry: str) -> Callable[..., Any]:
    """How numba's code generator is to make libraries while the function named `entry` is compiled."""

    def make(codegen: Any, name: str) -> Any:
        return JITCodeLibrary(codegen, name) if name == entry else _PartLibrary(codegen, name)

    vars(make)["_unserialize"] = JITCodeLibrary._unserialize  # what is read from the cache is whole
    return make


def _part_executable(usual: Callable[..., Any]) -> Callable[..., Any]:
    """What Python gets to call of a function: of a part, which has no machine code, a name that nobody calls."""

    def executable(library: Any, description: Any, env: Any) -> Any:
        name = description.llvm_cpython_wrapper_name
        if not isinstance(library, _PartLibrary) or library.get_pointer_to_function(name):
            return usual(library, description, env)
        return dynfunc.make_function(description.lookup_module(), description.qualname, "part", 0, env, (library,))

    return executable


def strategy_entry(function: Callable[..., int]) -> Any:
    """Compile a function of STRATEGY_SIGNATURE for calls by address; keep the result alive while `.address` is in use."""
    context = numba.core.registry.cpu_target.target_context
    usual = context.create_cfunc_wrapper

    def wrap(library: Any, description: Any, env: Any, call_helper: Any) -> None:
        if description.argtypes == STRATEGY_SIGNATURE.args and description.qualname == function.__qualname__:
            _strategy_wrapper(context, library, description)
        else:
            usual(library, description, env, call_helper)

    codegen = context.codegen()
    with _COMPILING:
        context.create_cfunc_wrapper = wrap
        context.get_executable = _part_executable(context.get_executable)
        codegen._library_class = _library_for(function.__qualname__)
        try:
            return numba.cfunc(STRATEGY_SIGNATURE, cache=CACHE)(function)
        finally:
            del context.create_cfunc_wrapper, context.get_executable, codegen._library_class


_COMPILING = threading.RLock()
