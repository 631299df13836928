"""A table of text columns, as every reader returns it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import polars as pl

from assay.base.errors import AssayError, join_names
from assay.data.left_out import LeftOut

# A text dataset has a handful of columns; more than this is a transposed matrix or a wrong separator.
MAX_COLUMNS = 20_000
MAX_NAME = 40


class EmptyTableError(AssayError):
    """A file without rows: an error alone, skipped among shards."""


@dataclass(frozen=True)
class RawTable:
    """A frame of text columns, with notes on how it was read.

    `nested` says what a column holds if it is not text ("lists", "binary data"). `attachments` are further tables
    that the rows refer to, such as the documents of a retrieval task.
    """

    frame: pl.DataFrame
    notes: tuple[str, ...] = ()
    nested: dict[str, str] = field(default_factory=dict)
    attachments: dict[str, pl.DataFrame] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()


def check_column_count(n_columns: int, place: object) -> None:
    """Raise for a table so wide that it cannot hold texts."""
    if n_columns > MAX_COLUMNS:
        raise AssayError(
            f"the table has {n_columns:,} columns; at most {MAX_COLUMNS:,} are read",
            place=place,
            hint="Is the table transposed, or the separator wrong?",
        )


def list_names(names: Iterable[object], limit: int = 10) -> str:
    """List names from the data, with long ones shortened.

    >>> list_names(["id", "a" * 50], limit=1)
    'id and 1 more'
    """
    return join_names((shorten_name(name) for name in names), limit=limit)


def shorten_name(name: object) -> str:
    r"""Write a name from the data on one line of at most 40 characters.

    >>> shorten_name("a\nname"), len(shorten_name("x" * 100))
    ('a name', 40)
    """
    line = "".join(character if character.isprintable() else " " for character in str(name)[: MAX_NAME + 1])
    return line if len(line) <= MAX_NAME else f"{line[: MAX_NAME - 1]}…"
