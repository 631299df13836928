"""Dates in the formats people write them, read a column at a time into seconds since 1970 (UTC)."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl

from assay.base.errors import AssayError, join_names

# Tried in this order on what the formats before left unread. `%#z` reads Z, +01:00 and +0100.
_FORMATS = [
    "%Y-%m-%d",
    "%Y-%m-%d %H:%M:%S%.f",
    "%Y-%m-%d %H:%M:%S%.f%#z",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d %H:%M%#z",
    "%Y/%m/%d",
    "%Y/%m/%d %H:%M:%S%.f",
    "%Y/%m/%d %H:%M",
    "%Y%m%d",
    "%d.%m.%Y",
    "%d.%m.%Y %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%a, %d %b %Y %H:%M:%S %#z",
    "%d %b %Y %H:%M:%S %#z",
    "%a %b %d %H:%M:%S %#z %Y",
    "%a %b %d %H:%M:%S %Y",
    "%d %b %Y",
    "%d %B %Y",
    "%b %d, %Y",
    "%B %d, %Y",
    "%b %d %Y",
    "%B %d %Y",
    "%d-%b-%Y",
]
_TIMES_OF_DAY = ["", " %H:%M:%S", " %H:%M", " %I:%M:%S %p", " %I:%M %p"]
_EPOCHS = ((1e11, 1.0), (1e14, 1e3), (1e17, 1e6), (np.inf, 1e9))  # seconds, milli-, micro-, nanoseconds


def parse_times(values: Any, day_first: bool | None = None) -> np.ndarray:
    """Read dates into seconds since 1970; nan where a value is missing. Dates without a zone are taken as UTC.

    03/04/2020 is read day first or month first as the rest of the column shows (13/04/2020 can only be one); where
    nothing shows it, that is an error, unless `day_first` says it.

    >>> parse_times(["1970-01-02", "1970-01-01 00:01:00", "Thu, 01 Jan 1970 01:00:00 +0100", None]).tolist()
    [86400.0, 60.0, 0.0, nan]
    """
    column = values if isinstance(values, pl.Series) else pl.Series(_listed(values), strict=False)
    if column.dtype.is_temporal():
        return _seconds(column.cast(pl.Datetime("us")))
    if column.dtype.is_numeric():
        return _epochs(column)
    text = column.cast(pl.String).str.strip_chars().replace("", None)
    seconds = _of_distinct(text.unique(maintain_order=True), text, day_first)
    _refuse_unread(seconds, text)
    return seconds


def _listed(values: Any) -> Any:
    return values if isinstance(values, np.ndarray) and values.dtype != object else list(values)


def _of_distinct(distinct: pl.Series, text: pl.Series, day_first: bool | None) -> np.ndarray:
    read = pl.DataFrame({"text": distinct, "seconds": _read(distinct, day_first)})
    joined = pl.DataFrame({"text": text}).join(read, on="text", how="left", maintain_order="left")
    return joined["seconds"].to_numpy().astype(np.float64)


def _read(text: pl.Series, day_first: bool | None) -> np.ndarray:
    plain = text.str.replace(r"^(\d{4}-\d\d-\d\d)[Tt]", "${1} ").str.replace(r"(?i)\s*(z|\s+utc|\s+gmt)$", "+0000")
    plain = plain.str.replace(r"^(\d{4})$", "${1}-01-01").str.replace(r"^(\d{4})[-/](\d{1,2})$", "${1}-${2}-01")
    numeric = plain.str.contains(r"^-?\d{9,}(\.\d+)?$").fill_null(False)
    seconds = np.where(numeric, _epochs(plain.cast(pl.Float64, strict=False)), np.nan)
    for form in _FORMATS:
        seconds = _filled(seconds, plain, form)
        if not np.isnan(seconds).any():
            return seconds
    return _slashed(seconds, plain, day_first)


def _filled(seconds: np.ndarray, text: pl.Series, form: str) -> np.ndarray:
    open_ = np.flatnonzero(np.isnan(seconds))
    if not len(open_):
        return seconds
    # A space before the zone is optional in what people write; strptime wants it as in the format.
    rest = (
        text.gather(open_).str.replace(r"\s*([+-]\d\d:?\d\d)$", "${1}") if form.endswith("f%#z") else text.gather(open_)
    )
    parsed = rest.str.to_datetime(form, strict=False, time_unit="us", time_zone="UTC" if "%#z" in form else None)
    seconds = seconds.copy()
    seconds[open_] = _seconds(parsed)
    return seconds


def _slashed(seconds: np.ndarray, text: pl.Series, day_first: bool | None) -> np.ndarray:
    """Read 03/04/2020 and 03-04-2020, day or month first as one reading of the whole column allows."""
    readings = {}
    for first, days in ((True, "%d{0}%m{0}%Y"), (False, "%m{0}%d{0}%Y")):
        readings[first] = seconds
        for separator in "/-":
            for time in _TIMES_OF_DAY:
                readings[first] = _filled(readings[first], text, days.format(separator) + time)
    if day_first is not None:
        return readings[day_first]
    unread = {first: int(np.isnan(reading).sum()) for first, reading in readings.items()}
    if unread[True] != unread[False]:
        return readings[unread[True] < unread[False]]
    if unread[True]:
        return readings[True]
    unlike = np.flatnonzero((readings[True] != readings[False]) & ~np.isnan(readings[True]))
    if len(unlike):
        raise AssayError(
            f"Dates like {text[int(unlike[0])]} read day first and month first alike: say which with day_first "
            "(-s day_first=true or false)."
        )
    return readings[True]


def _epochs(numbers: pl.Series) -> np.ndarray:
    values = numbers.cast(pl.Float64).to_numpy().astype(np.float64)
    if ((values >= 1000) & (values < 3000) & (values == np.floor(values)) | np.isnan(values)).all():  # years
        return _seconds((numbers.cast(pl.Int64).cast(pl.String) + "-01-01").str.to_datetime("%Y-%m-%d", strict=False))
    scales = np.select([np.abs(values) < limit for limit, _ in _EPOCHS], [scale for _, scale in _EPOCHS], 1.0)
    return np.asarray(values / scales)


def _seconds(moments: pl.Series) -> np.ndarray:
    return moments.dt.timestamp("us").cast(pl.Float64).to_numpy().astype(np.float64) / 1e6


def _refuse_unread(seconds: np.ndarray, text: pl.Series) -> None:
    unread = np.flatnonzero(np.isnan(seconds) & text.is_not_null().to_numpy())
    if len(unread):
        named = join_names(f"'{text[int(row)]}' (row {row})" for row in unread)
        raise AssayError(f"{len(unread)} of {len(text)} dates cannot be read: {named}.")
