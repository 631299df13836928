"""Folds files: which id is in which fold or part, as a table anyone can read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl

from assay.base.errors import AssayError, join_names
from assay.base.files import open_for_writing
from assay.base.results import Result
from assay.splits.base import Assignment, Fold, Parts

_PARTS = ("train", "dev", "test", "unused")
_FOREIGN = {"ids": "id", "clustering_labels": "fold"}  # ClusterDataSplit's names (paper 001)


@dataclass(frozen=True)
class Folds(Result):
    """A folds file: its name, and one row an id and repeat with its fold (1…k) or its part."""

    name: str
    kind: str
    n_repeats: int
    frame: pl.DataFrame = field(repr=False, compare=False)

    def draws(self, ids: Sequence[str], parts: Sequence[str | None] | None = None) -> list[Assignment | Parts]:
        """Return, for each repeat, the fold or the part of every id of the data, in the data's order.

        An id the file does not have is an error, unless the file leaves out the whole of its part of the data
        (`parts`: it was made from some parts only). An id the data do not have is an error always.
        """
        data = pl.DataFrame({"id": pl.Series(ids, dtype=pl.String), "row": np.arange(len(ids))})
        self._refuse_unknown(data)
        return [self._aligned(data, chosen, parts) for chosen in self.frame.partition_by("repeat", maintain_order=True)]

    def splits(self, ids: Sequence[str], parts: Sequence[str | None] | None = None) -> Iterator[Fold]:
        """Yield (train, test) row numbers of the data: every fold of every repeat."""
        for drawn in self.draws(ids, parts):
            yield from drawn.cuts()

    def _aligned(self, data: pl.DataFrame, chosen: pl.DataFrame, parts: Any) -> Assignment | Parts:
        found = data.join(chosen, on="id", how="left", maintain_order="left")
        self._refuse_missing(found, parts)
        if self.kind == "fold":
            return Assignment(found["fold"].fill_null(0).to_numpy().astype(np.int64))
        names = found["part"].fill_null("unused").to_numpy().astype(object)
        weights = found["weight"].fill_null(0).to_numpy() if "weight" in found.columns else None
        return Parts(names, {}, weights)

    def _refuse_missing(self, found: pl.DataFrame, parts: Any) -> None:
        lost = found.with_columns(part_of_data=pl.Series(parts, dtype=pl.String) if parts is not None else pl.lit(None))
        missing = pl.col(self.kind).is_null()
        if parts is not None:
            missing &= ~missing.all().over("part_of_data")
        names = lost.filter(missing)["id"].to_list()
        if names:
            raise AssayError(
                f"{self.name}: {len(names)} of {len(found)} ids of the data are missing: {join_names(names)}."
            )

    def _refuse_unknown(self, data: pl.DataFrame) -> None:
        names = self.frame["id"].unique(maintain_order=True)
        unknown = names.filter(~names.is_in(data["id"].implode())).to_list()
        if unknown:
            raise AssayError(
                f"{self.name}: {len(unknown)} of {len(names)} ids are not in the data: {join_names(unknown)}."
            )


def read_folds(path: str | Path) -> Folds:
    """Read a folds file: `id` with `fold` or `part`, optionally `repeat` and `weight`; or ClusterDataSplit's."""
    from assay.data import read_table

    table = read_table(path)
    table = table.rename(
        {old: new for old, new in _FOREIGN.items() if old in table.columns and new not in table.columns}
    )
    name, kind = Path(path).name, next((column for column in ("fold", "part") if column in table.columns), None)
    if "id" not in table.columns or kind is None:
        raise AssayError(
            f"{name}: no folds file: it has {join_names(table.columns)}, it needs id and fold, or id and part."
        )
    wanted = [column for column in ("id", kind, "repeat", "weight") if column in table.columns]
    frame = _typed(table.select(wanted), name, kind)
    _refuse_twice(frame, name)
    return Folds(name, kind, frame["repeat"].n_unique(), frame.sort("repeat", maintain_order=True))


def write_folds(path: str | Path, ids: Sequence[str], draws: Sequence[Assignment | Parts]) -> None:
    """Write the folds or parts of one draw or several; rows left out of the folds (0) are not written."""
    _refuse_breaks(ids)
    with open_for_writing(path) as file:
        file.write("\t".join(_header(draws)) + "\n")
        for repeat, drawn in enumerate(draws):
            file.writelines(_lines(ids, drawn, [str(repeat)] if len(draws) > 1 else []))


def _header(draws: Sequence[Assignment | Parts]) -> list[str]:
    kind = "fold" if isinstance(draws[0], Assignment) else "part"
    weight = ["weight"] if isinstance(draws[0], Parts) and draws[0].weights is not None else []
    return ["id", kind, *(["repeat"] if len(draws) > 1 else []), *weight]


def _lines(ids: Sequence[str], drawn: Assignment | Parts, repeat: list[str]) -> Iterator[str]:
    if isinstance(drawn, Assignment):
        rows = zip(ids, drawn.folds.tolist(), strict=True)
        yield from ("\t".join([id_, str(fold), *repeat]) + "\n" for id_, fold in rows if fold)
        return
    weights = [[]] * len(drawn.parts) if drawn.weights is None else [[str(n)] for n in drawn.weights.tolist()]
    for id_, part, weight in zip(ids, drawn.parts.tolist(), weights, strict=True):
        yield "\t".join([id_, part, *repeat, *weight]) + "\n"


def _typed(table: pl.DataFrame, name: str, kind: str) -> pl.DataFrame:
    table = table.with_columns(
        _whole(table, column, name) for column in ("fold", "repeat", "weight") if column in table
    )
    if "repeat" not in table.columns:
        table = table.with_columns(repeat=pl.lit(0, dtype=pl.Int64))
    if kind == "fold":
        lowest = table["fold"].min()
        if lowest == 0:  # some tools number folds from 0
            return table.with_columns(pl.col("fold") + 1)
    elif unknown := table["part"].filter(~table["part"].is_in(_PARTS)).unique(maintain_order=True).to_list():
        raise AssayError(f"{name}: part must be one of {', '.join(_PARTS)}, not {join_names(unknown)}.")
    return table


def _whole(table: pl.DataFrame, column: str, name: str) -> pl.Series:
    numbers = table[column].cast(pl.Float64, strict=False)
    wrong = numbers.is_null() | (numbers != numbers.floor()) | (numbers < 0)
    if wrong.any():
        bad = join_names(f"'{value}'" for value in table[column].filter(wrong).unique(maintain_order=True))
        raise AssayError(f"{name}: {column} must be a whole number from 0 on, not {bad}.")
    return numbers.cast(pl.Int64)


def _refuse_twice(frame: pl.DataFrame, name: str) -> None:
    twice = frame.filter(pl.struct("id", "repeat").is_duplicated())["id"].unique(maintain_order=True).to_list()
    if twice:
        raise AssayError(f"{name}: {len(twice)} ids stand there more than once in one repeat: {join_names(twice)}.")


def _refuse_breaks(ids: Sequence[str]) -> None:
    broken = [repr(id_) for id_ in ids if "\t" in id_ or "\n" in id_ or "\r" in id_]
    if broken:
        raise AssayError(
            f"{len(broken)} ids hold a tab or a line break, which a TSV file cannot: {join_names(broken)}."
        )
