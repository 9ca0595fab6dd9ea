"""The processor time of this thread, for searches that are given milliseconds instead of counts.

Compiled code calls the system's clock_gettime through a symbol that is given its address when this module is loaded, so that
what numba keeps on the disk holds a name and no address. Results that depend on a clock are the same nowhere: whoever uses
it says so (TIMED in docs/strategies.md).
"""

from __future__ import annotations

import ctypes
import time
from typing import Any

from .jit.compiling import JIT_ON, overload
from .jit.instructions import external_call, word

_SYMBOL = "basra_clock_gettime"
_THREAD = getattr(time, "CLOCK_THREAD_CPUTIME_ID", 0)
_SECOND = 1_000_000_000


@ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_int32, ctypes.c_int64)
def _from_python(clock: int, address: int) -> int:
    """clock_gettime where the system's library has none (Windows): two words, seconds and nanoseconds."""
    for place, number in enumerate(divmod(time.thread_time_ns(), _SECOND)):
        ctypes.c_int64.from_address(address + 8 * place).value = number
    return 0


def _system_clock() -> Any:
    try:
        return ctypes.CDLL(None).clock_gettime
    except (OSError, AttributeError, TypeError):
        return _from_python


_call: Any = external_call(_SYMBOL, _system_clock())


def thread_time(address: int) -> int:
    """Nanoseconds of processor time that this thread has used; `address` is of two words to write on (compiled only)."""
    return time.thread_time_ns()


if JIT_ON:

    @overload(thread_time)
    def _typed_thread_time(address):
        def read(address):
            _call(_THREAD, address)
            return word(address, 0) * _SECOND + word(address, 1)

        return read
