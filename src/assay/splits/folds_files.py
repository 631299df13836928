"""Folds files: which id is in which fold or part, as a table that any tool can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.base.arrays import Values
from assay.base.errors import AssayError, join_names, shorten
from assay.base.marks import NAME, OWN
from assay.splits.assignments import PARTS, Assignment, FoldAssignment, PartAssignment, TrainTest
from assay.system.files import open_for_writing
from assay.views.results import Result

MAX_WHOLE = 10**9  # of a fold, repeat or weight
MAX_CELL = 40  # characters of a cell in a message
_FOREIGN = {"ids": "id", "clustering_labels": "fold"}  # column names of ClusterDataSplit (Wecker et al. 2020)


@dataclass(frozen=True)
class Folds(Result):
    """A folds file: its name, and one row per id and repeat with its fold (1…k) or its part.

    `kind` is "fold" or "part", the name of the column that says it.
    """

    name: str = field(metadata=NAME)
    kind: str = field(metadata=OWN)
    n_repeats: int
    n_ids: int
    frame: pl.DataFrame = field(repr=False, compare=False, metadata={"json": False})

    def align(self, ids: Sequence[str], parts: Sequence[str | None] | None = None) -> list[Assignment]:
        """Return, for each repeat, the fold or the part of every id of the data, in the order of the data.

        An id that the file lacks is an error, unless the file leaves out the whole of its part of the data (`parts`:
        the file was made from some parts only). An id that the data lacks is always an error.
        """
        data = pl.DataFrame({"id": pl.Series(ids, dtype=pl.String), "row": np.arange(len(ids))})
        self._refuse_unknown(data)
        return [
            self._align_repeat(data, rows, parts) for rows in self.frame.partition_by("repeat", maintain_order=True)
        ]

    def iterate_splits(self, ids: Sequence[str], parts: Sequence[str | None] | None = None) -> Iterator[TrainTest]:
        """Yield (train, test) row numbers of the data: every fold of every repeat."""
        for assignment in self.align(ids, parts):
            yield from assignment.iterate_splits()

    def _align_repeat(self, data: pl.DataFrame, rows: pl.DataFrame, parts: Any) -> Assignment:
        aligned = data.join(rows, on="id", how="left", maintain_order="left")
        self._refuse_missing(aligned, parts)
        if self.kind == "fold":
            return FoldAssignment(aligned["fold"].fill_null(0).to_numpy().astype(np.int64))
        names = aligned["part"].fill_null("unused").to_numpy().astype(object)
        weights = aligned["weight"].fill_null(0).to_numpy() if "weight" in aligned.columns else None
        return PartAssignment(names, weights=weights)

    def _refuse_missing(self, aligned: pl.DataFrame, parts: Values) -> None:
        column = pl.lit(None) if parts is None else pl.Series(parts, dtype=pl.String)
        missing = pl.col(self.kind).is_null()
        if parts is not None:
            missing &= ~missing.all().over("part_of_data")
        names = aligned.with_columns(part_of_data=column).filter(missing)["id"].to_list()
        if names:
            raise AssayError(
                f"{len(names)} of {len(aligned)} ids of the data are missing: {join_names(names)}.", place=self.name
            )

    def _refuse_unknown(self, data: pl.DataFrame) -> None:
        names = self.frame["id"].unique(maintain_order=True)
        unknown = names.filter(~names.is_in(data["id"].implode())).to_list()
        if unknown:
            raise AssayError(
                f"{len(unknown)} of {len(names)} ids are not in the data: {join_names(unknown)}.", place=self.name
            )

    def _frame(self) -> pl.DataFrame:
        return self.frame


def read_folds(path: str | Path) -> Folds:
    """Read a folds file: `id` with `fold` or `part`, optionally `repeat` and `weight`; or one of ClusterDataSplit."""
    from assay.data import read_table

    table = read_table(path)
    table = table.rename(
        {old: new for old, new in _FOREIGN.items() if old in table.columns and new not in table.columns}
    )
    name, kind = Path(path).name, next((column for column in ("fold", "part") if column in table.columns), None)
    if "id" not in table.columns or kind is None:
        raise AssayError(
            f"this is not a folds file: its columns are {join_names(table.columns)}, not id and fold, or id and part.",
            place=name,
        )
    columns = [column for column in ("id", kind, "repeat", "weight") if column in table.columns]
    frame = _convert_columns(table.select(columns), name, kind)
    _refuse_repeated_ids(frame, name)
    ordered = frame.sort("repeat", maintain_order=True)
    return Folds(name, kind, frame["repeat"].n_unique(), frame["id"].n_unique(), ordered)


def write_folds(path: str | Path, ids: Sequence[str], assignments: Sequence[Assignment]) -> None:
    """Write the folds or parts of one or several repeats; rows left out of the folds (0) are not written."""
    check_ids(ids)
    with open_for_writing(path) as file:
        file.write("\t".join(name_columns(assignments)) + "\n")
        for repeat, assignment in enumerate(assignments):
            file.writelines(_iterate_lines(ids, assignment, [str(repeat)] if len(assignments) > 1 else []))


def name_columns(assignments: Sequence[Assignment]) -> list[str]:
    """Name the columns of the folds file of these repeats."""
    first = assignments[0]
    kind = "fold" if isinstance(first, FoldAssignment) else "part"
    weight = ["weight"] if isinstance(first, PartAssignment) and first.weights is not None else []
    return ["id", kind, *(["repeat"] if len(assignments) > 1 else []), *weight]


def _iterate_lines(ids: Sequence[str], assignment: Assignment, repeat: list[str]) -> Iterator[str]:
    if isinstance(assignment, FoldAssignment):
        rows = zip(ids, assignment.folds.tolist(), strict=True)
        yield from ("\t".join([id_, str(fold), *repeat]) + "\n" for id_, fold in rows if fold)
        return
    no_weights: list[list[str]] = [[]] * len(assignment)
    weights = no_weights if assignment.weights is None else [[str(n)] for n in assignment.weights.tolist()]
    for id_, part, weight in zip(ids, assignment.parts.tolist(), weights, strict=True):
        yield "\t".join([id_, part, *repeat, *weight]) + "\n"


def _convert_columns(table: pl.DataFrame, name: str, kind: str) -> pl.DataFrame:
    table = table.with_columns(
        _convert_to_whole(table, column, name) for column in ("fold", "repeat", "weight") if column in table
    )
    if "repeat" not in table.columns:
        table = table.with_columns(repeat=pl.lit(0, dtype=pl.Int64))
    if kind == "fold":
        lowest = table["fold"].min()
        if lowest == 0:  # some tools number folds from 0
            return table.with_columns(pl.col("fold") + 1)
    elif unknown := table["part"].filter(~table["part"].is_in(PARTS)).unique(maintain_order=True).to_list():
        raise AssayError(f"part must be one of {', '.join(PARTS)}, not {join_names(unknown)}.", place=name)
    return table


def _convert_to_whole(table: pl.DataFrame, column: str, name: str) -> pl.Series:
    numbers = table[column].cast(pl.Float64, strict=False)
    whole = numbers.is_finite() & (numbers == numbers.floor()) & (numbers >= 0) & (numbers <= MAX_WHOLE)
    wrong = ~whole.fill_null(value=False)
    if wrong.any():
        values = join_names(
            f"'{shorten(str(value), MAX_CELL)}'" for value in table[column].filter(wrong).unique(maintain_order=True)
        )
        raise AssayError(f"{column} must be a whole number from 0 on, not {values}.", place=name)
    return numbers.cast(pl.Int64)


def _refuse_repeated_ids(frame: pl.DataFrame, name: str) -> None:
    repeated = frame.filter(pl.struct("id", "repeat").is_duplicated())["id"].unique(maintain_order=True).to_list()
    if repeated:
        raise AssayError(f"{len(repeated)} ids occur more than once in one repeat: {join_names(repeated)}.", place=name)


def check_ids(ids: Sequence[str]) -> None:
    """Raise if an id cannot be written to a TSV file."""
    broken = [repr(id_) for id_ in ids if "\t" in id_ or "\n" in id_ or "\r" in id_]
    if broken:
        raise AssayError(
            f"{len(broken)} ids contain a tab or a line break, which a TSV file cannot hold: {join_names(broken)}."
        )
