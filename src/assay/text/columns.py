"""Texts from any source as Arrow columns of UTF-8."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from assay.base.errors import AssayError

if TYPE_CHECKING:
    import polars as pl

_SURROGATES = re.compile("[\ud800-\udfff]")

BLOCK_BYTES = 1 << 21  # scanned at a time: bounds the memory next to the result
SLICE_ROWS = 200_000


# A list, an iterator, or a column of numpy, pandas, polars or Arrow.
Texts: TypeAlias = "Iterable[str | None] | pl.Series | pa.ChunkedArray"


class TextBlock(NamedTuple):
    """Consecutive texts: their bytes, and where each text begins and ends in them."""

    data: NDArray[np.uint8]
    bounds: NDArray[np.int64]


def to_column(texts: Texts) -> pa.ChunkedArray:
    """Return texts as a column of large strings without nulls; a missing text is an empty one.

    Takes lists, iterators, numpy, pandas, polars and Arrow columns (plain, view, dictionary, sliced, chunked).

    >>> to_column(["a", None]).to_pylist()
    ['a', '']
    """
    if isinstance(texts, (str, bytes)):
        raise AssayError("Texts must be a sequence of strings, not one string.", hint="Put it in a list.")
    rename = getattr(texts, "alias", None)
    if rename is not None:  # a Series
        texts = rename("").to_arrow()  # a name with a NUL would be refused
    if not isinstance(texts, (pa.Array, pa.ChunkedArray)):
        texts = _from_python(texts)
    return _to_large_strings(texts if isinstance(texts, pa.ChunkedArray) else pa.chunked_array([texts]))


def release_memory() -> None:
    """Return freed memory to the system: Arrow's pool and, with glibc, malloc's arenas would keep it."""
    import ctypes
    import sys

    pa.default_memory_pool().release_unused()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


def cut_texts(texts: Texts) -> Iterator[TextBlock]:
    """Cut texts into blocks; a long polars column is converted a slice at a time, so that no copy of it is made."""
    import polars as pl

    if not isinstance(texts, pl.Series) or len(texts) <= SLICE_ROWS:
        yield from cut_blocks(to_column(texts))
        return
    for start in range(0, len(texts), SLICE_ROWS):
        yield from cut_blocks(to_column(texts.slice(start, SLICE_ROWS)))


def cut_blocks(texts: pa.ChunkedArray, size: int = BLOCK_BYTES) -> Iterator[TextBlock]:
    """Cut a column into blocks of texts of about `size` bytes; a longer text is a block of its own."""
    for chunk in texts.chunks:
        whole = to_block(chunk)
        start = 0
        while start < len(chunk):
            limit = whole.bounds[start] + size
            stop = max(start + 1, int(np.searchsorted(whole.bounds, limit, "right")) - 1)
            yield TextBlock(whole.data, whole.bounds[start : stop + 1])
            start = stop


def to_block(chunk: pa.LargeStringArray) -> TextBlock:
    """Return the bytes and bounds of an Arrow array without copying them."""
    _, bounds, data = chunk.buffers()
    if len(chunk) == 0 or bounds is None:
        return TextBlock(np.zeros(0, np.uint8), np.zeros(1, np.int64))
    positions = np.frombuffer(bounds, np.int64)[chunk.offset : chunk.offset + len(chunk) + 1]
    characters = np.frombuffer(data, np.uint8) if data else np.zeros(0, np.uint8)
    for values in (positions, characters):
        values.flags.writeable = False  # some buffers are read-only, and loops are compiled for each type
    return TextBlock(characters, positions)


def to_strings(data: NDArray[np.uint8], bounds: NDArray[np.int64]) -> pa.LargeStringArray:
    """Return bytes and bounds as an Arrow array without copying them."""
    return pa.LargeStringArray.from_buffers(len(bounds) - 1, pa.py_buffer(bounds), pa.py_buffer(data))


def _to_large_strings(texts: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = texts.type.value_type if pa.types.is_dictionary(texts.type) else texts.type
    text_types = (pa.types.is_string, pa.types.is_large_string, pa.types.is_string_view, pa.types.is_null)
    if not any(is_type(kind) for is_type in text_types):
        raise AssayError(f"Texts must be strings; this column is of type {kind}.")
    if texts.type != pa.large_string():
        texts = texts.cast(kind).cast(pa.large_string())
    return pc.fill_null(texts, "") if texts.null_count else texts


def _from_python(texts: Iterable[object]) -> pa.Array | pa.ChunkedArray:
    if not hasattr(texts, "__len__"):
        texts = list(texts)
    try:
        return pa.array(texts, pa.large_string(), from_pandas=True)
    except UnicodeEncodeError:
        return pa.array([_replace_surrogates(text) for text in texts], pa.large_string(), from_pandas=True)
    except (pa.ArrowTypeError, pa.ArrowInvalid, TypeError) as error:
        raise AssayError(f"Texts must be strings{_describe_wrong_text(texts)}.") from error


def _replace_surrogates(text: object) -> object:
    # Half a surrogate pair has no UTF-8. U+FFFD is, like it, part of no word and no sentence end.
    return _SURROGATES.sub("\ufffd", text) if isinstance(text, str) else text


def _describe_wrong_text(texts: Iterable[object]) -> str:
    for row, text in enumerate(texts):
        if text is not None and not isinstance(text, str):
            return f"; row {row} is {type(text).__name__} ({str(text)[:40]})"
    return ""
