"""Compare splits of a dataset, from folds files or its own parts: what `assay compare` does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeGuard, Unpack

import numpy as np
import polars as pl

from assay.base.arrays import Matrix
from assay.base.entry_points import entry_point
from assay.base.errors import AssayError, UsageError
from assay.base.marks import NAME
from assay.base.parameters import Options
from assay.data import Dataset
from assay.data.row_order import take_rows
from assay.inputs import take_data
from assay.kinds.arguments import DataSource, Frame, ReadingArguments
from assay.kinds.reading import read
from assay.splits.assignments import Assignment, FoldAssignment, PartAssignment
from assay.splits.comparison.split_comparison import PIECES, SplitComparison, compare_splits
from assay.splits.dataset_split import SplitResult
from assay.splits.folds_files import Folds, read_folds
from assay.views.results import Result

if TYPE_CHECKING:
    from assay.text import Corpus
    from assay.text.encoders.base import Encoder
    from assay.views.blocks import Block

Split = str | Path | Folds | SplitResult | Assignment | Sequence[Assignment]
OWN_PARTS = "given"  # the name of the parts that the data came with


@dataclass(frozen=True)
class ComparisonResult(Result):
    """Splits of one dataset side by side, by name."""

    splits: dict[str, SplitComparison] = field(metadata=NAME)

    @property
    def notes(self) -> list[str]:
        """Say which splits leave rows out."""
        return [
            f"{name}: {split.n_unused:,} of {split.n_rows:,} rows are in no part and left out."
            for name, split in self.splits.items()
            if split.n_unused
        ]

    def to_dict(self) -> Options:
        """Return the comparisons by the names of the splits."""
        return {name: split.to_dict() for name, split in self.splits.items()}

    @classmethod
    def from_dict(cls, values: Options) -> Self:
        """Rebuild a comparison from what `to_dict` returned."""
        return cls({name: SplitComparison.from_dict(split) for name, split in values.items()})

    def blocks(self) -> Iterator[Block]:
        """Yield the parts of every split, and how far they differ."""
        from assay.splits.view import show_comparison

        yield from show_comparison(self.splits)

    def __getitem__(self, name: str) -> SplitComparison:
        return self.splits[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.splits)

    def __len__(self) -> int:
        return len(self.splits)

    def __repr__(self) -> str:
        return f"ComparisonResult({', '.join(self.splits)})"

    def _frame(self) -> pl.DataFrame:
        frames = [split.to_frame().select(pl.lit(name).alias("split"), pl.all()) for name, split in self.splits.items()]
        return pl.concat(frames)


@entry_point(ReadingArguments)
def compare(
    data: DataSource,
    folds: Split | Sequence[str | Path] | Mapping[str, Split] | Dataset | Frame | None = None,
    *,
    include: str | Collection[str] = PIECES,
    encoder: str | Encoder = "tfidf",
    tokenizer: str = "words",
    n_permutations: int = 100,
    random_state: int = 0,
    corpus: Corpus | None = None,
    vectors: Matrix | None = None,
    n_jobs: int = 1,
    backend: str | None = None,
    **reading: Unpack[ReadingArguments],
) -> ComparisonResult:
    """Compare the parts of splits of a dataset, each next to random splits of the same sizes.

    `data` is a `Dataset` or anything `read` takes. `folds` is a folds file or several, what `split` returned, or a
    mapping from names to such splits; without it the parts of the data are compared, under the name "given". A second
    dataset or frame is compared with the first one, as test with train. `include` names the pieces to compute (see
    `compare_splits`). `n_jobs` and `backend` do not change the result. `reading` are arguments of `assay.read`.

    >>> data = {"text": ["a b", "b c", "c d", "d e"] * 5, "split": ["train"] * 16 + ["test"] * 4}
    >>> compare(data, include=["words"], n_permutations=10)["given"].divergence["oov"].value
    0.0
    """
    if _is_data(folds):
        data, folds, reading = _read_as_parts(data, folds, reading), None, {}
    given = take_data(data, reading)
    order, rows = given.order, given.sort_rows()
    splits = {
        name: [draw.reorder(order) for draw in _align_split(given, split)]
        for name, split in _name_splits(given, folds).items()
    }
    comparisons = compare_splits(
        rows.texts.to_list(),
        splits,
        None if rows.labels is None else rows.labels.to_list(),
        ids=rows.ids.to_list(),
        include=include,
        encoder=encoder,
        tokenizer=tokenizer,
        n_permutations=n_permutations,
        random_state=random_state,
        corpus=None if corpus is None else corpus.take(order),
        vectors=take_rows(vectors, order),
        n_jobs=n_jobs,
        backend=backend,
    )
    return ComparisonResult(comparisons)


def _is_data(folds: object) -> TypeGuard[Dataset | Frame]:
    """Return True for a second dataset in place of folds."""
    return isinstance(folds, Dataset) or hasattr(folds, "columns")


def _read_as_parts(train: DataSource, test: DataSource, reading: ReadingArguments) -> Dataset:
    sources = [source.frame if isinstance(source, Dataset) else source for source in (train, test)]
    parts: ReadingArguments = {**reading, "train": sources[0], "test": sources[1]}
    return read(**parts)


def _name_splits(data: Dataset, folds: Any) -> dict[str, Split]:
    if isinstance(folds, Mapping):
        return dict(folds)
    if isinstance(folds, str | Path):
        return _name_files([folds])
    if isinstance(folds, Folds):
        return {folds.name: folds}
    if isinstance(folds, SplitResult):
        return {folds.method: folds}
    if isinstance(folds, FoldAssignment | PartAssignment):
        return {"split": folds}
    if not folds:
        return {OWN_PARTS: _read_own_parts(data)}
    return {"split": folds} if isinstance(folds[0], FoldAssignment | PartAssignment) else _name_files(folds)


def _name_files(paths: Sequence[str | Path]) -> dict[str, Split]:
    """Name each file by its stem; files with the same stem keep their folder too."""
    stems = [Path(path).name.split(".")[0] for path in paths]
    return {stem if stems.count(stem) == 1 else str(path): path for stem, path in zip(stems, paths, strict=True)}


def _align_split(data: Dataset, split: Split) -> list[Assignment]:
    """Return the repeats of a split in the order of the data."""
    if isinstance(split, FoldAssignment | PartAssignment):
        return [split]
    if isinstance(split, SplitResult):
        if split.ids != data.ids.to_list():
            raise AssayError(f"The {split.method} split is of other rows than the data.")
        return split.draws
    if isinstance(split, str | Path):
        split = read_folds(split)
    if isinstance(split, Folds):
        return split.align(data.ids.to_list(), None if data.parts is None else data.parts.to_list())
    return list(split)


def _read_own_parts(data: Dataset) -> PartAssignment:
    if data.parts is None:
        raise UsageError(
            "There is nothing to compare: no folds, and the data has no parts.",
            hint="Name a folds file, or the column of the parts with {split}.",
        )
    parts = [part if part in ("train", "dev", "test") else "unused" for part in data.parts.to_list()]
    return PartAssignment(np.array(parts, dtype=object))
