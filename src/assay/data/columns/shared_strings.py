"""Columns of text as Python strings, without a string of its own for every cell."""

from __future__ import annotations

import numpy as np
import polars as pl

from assay.base.arrays import Array


def share_strings(values: pl.Series) -> Array:
    """Return the cells as an array of objects, in which equal cells are one string and null is None.

    >>> cells = share_strings(pl.Series(["long label", None, "long label"]))
    >>> cells.tolist(), cells[0] is cells[2]
    (['long label', None, 'long label'], True)
    """
    names = values.unique()
    distinct = np.empty(len(names), dtype=object)
    distinct[:] = names.to_list()
    codes = values.replace_strict(names, range(len(names)), return_dtype=pl.Int64)
    return np.asarray(distinct[codes.to_numpy()])
