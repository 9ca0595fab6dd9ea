"""Memory with names: a record is what lies at an address, read and written by the names of its layout.

    desk_at = record_at(DESK)  # DESK: a structured numpy dtype, declared once
    desk = desk_at(address)
    desk.pile |= cards

Compiled, a record is the address itself: no object, no reference count, one load or store a field (measured: the same speed as a
load from address + 40). With NUMBA_DISABLE_JIT=1 it is a ctypes structure over the same bytes. Fields that are arrays have one
index; whoever needs more shape takes a view in numpy.
"""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
from numba import types
from numba.extending import intrinsic

from .compiling import JIT_ON


def layout(size: int, **fields: tuple[int, Any]) -> np.dtype[Any]:
    """A structured dtype of `size` bytes from name=(offset, dtype); (dtype, n) is an array of n."""
    offsets, formats = zip(*fields.values(), strict=True)
    return np.dtype(
        {"names": list(fields), "formats": list(formats), "offsets": list(offsets), "itemsize": size}, align=True
    )


def words(*names: str) -> np.dtype[Any]:
    """A structured dtype of signed 64-bit words, in the order named."""
    return np.dtype([(name, np.int64) for name in names], align=True)


def record_at(kind: np.dtype[Any]) -> Any:
    """A function that takes an address for the record of this layout which lies there."""
    if not JIT_ON:
        structure: Any = np.ctypeslib.as_ctypes_type(kind)
        return lambda address: structure.from_address(address)
    record = numba.from_dtype(kind)

    @intrinsic
    def at(typing_context: Any, address: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.inttoptr(args[0], context.get_value_type(record))

        return record(types.int64), codegen

    made: Any = at
    return made


def place_in(kind: np.dtype[Any], name: str) -> int:
    """The offset of a field in bytes, for what lies inside another process' or a plain Python program's view of the memory."""
    fields = kind.fields
    assert fields is not None
    return int(fields[name][1])
