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

    return types.uint64(types.uint64), generate
