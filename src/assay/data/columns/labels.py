"""Labels: which cells are missing, and which columns are no labels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import polars as pl

from assay.base.errors import AssayError
from assay.data.columns.grades import are_grades
from assay.data.columns.table import list_names, shorten_name

_HIDDEN = ("-", "-1", "-1.0")
_MINUS_ONE, _ONE = {"-1", "-1.0"}, {"1", "1.0", "+1"}


@dataclass(frozen=True, eq=False)
class CleanLabels:
    """The labels of all rows, null where an item has none, and how many cells of which kind mean none."""

    labels: pl.Series
    missing: dict[str, int]

    @cached_property
    def names(self) -> list[str]:
        """Return the labels that occur, sorted."""
        return sorted(self.labels.drop_nulls().unique().to_list())

    @cached_property
    def are_grades(self) -> bool:
        """Tell whether the labels are grades rather than classes."""
        return are_grades(self.names)

    def note_missing(self, ids: pl.Series) -> tuple[str, ...]:
        """Return a note that counts the rows without a label and names some of them."""
        if not self.missing:
            return ()
        rows = ids.filter(self.labels.is_null())
        shown = list_names(rows.to_list()) if len(rows) <= 5 else f"{list_names(rows.head(3).to_list())}, …"
        counts = ", ".join(f"{count:,} {cell}" for cell, count in self.missing.items())
        n_rows = f"{len(rows):,} row{'s' if len(rows) != 1 else ''}"
        return (f"{n_rows} ({shown}) without a label: {counts}; left out of label measures",)


def read_labels(column: pl.Series, place: object) -> CleanLabels:
    """Return the labels of a column; raise where it holds free text."""
    clean = clean_labels(column)
    check_no_free_text(clean.labels, column.name, place)
    return clean


def clean_labels(column: pl.Series) -> CleanLabels:
    """Return the labels of a column; empty, "-" and -1 mean that an item has none.

    Where the only other label is 1, the labels are -1 and 1 and both are kept.

    >>> clean = clean_labels(pl.Series(["a", "", "-", "b"]))
    >>> clean.labels.to_list(), clean.missing
    (['a', None, None, 'b'], {'empty': 1, "'-'": 1})
    """
    labels = blank_to_null(column)
    distinct = set(labels.unique().drop_nulls().to_list())
    hidden = [] if distinct - _MINUS_ONE <= _ONE else [mark for mark in _HIDDEN if mark in distinct]
    missing = {"empty": labels.null_count()} if labels.null_count() else {}
    missing |= {f"'{mark}'": int((labels == mark).sum()) for mark in hidden}
    if hidden:
        cells = labels.to_frame("x")
        labels = cells.select(pl.when(~pl.col("x").is_in(hidden)).then(pl.col("x"))).to_series()
    return CleanLabels(labels.alias("label"), missing)


def check_no_free_text(labels: pl.Series, name: str, place: object) -> None:
    """Raise for a label column of free text: more than half of its cells differ, and they are long.

    Numbers are never free text: grades may all differ.
    """
    known = labels.drop_nulls()
    n_distinct = known.n_unique()
    if n_distinct < 3 or n_distinct <= len(known) / 2:
        return
    length, n_words = _mean(known.str.len_chars()), _mean(known.str.count_matches(" ")) + 1
    is_long = length >= 40 or (length >= 20 and n_words >= 4)
    if is_long and known.cast(pl.Float64, strict=False).null_count():
        counts = f"{n_distinct:,} different values in {len(known):,} rows"
        fact = f"the label column '{shorten_name(name)}' is free text: {counts}"
        raise AssayError(fact, place=place, hint="Name the column of labels with {label}, or use {label} none.")


def blank_to_null(column: pl.Series) -> pl.Series:
    """Return a column whose empty cells are null."""
    return column.to_frame("x").select(pl.when(pl.col("x") != "").then(pl.col("x"))).to_series()


def _mean(counts: pl.Series) -> float:
    return float(counts.cast(pl.Float64).to_numpy().mean())
