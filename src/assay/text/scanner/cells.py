"""Eight bytes of a text at once, as one integer (a "cell")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from assay.base.arrays import Integer, Intrinsic
from assay.base.loops import compile_loop

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numba.core.base import BaseContext
    from numba.core.typing.templates import Signature

_HIGH_BITS = np.uint64(0x8080808080808080)
_FROM_A = np.uint64(0x3F3F3F3F3F3F3F3F)  # carries 'A' and everything above into the high bit
_PAST_Z = np.uint64(0x2525252525252525)  # carries only what follows 'Z'


@intrinsic
def _read_cell(_context: BaseContext, data: types.Type, at: Integer) -> Intrinsic:  # noqa: ARG001, numba reads the signature
    """Read eight bytes at any position, aligned or not; the caller makes sure that they exist."""

    def load(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        array = make_array(signature.args[0])(context, builder, arguments[0])  # type: ignore[no-untyped-call]
        pointer = builder.gep(array.data, [arguments[1]])
        return builder.load(builder.bitcast(pointer, ir.IntType(64).as_pointer()), align=1)

    return types.uint64(data, types.int64), load


read_cell: Any = _read_cell  # called with the array and the position only


@compile_loop(forceinline=True)
def keep_bytes(cell: Integer, n_bytes: Integer) -> Integer:
    """Keep the first bytes of a cell, fewer than eight, and clear the others."""
    return cell & ((np.uint64(1) << np.uint64(8 * n_bytes)) - np.uint64(1))


@compile_loop(forceinline=True)
def lower_cell(cell: Integer) -> Integer:
    """Lower-case the letters of a cell of ASCII, all at once."""
    capitals = ((cell + _FROM_A) ^ (cell + _PAST_Z)) & _HIGH_BITS
    return cell | (capitals >> np.uint64(2))
