"""Bit operations on unsigned words, for the loops of the shuffle lab; how to compile is for primitives.py to say.

With NUMBA_DISABLE_JIT=1 each has a plain Python twin, so that the loops run as they are, slowly.
"""

# mypy: ignore-errors
from __future__ import annotations

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from .primitives import JIT_ON, kernel

__all__ = ["bit_count", "high_product", "kernel", "lowest_bit"]

if JIT_ON:

    @intrinsic
    def bit_count(typingctx, word):
        """How many bits of a uint64 are set, as int64."""

        def codegen(context, builder, signature, args):
            return builder.ctpop(args[0])

        return types.int64(types.uint64), codegen

    @intrinsic
    def lowest_bit(typingctx, word):
        """The number of the lowest set bit of a uint64, as int64; 64 when there is none."""

        def codegen(context, builder, signature, args):
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 0))

        return types.int64(types.uint64), codegen

    @intrinsic
    def high_product(typingctx, left, right):
        """The upper 64 bits of the 128-bit product of two uint64."""

        def codegen(context, builder, signature, args):
            wide = ir.IntType(128)
            product = builder.mul(builder.zext(args[0], wide), builder.zext(args[1], wide))
            return builder.trunc(builder.lshr(product, ir.Constant(wide, 64)), ir.IntType(64))

        return types.uint64(types.uint64, types.uint64), codegen

else:

    def bit_count(word):
        """How many bits of a word are set."""
        return int(word).bit_count()

    def lowest_bit(word):
        """The number of the lowest set bit of a word; 64 when there is none."""
        value = int(word)
        return (value & -value).bit_length() - 1 if value else 64

    def high_product(left, right):
        """The upper 64 bits of the 128-bit product of two words."""
        return np.uint64((int(left) * int(right)) >> 64)
