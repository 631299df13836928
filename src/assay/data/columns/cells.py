"""Turn typed columns into text, the same text whatever the file format."""

from __future__ import annotations

import polars as pl

from assay.data.columns.table import RawTable


def to_text_table(frame: pl.DataFrame) -> RawTable:
    """Write every column as text: 1 is "1", 1.0 is "1.0", true is "true", a date is ISO, a list or object is JSON.

    >>> to_text_table(pl.DataFrame({"label": [1, None], "score": [1.0, float("nan")]})).frame.rows()
    [('1', '1.0'), (None, None)]
    """
    nested = {name: content for name, dtype in frame.schema.items() if (content := _describe_nested(dtype))}
    return RawTable(pl.DataFrame([_to_text(frame[name]) for name in frame.columns]), nested=nested)


def _describe_nested(dtype: pl.DataType) -> str:
    if dtype == pl.Binary:
        return "binary data"
    if isinstance(dtype, pl.Struct):
        return "objects"
    return "lists" if dtype.is_nested() else ""


def _to_text(values: pl.Series) -> pl.Series:
    dtype = values.dtype
    if dtype == pl.String:
        return values
    if dtype.is_float():
        return values.fill_nan(None).cast(pl.String)
    if dtype == pl.Binary or dtype == pl.Object:
        return _make_nulls(values)
    if dtype.is_nested():
        return _to_json(values)
    if isinstance(dtype, pl.Datetime):
        return _to_iso(values)
    if isinstance(dtype, pl.Duration):
        return values.dt.to_string("iso")
    return values.cast(pl.String)


def _make_nulls(values: pl.Series) -> pl.Series:
    return pl.repeat(None, len(values), dtype=pl.String, eager=True).alias(values.name)


def _to_iso(times: pl.Series) -> pl.Series:
    whole_seconds = bool((times.dt.nanosecond() == 0).all())
    zone = "%:z" if isinstance(times.dtype, pl.Datetime) and times.dtype.time_zone else ""
    return times.dt.to_string(("%Y-%m-%d %H:%M:%S" if whole_seconds else "%Y-%m-%d %H:%M:%S%.f") + zone)


def _to_json(values: pl.Series) -> pl.Series:
    if "Binary" in str(values.dtype):  # images and audio: no text to read
        return _make_nulls(values)
    wrapped = values.to_frame("x").select(pl.struct("x").struct.json_encode()).to_series()
    inner = wrapped.str.slice(5).str.head(-1)  # {"x":…} without its wrapping
    return inner.zip_with(values.is_not_null(), pl.Series([None], dtype=pl.String)).alias(values.name)
