"""Summaries of columns: values with counts, a histogram of numbers or lengths, empty cells."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.parameters import Options
from assay.wording.numbers import format_number

MAX_VALUES = 30  # different ones of a column that is shown by its values
N_SHOWN = 6
N_BINS = 16
MAX_VALUE_LENGTH = 60
NUMBER_SHARE = 0.98  # of the cells of a column of numbers


def summarise_columns(frame: pl.DataFrame) -> list[Options]:
    """Return for each column the empty and distinct cells, and the most frequent values or a histogram.

    >>> rows = summarise_columns(pl.DataFrame({"label": ["a", "b", "a", ""]}))
    >>> rows[0]["n_empty"], rows[0]["values"], rows[0]["about"]
    (1, [('a', 2), ('b', 1)], '2 values')
    """
    return [summarise_column(frame[name].cast(pl.String, strict=False)) for name in frame.columns]


def summarise_column(cells: pl.Series) -> Options:
    """Summarise one column of texts."""
    given = cells.drop_nulls()
    given = given.filter(given.str.len_bytes() > 0)
    n_distinct = given.n_unique()
    summary: Options = {"n_empty": len(cells) - len(given), "n_distinct": n_distinct, "values": [], "bars": []}
    if not len(given):
        return summary | {"about": "empty"}
    if n_distinct <= MAX_VALUES:
        counts = given.value_counts(sort=True).rows()
        counts = sorted(counts, key=lambda row: (-row[1], row[0]))
        values = [(value[:MAX_VALUE_LENGTH], n) for value, n in counts[:N_SHOWN]]
        return summary | {"about": f"{n_distinct:,} value{'' if n_distinct == 1 else 's'}", "values": values}
    numbers = given.cast(pl.Float64, strict=False).drop_nulls()
    numbers = numbers.filter(numbers.is_finite())
    is_numeric = len(numbers) >= NUMBER_SHARE * len(given)
    sizes = (numbers if is_numeric else given.str.len_chars()).to_numpy()
    low, middle, high = (format_number(float(value)) for value in np.quantile(sizes, (0, 0.5, 1)))
    about = f"{low} to {high}" if is_numeric else f"{low} to {high} characters, half up to {middle}"
    distinct = "all different" if n_distinct == len(given) else f"{n_distinct:,} different"
    return summary | {"about": f"{about}; {distinct}", "bars": draw_bars(sizes)}


def draw_bars(sizes: Array) -> list[float]:
    """Return the heights of a histogram, from 0 to 1; extreme values are in the last bar.

    >>> draw_bars(np.array([1, 1, 1, 2, 9]))[0]
    1.0
    """
    low, high = float(sizes.min()), float(np.quantile(sizes, 0.99))
    counts, _ = np.histogram(np.clip(sizes, low, high), bins=N_BINS, range=(low, high if high > low else low + 1))
    most = int(counts.max())
    return [max(n / most, 0.04) if n else 0.0 for n in counts.tolist()]
