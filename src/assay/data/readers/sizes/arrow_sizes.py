"""How many bytes an Arrow array takes once it is decoded: dictionaries resolved, cells written as text."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from assay.system.limits import CELL_BYTES

_MAX_NUMBER_TEXT = 40


def is_convertible(dtype: pa.DataType) -> bool:
    """Return whether a column of this type can be turned into text."""
    types = pa.types
    if types.is_dictionary(dtype):
        return is_convertible(dtype.value_type)
    if isinstance(dtype, pa.BaseExtensionType):
        return is_convertible(dtype.storage_type)
    if types.is_fixed_size_list(dtype) and dtype.list_size == 0:
        return False
    if types.is_run_end_encoded(dtype) or types.is_list_view(dtype) or types.is_large_list_view(dtype):
        return False
    if types.is_union(dtype) or types.is_interval(dtype) or types.is_decimal256(dtype):
        return False
    # A name that is not UTF-8 shows as U+FFFD here, and polars stops at it.
    fields = [dtype.field(number) for number in range(dtype.num_fields)]
    return all(is_convertible(field.type) and "\ufffd" not in field.name for field in fields)


def measure_array(array: pa.Array) -> int:
    """Return an upper bound for the bytes that the values of an array take as text.

    >>> measure_array(pa.array(["ab"] * 3).dictionary_encode()) - 3 * CELL_BYTES
    6
    """
    cells = len(array) * CELL_BYTES
    dtype = array.type
    if isinstance(dtype, pa.BaseExtensionType):
        return measure_array(array.storage)
    if not is_convertible(dtype) or pa.types.is_null(dtype):
        return cells
    if pa.types.is_dictionary(dtype):
        return cells + _measure_dictionary(array)
    if is_text(dtype):
        return cells + int(pc.sum(_measure_texts(array)).as_py() or 0)
    if pa.types.is_struct(dtype):
        return cells + sum(measure_array(array.field(number)) for number in range(dtype.num_fields))
    if pa.types.is_map(dtype):
        return cells + measure_array(array.keys) + measure_array(array.items)
    if pa.types.is_nested(dtype):
        return cells + measure_array(array.flatten())
    return cells + len(array) * max(_MAX_NUMBER_TEXT, dtype.bit_width // 8)


def _measure_dictionary(array: pa.DictionaryArray) -> int:
    """Multiply how often each entry of the dictionary is used by its size."""
    counts = pc.value_counts(array.indices.drop_null())
    entries = pc.take(array.dictionary, counts.field("values"))
    if not is_text(entries.type):
        sizes = (measure_array(entries.slice(place, 1)) for place in range(len(entries)))
        return sum(count * size for count, size in zip(counts.field("counts").to_pylist(), sizes, strict=True))
    return int(pc.sum(pc.multiply(_measure_texts(entries), counts.field("counts"))).as_py() or 0)


def _measure_texts(array: pa.Array) -> pa.Array:
    """Return the length in bytes of every text."""
    if pa.types.is_string_view(array.type) or pa.types.is_binary_view(array.type):  # no kernel measures these
        is_valid, views = array.buffers()[:2]
        lengths = np.frombuffer(views, dtype="<i4").reshape(-1, 4)[:, 0].astype(np.int64)
        return pa.Array.from_buffers(pa.int64(), len(array), [is_valid, pa.py_buffer(lengths)], offset=array.offset)
    return pc.cast(pc.binary_length(array), pa.int64())


def is_text(dtype: pa.DataType) -> bool:
    """Return whether values of this type are strings or bytes."""
    types = pa.types
    return (
        types.is_string(dtype)
        or types.is_large_string(dtype)
        or types.is_binary(dtype)
        or types.is_large_binary(dtype)
        or types.is_string_view(dtype)
        or types.is_binary_view(dtype)
        or types.is_fixed_size_binary(dtype)
    )
