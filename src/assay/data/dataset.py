"""The data of all measures: immutable rows with their roles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, NoReturn, TypeAlias, cast, overload

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.errors import AssayError, join_names
from assay.data.columns.parts import count_parts, sort_parts
from assay.data.columns.table import list_names
from assay.data.left_out import LeftOut
from assay.data.log_source import LogSource
from assay.views.results import convert_frame, frame_to_html
from assay.wording.sentences import count_noun

Rows: TypeAlias = "Sequence[int] | Sequence[bool] | range | Array | pl.Series"  # numbers of rows, or a mask


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Items of a benchmark: one to three texts each, with label, part, time and group if known.

    `assay.read` makes one. `task` names the kind of task (see `assay.kinds`); `fields` are further columns that the
    kind defines, one value per item; `attachments` are tables that items refer to. `predictions` are answers of systems
    that came with the data, as in logs of an evaluation harness.

    >>> Dataset("films", ids=pl.Series(["0", "1"]), sides=(pl.Series(["good", "bad"]),), labels=pl.Series(["p", "n"]))
    Dataset 'films': 2 items, classification, 2 labels
    """

    input_kind: ClassVar[str] = "data"
    name: str
    ids: pl.Series
    sides: tuple[pl.Series, ...]
    labels: pl.Series | None = None
    parts: pl.Series | None = None
    times: pl.Series | None = None
    groups: pl.Series | None = None
    task: str = "classification"
    fields: dict[str, pl.Series] = field(default_factory=dict)
    attachments: dict[str, pl.DataFrame] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    has_texts: bool = True  # False if the user says that there are none
    has_row_ids: bool = False  # the ids are row numbers, not the data's own
    declines_groups: bool = False  # the user wants no groups, not even those that the kind of task has
    hidden_labels: pl.Series | None = None  # -1 if it was taken for a missing label
    table: pl.DataFrame = field(default_factory=pl.DataFrame)  # all columns and rows of the file
    rows: pl.Series | None = None  # which rows of the table these are; all if None
    unused: tuple[str, ...] = ()  # columns of the table that have no role
    predictions: pl.DataFrame | None = None
    costs: pl.DataFrame | None = None  # what the answers cost, where logs say it: system, id, money, tokens, seconds
    logs: LogSource | None = None  # where the data was read from, if these are logs
    totals: pl.DataFrame | None = None  # totals of the harness that the items of its logs do not give, as in the logs
    source: str | None = None  # the file, where the data is one file
    left_out: tuple[LeftOut, ...] = ()  # what the source has and the data does not

    def __len__(self) -> int:
        return len(self.ids)

    @overload
    def __getitem__(self, key: str) -> pl.Series: ...

    @overload
    def __getitem__(self, key: int) -> dict[str, object]: ...

    @overload
    def __getitem__(self, key: list[str]) -> pl.DataFrame: ...

    @overload
    def __getitem__(self, key: slice | Rows) -> Dataset: ...

    def __getitem__(
        self, key: str | int | list[str] | slice | Rows
    ) -> pl.Series | dict[str, object] | pl.DataFrame | Dataset:
        """Return columns by the names of their roles or in the file, one row by its number, or several rows."""
        if isinstance(key, str):
            frame = self.to_frame()
            return frame[key] if key in frame.columns else self.column(key)
        if isinstance(key, list) and key and all(isinstance(name, str) for name in key):
            return pl.DataFrame({str(name): self[str(name)] for name in key})
        if isinstance(key, slice):
            return self.take(range(*key.indices(len(self))))
        if isinstance(key, int):
            if not -len(self) <= key < len(self):
                raise IndexError(f"row {key:,} is not among {len(self):,} rows")
            return self.take([key]).to_frame().row(0, named=True)
        return self.take(cast("Rows", key))

    def __getattr__(self, name: str) -> NoReturn:
        """Say how a method of frames, such as `filter` or `describe`, is called; there is no other attribute."""
        is_method = not name.startswith("_") and hasattr(pl.DataFrame, name)
        hint = f" Call data.to_frame().{name}; data[rows] keeps a Dataset." if is_method else ""
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'.{hint}", name=name, obj=self)

    @property
    def columns(self) -> list[str]:
        """Return the names of the roles that the data has, as in `to_frame`."""
        return list(self.to_frame().columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Return the number of items and of roles."""
        return len(self), len(self.columns)

    def head(self, n: int = 5) -> pl.DataFrame:
        """Return the roles of the first items as a frame."""
        return self.take(range(min(n, len(self)))).to_frame()

    @cached_property
    def texts(self) -> pl.Series:
        """Return the text of every item; several sides are joined by line breaks."""
        if len(self.sides) == 1:
            return self.sides[0]
        return pl.select(pl.concat_str(*self.sides, separator="\n")).to_series().alias("text")

    @cached_property
    def frame(self) -> pl.DataFrame:
        """Return all columns of the file, as text, for these rows."""
        return self.table if self.rows is None else self.table[self.rows]

    @cached_property
    def label_names(self) -> list[str]:
        """Return the labels that occur, sorted."""
        return [] if self.labels is None else sorted(self.labels.drop_nulls().unique().to_list())

    @cached_property
    def part_names(self) -> list[str]:
        """Return the parts that occur: train, dev and test first, then the others sorted."""
        return [] if self.parts is None else sort_parts(sorted(self.parts.drop_nulls().unique().to_list()))

    def column(self, name: str) -> pl.Series:
        """Return a column of the file by name."""
        if name not in self.table.columns:
            hint = f"Its columns: {list_names(self.table.columns)}."
            raise AssayError(f"there is no column '{name}'", place=self.name, hint=hint)
        return self.table[name] if self.rows is None else self.table[name].gather(self.rows)

    def take(self, rows: Rows) -> Dataset:
        """Return some rows: by their numbers, in the order given, or by a boolean mask."""
        index = _make_index(rows, len(self))
        return replace(
            self,
            ids=self.ids.gather(index),
            sides=tuple(side.gather(index) for side in self.sides),
            labels=_gather(self.labels, index),
            parts=_gather(self.parts, index),
            times=_gather(self.times, index),
            groups=_gather(self.groups, index),
            hidden_labels=_gather(self.hidden_labels, index),
            fields={name: values.gather(index) for name, values in self.fields.items()},
            rows=index if self.rows is None else self.rows.gather(index),
        )

    @cached_property
    def order(self) -> Array:
        """Return the order of the rows in which everything is computed: by id, or by content without ids."""
        from assay.data.row_order import sort_rows

        return sort_rows(self)

    def sort_rows(self) -> Dataset:
        """Return the rows in the order in which everything is computed, so that shuffled rows give the same numbers."""
        return self if np.array_equal(self.order, np.arange(len(self))) else self.take(self.order)

    def part(self, name: str) -> Dataset:
        """Return the rows of one part, such as "train"."""
        if self.parts is None:
            hint = "Name the column of parts with {split}, or use {train} and {test}."
            raise AssayError("the data has no parts", place=self.name, hint=hint)
        if name not in self.part_names:
            hint = f"Its parts: {join_names(self.part_names, limit=20)}."
            raise AssayError(f"there is no part '{name}'", place=self.name, hint=hint)
        return self.take((self.parts == name).fill_null(value=False))

    def drop_unlabelled(self) -> Dataset:
        """Return the rows that have a label."""
        if self.labels is None:
            hint = f"Its columns: {list_names(self.table.columns)}. Name one with {{label}}."
            raise AssayError("there is no label column", place=self.name, hint=hint)
        if not self.labels.null_count():
            return self
        return self.take(self.labels.is_not_null())

    def restore_hidden_labels(self) -> Dataset:
        """Return the same data with -1 as a label if it was taken for a missing one."""
        if self.labels is None or self.hidden_labels is None:
            return self
        labels = pl.select(pl.coalesce(self.labels, self.hidden_labels)).to_series().alias("label")
        return replace(self, labels=labels, hidden_labels=None)

    def split_train_test(self, random_state: int = 0) -> tuple[Dataset, Dataset, str | None]:
        """Return train, test, and a note if they are not what those names say.

        Without test it is dev; without train it is dev; without two parts, a stratified split of 80 to 20.
        """
        from assay.data.hold_out import split_train_test

        rows, note = split_train_test(self, random_state)
        return self.take(rows.train), self.take(rows.test), note

    @cached_property
    def fingerprint(self) -> str:
        """Return a hash of the content of all roles, row by row, whatever the file format."""
        from assay.data.fingerprint import hash_columns

        columns: dict[str, pl.Series | None] = dict(zip(("text", "text_b", "text_c"), self.sides, strict=False))
        columns |= {"label": self.labels, "part": self.parts, "time": self.times, "group": self.groups}
        columns["id"] = None if self.has_row_ids else self.ids
        columns |= {f"field {name}": values for name, values in self.fields.items()}
        for name, frame in self.attachments.items():
            columns |= {f"{name} {column}": frame[column] for column in frame.columns}
        return hash_columns(columns)

    def add_notes(self, *notes: str) -> Dataset:
        """Return the same data with further notes."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self

    def leave_out(self, *entries: LeftOut) -> Dataset:
        """Return the same data with further entries of what was left out."""
        return replace(self, left_out=(*self.left_out, *entries)) if entries else self

    def fill_texts(self) -> Dataset:
        """Return the same data with "" for a missing text."""
        return replace(self, sides=tuple(side.fill_null("") for side in self.sides))

    @overload
    def to_frame(self, kind: Literal["polars"] = "polars") -> pl.DataFrame: ...

    @overload
    def to_frame(self, kind: Literal["pandas"]) -> Any: ...

    def to_frame(self, kind: str = "polars") -> Any:
        """Return the roles as a frame: id, text (or text_a and text_b), label, part, time, group; polars or pandas."""
        names = ["text"] if len(self.sides) == 1 else ["text_a", "text_b", "text_c"]
        columns = [self.ids.alias("id"), *(side.alias(name) for side, name in zip(self.sides, names, strict=False))]
        roles = {"label": self.labels, "part": self.parts, "time": self.times, "group": self.groups, **self.fields}
        columns += [values.alias(role) for role, values in roles.items() if values is not None]
        return convert_frame(pl.DataFrame(columns), kind)

    def to_polars(self) -> pl.DataFrame:
        """Return the roles as a frame of polars."""
        frame: pl.DataFrame = self.to_frame()
        return frame

    def to_pandas(self) -> Any:
        """Return the roles as a frame of pandas."""
        return self.to_frame("pandas")

    def __repr__(self) -> str:
        facts = [count_noun(len(self), "item"), self.task]
        if self.labels is not None:
            facts.append(count_noun(len(self.label_names), "label"))
        if self.parts is not None:
            facts.append(count_parts(self.parts))
        return f"Dataset '{self.name}': {', '.join(facts)}"

    def _repr_html_(self) -> str:
        return frame_to_html(self.head())


def _make_index(rows: Rows, n: int) -> pl.Series:
    numbers = rows.to_numpy() if isinstance(rows, pl.Series) else np.asarray(rows)
    if numbers.dtype == bool:
        if len(numbers) != n:
            raise AssayError(f"the mask has {len(numbers):,} values for {n:,} rows")
        numbers = np.flatnonzero(numbers)
    index = numbers.astype(np.int64).ravel()
    if len(index) and (index.max() >= n or index.min() < -n):
        raise AssayError(f"row {int(index[np.abs(index).argmax()]):,} is not among {n:,} rows")
    return pl.Series(np.where(index < 0, index + n, index), dtype=pl.UInt64)


def _gather(values: pl.Series | None, index: pl.Series) -> pl.Series | None:
    return None if values is None else values.gather(index)
