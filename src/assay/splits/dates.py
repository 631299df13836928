"""Dates in many formats, read column by column into seconds since 1970 (UTC)."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.base.arrays import Array, Values
from assay.base.errors import AssayError, join_names

# Tried in this order on the values that the formats before could not read. `%#z` reads Z, +01:00 and +0100.
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


def parse_times(values: Values | pl.Series, day_first: bool | None = None) -> Array:
    """Read dates into seconds since 1970; nan if a value is missing. Dates without a zone are taken as UTC.

    03/04/2020 is read day first or month first as the rest of the column shows (13/04/2020 can only be one); if
    nothing shows it, that is an error unless `day_first` decides.

    >>> parse_times(["1970-01-02", "1970-01-01 00:01:00", "Thu, 01 Jan 1970 01:00:00 +0100", None]).tolist()
    [86400.0, 60.0, 0.0, nan]
    """
    column = values if isinstance(values, pl.Series) else pl.Series(_convert_to_list(values), strict=False)
    if column.dtype.is_temporal():
        return _convert_to_seconds(column.cast(pl.Datetime("us")))
    if column.dtype.is_numeric():
        return _parse_epochs(column)
    text = column.cast(pl.String).str.strip_chars().replace("", None)
    seconds = _parse_distinct(text.unique(maintain_order=True), text, day_first)
    _refuse_unread(seconds, text)
    return seconds


def _convert_to_list(values: Values) -> Values:
    return values if isinstance(values, np.ndarray) and values.dtype != object else list(values)


def _parse_distinct(distinct: pl.Series, text: pl.Series, day_first: bool | None) -> Array:
    parsed = pl.DataFrame({"text": distinct, "seconds": _parse_strings(distinct, day_first)})
    rows = pl.DataFrame({"text": text}).join(parsed, on="text", how="left", maintain_order="left")
    return rows["seconds"].to_numpy().astype(np.float64)


def _parse_strings(text: pl.Series, day_first: bool | None) -> Array:
    plain = text.str.replace(r"^(\d{4}-\d\d-\d\d)[Tt]", "${1} ").str.replace(r"(?i)\s*(z|\s+utc|\s+gmt)$", "+0000")
    plain = plain.str.replace(r"^(\d{4})$", "${1}-01-01").str.replace(r"^(\d{4})[-/](\d{1,2})$", "${1}-${2}-01")
    numeric = plain.str.contains(r"^-?\d{9,}(\.\d+)?$").fill_null(False)
    seconds = np.where(numeric, _parse_epochs(plain.cast(pl.Float64, strict=False)), np.nan)
    for form in _FORMATS:
        seconds = _parse_remaining(seconds, plain, form)
        if not np.isnan(seconds).any():
            return seconds
    return _parse_day_or_month_first(seconds, plain, day_first)


def _parse_remaining(seconds: Array, text: pl.Series, form: str) -> Array:
    """Parse the values that have no seconds yet by one more format."""
    missing = np.flatnonzero(np.isnan(seconds))
    if not len(missing):
        return seconds
    rest = text.gather(missing)
    if form.endswith("f%#z"):  # a space before the zone is optional in practice; strptime takes the format literally
        rest = rest.str.replace(r"\s*([+-]\d\d:?\d\d)$", "${1}")
    parsed = rest.str.to_datetime(form, strict=False, time_unit="us", time_zone="UTC" if "%#z" in form else None)
    seconds = seconds.copy()
    seconds[missing] = _convert_to_seconds(parsed)
    return seconds


def _parse_day_or_month_first(seconds: Array, text: pl.Series, day_first: bool | None) -> Array:
    """Read 03/04/2020 and 03-04-2020, day or month first as one reading of the whole column allows."""
    readings = {}
    for first, days in ((True, "%d{0}%m{0}%Y"), (False, "%m{0}%d{0}%Y")):
        readings[first] = seconds
        for separator in "/-":
            for time in _TIMES_OF_DAY:
                readings[first] = _parse_remaining(readings[first], text, days.format(separator) + time)
    if day_first is not None:
        return readings[day_first]
    n_unread = {first: int(np.isnan(reading).sum()) for first, reading in readings.items()}
    if n_unread[True] != n_unread[False]:
        return readings[n_unread[True] < n_unread[False]]
    if n_unread[True]:
        return readings[True]
    ambiguous = np.flatnonzero((readings[True] != readings[False]) & ~np.isnan(readings[True]))
    if len(ambiguous):
        raise AssayError(
            f"Dates such as {text[int(ambiguous[0])]} can be read day first or month first: set day_first to true or "
            "false."
        )
    return readings[True]


def _parse_epochs(numbers: pl.Series) -> Array:
    values = numbers.cast(pl.Float64).to_numpy().astype(np.float64)
    if ((values >= 1000) & (values < 3000) & (values == np.floor(values)) | np.isnan(values)).all():  # years
        years = numbers.cast(pl.Int64).cast(pl.String) + "-01-01"
        return _convert_to_seconds(years.str.to_datetime("%Y-%m-%d", strict=False))
    scales = np.select([np.abs(values) < limit for limit, _ in _EPOCHS], [scale for _, scale in _EPOCHS], 1.0)
    return np.asarray(values / scales)


def _convert_to_seconds(moments: pl.Series) -> Array:
    return moments.dt.timestamp("us").cast(pl.Float64).to_numpy().astype(np.float64) / 1e6


def _refuse_unread(seconds: Array, text: pl.Series) -> None:
    unread = np.flatnonzero(np.isnan(seconds) & text.is_not_null().to_numpy())
    if len(unread):
        examples = join_names(f"'{text[int(row)]}' (row {row})" for row in unread)
        raise AssayError(f"{len(unread)} of {len(text)} dates cannot be read: {examples}.")
