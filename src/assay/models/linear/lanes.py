"""Several numbers at once: sums over the sparse rows of a column, for four or eight classes in one vector register."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array
from numpy.typing import NDArray

from assay.base.arrays import Intrinsic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    from numba.core.base import BaseContext
    from numba.core.typing.templates import Signature

N_LANES = 8
_CACHE_LINE = 64  # bytes, which eight numbers fill
FEW, MANY = (0.0,) * 4, (0.0,) * N_LANES  # tell loops how many lanes there are
_VECTOR = ir.VectorType(ir.DoubleType(), N_LANES)
_INDEX = ir.IntType(64)
_CONTRACT = ("contract",)  # multiply and add in one instruction if there is one


def make_lanes(n_rows: int, n_lanes: int = N_LANES) -> NDArray[np.float64]:
    """Return an empty array of rows of four or eight numbers, each within one cache line."""
    buffer = np.empty(n_rows * n_lanes + N_LANES)
    start = -buffer.ctypes.data % _CACHE_LINE // buffer.itemsize
    return buffer[start : start + n_rows * n_lanes].reshape(n_rows, n_lanes)


@intrinsic
def _sum_rows(
    _context: BaseContext,
    source: types.Type,
    rows: types.Type,
    values: types.Type,
    start: types.Type,  # noqa: ARG001
    stop: types.Type,  # noqa: ARG001
    target: types.Type,
    lanes: types.UniTuple,
) -> Intrinsic:
    """Write Σ values[i] · source[rows[i]] over a range of i into row 0 of `target`; `lanes` is FEW or MANY."""
    vector_type = _find_vector_type(lanes)

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        source, rows, values, target = _pointers(context, builder, signature, arguments, (0, 1, 2, 5))
        zero = ir.Constant(vector_type, [0.0] * vector_type.count)
        total = cgutils.alloca_once_value(builder, zero)  # type: ignore[no-untyped-call]
        with _each(builder, arguments[3], arguments[4]) as (at, _):
            vector = builder.load(_row(builder, source, rows, at, vector_type), align=8)
            value = _spread(builder, values, at, vector_type)
            builder.store(_multiply_add(builder, value, vector, builder.load(total)), total)
        builder.store(builder.load(total), builder.bitcast(target, vector_type.as_pointer()), align=8)
        return context.get_dummy_value()  # type: ignore[no-untyped-call]

    return types.void(source, rows, values, types.int64, types.int64, target, lanes), generate


@intrinsic
def _add_to_rows(
    _context: BaseContext,
    target: types.Type,
    rows: types.Type,
    values: types.Type,
    start: types.Type,  # noqa: ARG001
    stop: types.Type,  # noqa: ARG001
    source: types.Type,
    lanes: types.UniTuple,
) -> Intrinsic:
    """Add values[i] · row 0 of `source` to target[rows[i]] for a range of i; `lanes` is FEW or MANY."""
    vector_type = _find_vector_type(lanes)

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        target, rows, values, source = _pointers(context, builder, signature, arguments, (0, 1, 2, 5))
        vector = builder.load(builder.bitcast(source, vector_type.as_pointer()), align=8)
        with _each(builder, arguments[3], arguments[4]) as (at, _):
            row = _row(builder, target, rows, at, vector_type)
            value = _spread(builder, values, at, vector_type)
            changed = _multiply_add(builder, value, vector, builder.load(row, align=8))
            builder.store(changed, row, align=8)
        return context.get_dummy_value()  # type: ignore[no-untyped-call]

    return types.void(target, rows, values, types.int64, types.int64, source, lanes), generate


@intrinsic
def _sum_products(
    _context: BaseContext,
    first: types.Type,
    second: types.Type,
    stop: types.Type,  # noqa: ARG001
    target: types.Type,
) -> Intrinsic:
    """Write Σ first[i] · second[i] into row 0 of `target`, each lane's for every eighth i, below a multiple of eight.

    Four sums per lane do not wait for each other.
    """

    def generate(
        context: BaseContext, builder: ir.IRBuilder, signature: Signature, arguments: Sequence[ir.Value]
    ) -> ir.Value:
        first, second, target = _pointers(context, builder, signature, arguments, (0, 1, 3))
        zero, lanes = ir.Constant(_INDEX, 0), ir.Constant(_INDEX, N_LANES)
        totals = [
            cgutils.alloca_once_value(builder, ir.Constant(_VECTOR, [0.0] * N_LANES))  # type: ignore[no-untyped-call]
            for _ in range(4)
        ]

        def add(at: ir.Value, total: ir.Value) -> None:
            a, b = (
                builder.load(builder.bitcast(builder.gep(array, [at]), _VECTOR.as_pointer()), align=8)
                for array in (first, second)
            )
            builder.store(_multiply_add(builder, a, b, builder.load(total)), total)

        step = builder.mul(lanes, ir.Constant(_INDEX, len(totals)))
        whole = builder.mul(builder.udiv(arguments[2], step), step)
        with cgutils.for_range_slice(builder, zero, whole, step, _INDEX) as (at, _):
            for number, total in enumerate(totals):
                add(builder.add(at, ir.Constant(_INDEX, number * N_LANES)), total)
        with cgutils.for_range_slice(builder, whole, arguments[2], lanes, _INDEX) as (at, _):
            add(at, totals[0])
        halves = [
            builder.fadd(builder.load(totals[number]), builder.load(totals[number + 1])) for number in range(0, 4, 2)
        ]
        builder.store(builder.fadd(*halves), builder.bitcast(target, _VECTOR.as_pointer()), align=8)
        return context.get_dummy_value()  # type: ignore[no-untyped-call]

    return types.void(first, second, types.int64, target), generate


sum_products: Any = _sum_products
sum_rows: Any = _sum_rows  # called without the typing context
add_to_rows: Any = _add_to_rows


def _pointers(
    context: BaseContext,
    builder: ir.IRBuilder,
    signature: Signature,
    arguments: Sequence[ir.Value],
    numbers: tuple[int, ...],
) -> list[ir.Value]:
    return [make_array(signature.args[number])(context, builder, arguments[number]).data for number in numbers]  # type: ignore[no-untyped-call]


def _each(builder: ir.IRBuilder, start: ir.Value, stop: ir.Value) -> AbstractContextManager[tuple[ir.Value, ir.Value]]:
    return cgutils.for_range_slice(builder, start, stop, ir.Constant(_INDEX, 1), _INDEX)


def _find_vector_type(lanes: types.UniTuple) -> ir.VectorType:
    return ir.VectorType(ir.DoubleType(), lanes.count)


def _row(builder: ir.IRBuilder, array: ir.Value, rows: ir.Value, at: ir.Value, vector_type: ir.VectorType) -> ir.Value:
    """Return a pointer to the vector of a row; row numbers are never negative."""
    row = builder.zext(builder.load(builder.gep(rows, [at])), _INDEX)
    first = builder.gep(array, [builder.mul(row, ir.Constant(_INDEX, vector_type.count))])
    return builder.bitcast(first, vector_type.as_pointer())


def _spread(builder: ir.IRBuilder, values: ir.Value, at: ir.Value, vector_type: ir.VectorType) -> ir.Value:
    """Return a vector that holds one value in every lane."""
    undefined, first = ir.Constant(vector_type, ir.Undefined), ir.Constant(ir.IntType(32), 0)
    single = builder.insert_element(undefined, builder.load(builder.gep(values, [at])), first)
    mask = ir.Constant(ir.VectorType(ir.IntType(32), vector_type.count), [0] * vector_type.count)
    return builder.shuffle_vector(single, undefined, mask)


def _multiply_add(builder: ir.IRBuilder, a: ir.Value, b: ir.Value, c: ir.Value) -> ir.Value:
    return builder.fadd(builder.fmul(a, b, flags=_CONTRACT), c, flags=_CONTRACT)
