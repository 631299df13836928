"""A table from a path or from memory, as one frame of text columns."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl


def read_frame(source: object, name: str = "table") -> tuple[pl.DataFrame, str]:
    """Return a table of text columns and the name of its file; `name` is used for a table in memory.

    >>> read_frame({"a": [1, None]})[0].rows()
    [('1',), (None,)]
    """
    from assay.data.readers.files import join_parts, read_table
    from assay.data.readers.memory import convert_object

    if isinstance(source, (str, Path)):
        return read_table(source), Path(source).name
    return join_parts(convert_object(source))[0].frame, name
