"""Bit operations on unsigned words for the loops of the shuffle lab; how to compile is basra_sim.jit's to say."""

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ..jit import kernel

__all__ = ["bit_count", "high_product", "kernel", "lowest_bit"]


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
