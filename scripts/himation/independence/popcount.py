"""Population count of 64-bit words for compiled code: numba has none, LLVM does."""

from llvmlite import ir
from numba import types
from numba.extending import intrinsic


@intrinsic
def popcount(typing_context, word):
    """Number of ones in a ``uint64``."""

    def generate(context, builder, signature, args):
        function = builder.module.declare_intrinsic("llvm.ctpop", [ir.IntType(64)])
        return builder.call(function, args)

    return types.int64(types.uint64), generate  # signed, as int64 + uint64 is a float to numba
