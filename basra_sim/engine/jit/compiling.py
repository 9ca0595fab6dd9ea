"""How a function is compiled: entry points, pieces of them, strategies. With NUMBA_DISABLE_JIT=1 all stay what they are.

A kernel is what Python calls: cached on disk, without the GIL. A piece is compiled with the kernel that calls it and has no cache
entry and no wrappers of its own, which saves a third of the compile time. `hot` pieces are always inlined; the others are left to
LLVM, because inlining everything doubles the compile time and spills registers. Kernels are given addresses, not arrays: arrays
passed down cost atomic reference counts wherever LLVM stops inlining (measured 4 x).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.extending import overload as _numba_overload
from numba.extending import register_jitable

from basra_sim.errors import UnfitLibrary

from .cache_folder import usable_folder

NEWEST = (0, 68)  # parts.py and strategy_calls.py use numba's insides: tried with this and no newer

if tuple(int(number) for number in numba.__version__.split(".")[:2]) > NEWEST:
    raise UnfitLibrary(
        f"numba {numba.__version__} is newer than {NEWEST[0]}.{NEWEST[1]}, the newest that basra-sim was tried with: "
        f"pip install 'numba<{NEWEST[0]}.{NEWEST[1] + 1}'"
    )

_CONFIG: Any = numba.config  # its names are made at run time
JIT_ON = not _CONFIG.DISABLE_JIT
i64 = types.int64
_FOLDER = usable_folder()
CACHE = _FOLDER is not None
if CACHE:
    _CONFIG.CACHE_DIR = str(_FOLDER)

_NO_WRAPPERS: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
piece = register_jitable(**_NO_WRAPPERS)
hot = register_jitable(forceinline=True, **_NO_WRAPPERS)


def kernel(function: Callable[..., Any]) -> Any:
    """A compiled entry point: cached on disk, releases the GIL."""
    return numba.njit(nogil=True, cache=CACHE)(function)


def overload(function: Callable[..., Any]) -> Any:
    """numba's, for a piece: what compiled code calls instead of a plain Python function."""
    return _numba_overload(function, jit_options=_NO_WRAPPERS)  # type: ignore[arg-type]


def compile_function(function: Callable[..., Any]) -> Any:
    """The function of a strategy that its entry calls. An index outside an array raises, as it does in Python."""
    return numba.njit(forceinline=True, boundscheck=True, **_NO_WRAPPERS)(function)


def make_piece(function: Callable[..., Any]) -> None:
    """Let a strategy's compiled code call a plain Python function; it stays what it is for Python."""
    register_jitable(boundscheck=True, **_NO_WRAPPERS)(function)
