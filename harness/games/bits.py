"""Two machine instructions that Python lacks, for kernels; plain Python when the JIT is off."""

from typing import Any

from numba.core import config
from numba.core import types as nb
from numba.extending import intrinsic

if config.DISABLE_JIT:

    def lowest_bit(mask: int) -> int:
        """Return the index of the lowest set bit of ``mask`` (positive)."""
        return int(mask & -mask).bit_length() - 1

    def popcount(mask: int) -> int:
        """Return the number of set bits of ``mask`` (not negative)."""
        return int(mask).bit_count()

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def lowest_bit(_context: Any, _mask: Any) -> Any:
        def codegen(context: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(nb.boolean, True))

        return nb.int64(nb.int64), codegen

    @intrinsic  # type: ignore[untyped-decorator]
    def popcount(_context: Any, _mask: Any) -> Any:
        def codegen(_ctx: Any, builder: Any, _signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return nb.int64(nb.int64), codegen
