"""Turn typed columns into text, the same text whatever the file format."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import polars as pl

from assay.base.errors import AssayError, join_names

# A text dataset has a handful of columns; more than this is a transposed matrix or a wrong separator.
MAX_COLUMNS = 20_000


class EmptyError(AssayError):
    """A file that holds no rows: an error alone, left out among shards."""


@dataclass(frozen=True)
class Table:
    """A frame of text columns, with what was noted on the way and which columns hold no text at all."""

    frame: pl.DataFrame
    notes: tuple[str, ...] = ()
    odd: dict[str, str] = field(default_factory=dict)  # column: what it holds instead of text


def as_text(frame: pl.DataFrame) -> Table:
    """Write every column as text: 1 is "1", 1.0 is "1.0", true is "true", a date is ISO, a list or object is JSON.

    >>> as_text(pl.DataFrame({"label": [1, None], "score": [1.0, float("nan")]})).frame.rows()
    [('1', '1.0'), (None, None)]
    """
    odd = {name: kind for name, dtype in frame.schema.items() if (kind := _odd(dtype))}
    columns = [_column(frame[name]) for name in frame.columns]
    return Table(pl.DataFrame(columns), odd=odd)


def refuse_many_columns(n_columns: int, place: object) -> None:
    """Raise for a table so wide that it cannot be one of texts."""
    if n_columns > MAX_COLUMNS:
        raise AssayError(
            f"{place} has {n_columns:,} columns; at most {MAX_COLUMNS:,} are read. "
            "Is it transposed, or the separator wrong?"
        )


def shortened(names: Iterable[str], limit: int = 10) -> str:
    """List names of columns, cutting long ones.

    >>> shortened(["id", "a" * 50], limit=1)
    'id and 1 more'
    """
    return join_names((name if len(name) <= 40 else f"{name[:39]}…" for name in names), limit=limit)


def _odd(dtype: pl.DataType) -> str:
    if dtype == pl.Binary:
        return "binary data"
    if isinstance(dtype, pl.Struct):
        return "objects"
    if isinstance(dtype, (pl.List, pl.Array)):
        return "lists"
    return ""


def _column(values: pl.Series) -> pl.Series:
    dtype = values.dtype
    if dtype == pl.String:
        return values
    if dtype.is_float():
        return values.fill_nan(None).cast(pl.String)
    if dtype == pl.Binary or dtype == pl.Object:
        return pl.Series(values.name, [None] * len(values), dtype=pl.String)
    if dtype.is_nested():
        return _as_json(values)
    if isinstance(dtype, pl.Datetime):
        return _as_iso(values)
    return values.cast(pl.String)


def _as_iso(times: pl.Series) -> pl.Series:
    whole = bool((times.dt.nanosecond() == 0).all())
    zone = "%:z" if isinstance(times.dtype, pl.Datetime) and times.dtype.time_zone else ""
    return times.dt.to_string(("%Y-%m-%d %H:%M:%S" if whole else "%Y-%m-%d %H:%M:%S%.f") + zone)


def _as_json(values: pl.Series) -> pl.Series:
    if "Binary" in str(values.dtype):  # images and audio: nothing to read here
        return pl.Series(values.name, [None] * len(values), dtype=pl.String)
    written = values.to_frame("x").select(pl.struct("x").struct.json_encode()).to_series()
    inner = written.str.slice(5).str.head(-1)  # {"x":…} without its wrapping
    return inner.zip_with(values.is_not_null(), pl.Series([None], dtype=pl.String)).alias(values.name)
