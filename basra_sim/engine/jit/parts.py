"""What a piece is compiled to while a strategy is: LLVM code for its callers, and no machine code of its own.

This stands in for numba's code library, which optimises every function that it compiles and makes machine code of it, though a
piece is only ever called by compiled code that contains it: that was three quarters of the time that a search took to compile.
It uses numba's insides; tests/engine/test_numba_insides.py fails where they change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba import _dynfunc as dynfunc  # type: ignore[attr-defined]
from numba.core.codegen import JITCodeLibrary


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


@contextmanager
def only_whole(context: Any, entry: str) -> Iterator[None]:
    """While it lasts, nothing but the function named `entry` is made machine code of."""
    codegen = context.codegen()
    context.get_executable = _part_executable(context.get_executable)
    codegen._library_class = _library_for(entry)
    try:
        yield
    finally:
        del context.get_executable, codegen._library_class
