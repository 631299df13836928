"""The data of all measures: immutable rows with their roles."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
import polars as pl
import pyarrow as pa

from assay.base.errors import AssayError, join_names
from assay.base.results import convert_frame, frame_to_html
from assay.data.cells import shortened

_BLOCK = 1 << 16


@dataclass(frozen=True, eq=False, repr=False)
class Dataset:
    """Items of a benchmark: one or two texts each, and what is known of label, part, time and group.

    >>> from assay.data import read
    >>> data = read([{"text": "good", "label": "pos"}, {"text": "bad", "label": "neg"}])
    >>> data
    Dataset 'list': 2 rows, single text, 2 labels
    >>> data.take([1]).texts.to_list(), data.label_names
    (['bad'], ['neg', 'pos'])
    """

    name: str
    ids: pl.Series
    sides: tuple[pl.Series, ...]
    labels: pl.Series | None = None
    parts: pl.Series | None = None
    times: pl.Series | None = None
    groups: pl.Series | None = None
    notes: tuple[str, ...] = ()
    numbered: bool = False  # the ids are row numbers, not the data's own
    whole: pl.DataFrame = field(default_factory=pl.DataFrame)  # all columns and rows of the file
    rows: pl.Series | None = None  # which of them these are; all where None

    def __len__(self) -> int:
        return len(self.ids)

    @property
    def task(self) -> Literal["single", "pair"]:
        """Say whether an item is one text or a pair."""
        return "single" if len(self.sides) == 1 else "pair"

    @cached_property
    def texts(self) -> pl.Series:
        """Return the text of every item; both sides of a pair, joined by a line break."""
        if len(self.sides) == 1:
            return self.sides[0]
        return pl.select(pl.concat_str(*self.sides, separator="\n")).to_series().alias("text")

    @cached_property
    def frame(self) -> pl.DataFrame:
        """Return all columns of the file, as text, for these rows."""
        return self.whole if self.rows is None else self.whole[self.rows]

    @cached_property
    def label_names(self) -> list[str]:
        """Name the labels that occur, sorted."""
        return [] if self.labels is None else sorted(self.labels.drop_nulls().unique().to_list())

    def column(self, name: str) -> pl.Series:
        """Return a column of the file by name."""
        if name not in self.whole.columns:
            raise AssayError(f"{self.name} has no column '{name}'. Its columns: {shortened(self.whole.columns)}.")
        return self.whole[name] if self.rows is None else self.whole[name].gather(self.rows)

    def take(self, rows: Any) -> Dataset:
        """Return some rows: by their numbers, in the order given, or by a mask of true and false."""
        index = _rows(rows, len(self))
        return replace(
            self,
            ids=self.ids.gather(index),
            sides=tuple(side.gather(index) for side in self.sides),
            labels=_gathered(self.labels, index),
            parts=_gathered(self.parts, index),
            times=_gathered(self.times, index),
            groups=_gathered(self.groups, index),
            rows=index if self.rows is None else self.rows.gather(index),
        )

    def part(self, name: str) -> Dataset:
        """Return the rows of one part, such as "train"."""
        if self.parts is None:
            raise AssayError(
                f"{self.name} has no parts. Name the column with --split, or give --train and --test files."
            )
        if name not in self.part_names:
            raise AssayError(f"{self.name} has no part '{name}'. Its parts: {join_names(self.part_names, limit=20)}.")
        return self.take((self.parts == name).fill_null(value=False))

    @cached_property
    def part_names(self) -> list[str]:
        """Name the parts that occur: train, dev and test first, then the others sorted."""
        found = set() if self.parts is None else set(self.parts.drop_nulls().unique().to_list())
        return [name for name in ("train", "dev", "test") if name in found] + sorted(found - {"train", "dev", "test"})

    def labelled(self) -> Dataset:
        """Return the rows that have a label."""
        if self.labels is None:
            columns = shortened(self.whole.columns)
            raise AssayError(f"{self.name} has no label column. Its columns: {columns}. Name one with --label.")
        if not self.labels.null_count():
            return self
        return self.take(self.labels.is_not_null())

    def train_and_test(self, random_state: int = 0) -> tuple[Dataset, Dataset, str | None]:
        """Return train, test, and a note where they are not what those names say.

        Without test it is dev; without train it is dev; without two parts, a stratified cut of 80 to 20.
        """
        from assay.data.cut import train_and_test

        return train_and_test(self, random_state)

    @cached_property
    def fingerprint(self) -> str:
        """Return a hash of the content of all roles, row by row, whatever the file format."""
        digest = hashlib.sha256()
        roles = {"text": self.sides[0], "text_b": self.sides[1] if len(self.sides) > 1 else None}
        roles |= {"label": self.labels, "part": self.parts, "time": self.times, "group": self.groups}
        roles["id"] = None if self.numbered else self.ids
        for role, values in roles.items():
            if values is not None:
                digest.update(f"{role}:{len(values)};".encode())
                _feed(digest, values)
        return digest.hexdigest()

    def noted(self, *notes: str) -> Dataset:
        """Return the same data with further notes."""
        return replace(self, notes=(*self.notes, *notes)) if notes else self

    def filled(self) -> Dataset:
        """Return the same data with "" for a missing text."""
        return replace(self, sides=tuple(side.fill_null("") for side in self.sides))

    def to_frame(self, kind: str = "polars") -> Any:
        """Return the roles as a frame: id, text (or text_a and text_b), label, part, time, group; polars or pandas."""
        names = ["text"] if len(self.sides) == 1 else ["text_a", "text_b"]
        columns = [self.ids.alias("id"), *(side.alias(name) for side, name in zip(self.sides, names, strict=True))]
        others = {"label": self.labels, "part": self.parts, "time": self.times, "group": self.groups}
        told = [values.alias(role) for role, values in others.items() if values is not None]
        return convert_frame(pl.DataFrame(columns + told), kind)

    def __repr__(self) -> str:
        told = [
            f"{len(self):,} row{'s' if len(self) != 1 else ''}",
            "single text" if self.task == "single" else "pairs",
        ]
        if self.labels is not None:
            told.append(f"{len(self.label_names):,} labels")
        if self.parts is not None:
            told.append(part_counts(self.parts))
        return f"Dataset '{self.name}': {', '.join(told)}"

    def _repr_html_(self) -> str:
        return frame_to_html(self.take(range(min(5, len(self)))).to_frame())


def part_counts(parts: pl.Series) -> str:
    """Write how many rows each part has.

    >>> part_counts(pl.Series(["test", "train", "train", None]))
    '2 train, 1 test, 1 without part'
    """
    counts = dict(parts.value_counts().iter_rows())
    none = counts.pop(None, 0)
    order = sorted(counts, key=lambda name: (["train", "dev", "test", name].index(name), name))
    told = [f"{counts[name]:,} {name}" for name in order]
    return ", ".join([*told, f"{none:,} without part"] if none else told)


def _rows(rows: Any, n: int) -> pl.Series:
    given = rows.to_numpy() if isinstance(rows, pl.Series) else np.asarray(rows)
    if given.dtype == bool:
        if len(given) != n:
            raise AssayError(f"A mask of {len(given):,} for {n:,} rows.")
        given = np.flatnonzero(given)
    index = given.astype(np.int64).ravel()
    if len(index) and (index.max() >= n or index.min() < -n):
        raise AssayError(f"Row {int(index[np.abs(index).argmax()]):,} is not among {n:,} rows.")
    return pl.Series(np.where(index < 0, index + n, index), dtype=pl.UInt64)


def _gathered(values: pl.Series | None, index: pl.Series) -> pl.Series | None:
    return None if values is None else values.gather(index)


def _feed(digest: Any, values: pl.Series) -> None:
    """Hash lengths (-1 for null) and bytes in blocks of rows that do not depend on the storage."""
    for start in range(0, len(values), _BLOCK):
        block = values.slice(start, _BLOCK)
        digest.update(block.str.len_bytes().cast(pl.Int64).fill_null(-1).to_numpy().astype("<i8").tobytes())
        array = block.fill_null("").rechunk().to_arrow().cast(pa.large_string())
        offsets = np.frombuffer(array.buffers()[1], dtype=np.int64)[array.offset : array.offset + len(array) + 1]
        if offsets[-1] > offsets[0]:
            digest.update(memoryview(array.buffers()[2])[offsets[0] : offsets[-1]])
