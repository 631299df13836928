"""Labels: which cells are missing, which are the same label, and which columns are not labels."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property

import polars as pl

from assay.base.errors import AssayError, join_names
from assay.data.columns.grades import are_grades, is_number
from assay.data.columns.spellings import unify_spellings
from assay.data.columns.table import list_names, shorten_name

_DASH = "-"
_MINUS_ONE, _ONE = ("-1", "-1.0"), {"1", "1.0", "+1"}
MAX_HIDDEN_SHARE = 0.05  # of the rows: a -1 that is more frequent is a class


@dataclass(frozen=True, eq=False)
class CleanLabels:
    """The labels of all rows, null if an item has none, and how many cells of which kind mean none.

    `hidden` holds a -1 that was taken for a missing label; `merged` lists the ways in which a number was written.
    """

    labels: pl.Series
    missing: dict[str, int]
    hidden: pl.Series | None = None
    merged: dict[str, tuple[str, ...]] = field(default_factory=dict)
    n_minus_one: int = 0  # rows whose label is -1, next to other labels

    @cached_property
    def names(self) -> list[str]:
        """Return the labels that occur, sorted."""
        return sorted(self.labels.drop_nulls().unique().to_list())

    @cached_property
    def are_grades(self) -> bool:
        """Return whether the labels are grades rather than classes."""
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

    def note_values(self) -> tuple[str, ...]:
        """Return notes on numbers written in several ways, and on -1 as a label."""
        notes = []
        if self.merged:
            spellings = [f"{name} (also {', '.join(others)})" for name, others in self.merged.items()]
            notes.append(f"labels are compared by value: {join_names(spellings)}")
        if self.n_minus_one:
            share = self.n_minus_one / max(1, len(self.labels) - self.labels.null_count())
            notes.append(f"-1 is a label of its own ({share:.0%} of the rows), not a missing one")
        return tuple(notes)


def read_labels(
    column: pl.Series, place: object, parts: pl.Series | None = None, predicted: Collection[str] = ()
) -> CleanLabels:
    """Return the labels of a column; raise if it holds free text."""
    clean = clean_labels(column, parts, predicted)
    check_no_free_text(clean.labels, column.name, place)
    return clean


def clean_labels(column: pl.Series, parts: pl.Series | None = None, predicted: Collection[str] = ()) -> CleanLabels:
    """Return the labels of a column; empty and "-" mean that an item has none, and so does a -1 that is not a class.

    A -1 is not a class in a part if no item has another label, next to labels that are words, and where it is rare
    (below 5% of the rows) and no system predicts it. Numbers are compared by value.

    >>> clean = clean_labels(pl.Series(["a", "", "-", "b"]))
    >>> clean.labels.to_list(), clean.missing
    (['a', None, None, 'b'], {'empty': 1, "'-'": 1})
    >>> clean_labels(pl.Series(["1", "1.0", "0", "-1"])).labels.to_list()
    ['1', '1', '0', '-1']
    """
    labels = blank_to_null(column)
    missing = {"empty": labels.null_count()} if labels.null_count() else {}
    names = set(labels.unique().drop_nulls().to_list())
    is_dash = (labels == _DASH).fill_null(value=False)
    if names - {_DASH} and is_dash.any():
        missing[f"'{_DASH}'"] = int(is_dash.sum())
        labels = _blank_out(labels, is_dash)
        names.remove(_DASH)
    is_minus_one = labels.is_in(_MINUS_ONE).fill_null(value=False)
    beside_others = is_minus_one.any() and not names - set(_MINUS_ONE) <= _ONE
    hidden = None
    if beside_others:
        is_hidden = _find_hidden(labels, is_minus_one, parts, names - set(_MINUS_ONE), predicted)
        if is_hidden.any():
            hidden = _blank_out(labels, ~is_hidden)
            missing |= {f"'{name}'": int((hidden == name).sum()) for name in _MINUS_ONE if (hidden == name).any()}
            labels = _blank_out(labels, is_hidden)
    n_minus_one = int(labels.is_in(_MINUS_ONE).sum()) if beside_others else 0
    unified = unify_spellings(labels.unique().drop_nulls().to_list())
    merged: dict[str, tuple[str, ...]] = {}
    for spelling, name in sorted(unified.items()):
        merged[name] = (*merged.get(name, ()), spelling)
    labels = labels.replace(unified) if unified else labels
    return CleanLabels(labels.alias("label"), missing, hidden, merged, n_minus_one)


def _find_hidden(
    labels: pl.Series, is_minus_one: pl.Series, parts: pl.Series | None, others: set[str], predicted: Collection[str]
) -> pl.Series:
    """Find which rows with -1 have no label; `others` are the other labels."""
    table = pl.DataFrame({"minus": is_minus_one, "known": labels.is_not_null()})
    table = table.with_columns(part=pl.lit("") if parts is None else parts.fill_null("rest"))
    only_minus_one = table.select((pl.col("minus") == pl.col("known")).all().over("part")).to_series()
    rest = table.filter(~only_minus_one)
    rare = int(rest["minus"].sum()) < MAX_HIDDEN_SHARE * int(rest["known"].sum())
    is_mark = not all(map(is_number, others)) or (rare and not set(_MINUS_ONE) & set(predicted))
    return is_minus_one if is_mark else is_minus_one & only_minus_one


def _blank_out(labels: pl.Series, where: pl.Series) -> pl.Series:
    return pl.select(pl.when(~where).then(labels)).to_series()


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
