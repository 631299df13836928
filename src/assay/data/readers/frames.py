"""A table from a path or from memory, as one frame of text columns."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from assay.data.columns.table import RawTable


def read_frame(source: object, name: str = "table") -> tuple[pl.DataFrame, str]:
    """Return a table of text columns and the name of its file; `name` is used for a table in memory.

    >>> read_frame({"a": [1, None]})[0].rows()
    [('1',), (None,)]
    """
    table, name = read_raw_table(source, name)
    return table.frame, name


def read_raw_table(source: object, name: str = "table") -> tuple[RawTable, str]:
    """Return a table with its notes and what it leaves out, and the name of its file."""
    from assay.data.readers.files import join_parts, read_parts
    from assay.data.readers.memory import convert_object

    if isinstance(source, (str, Path)):
        return join_parts(read_parts(source))[0], Path(source).name
    return join_parts(convert_object(source))[0], name
