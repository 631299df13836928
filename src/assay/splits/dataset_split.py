"""Split a dataset by the name of a method: what `assay split` does."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

import numpy as np
import polars as pl

from assay.base.arrays import Array, Matrix, Values
from assay.base.codec import decode_fields, from_plain, to_plain
from assay.base.entry_points import list_strings
from assay.base.errors import AssayError, UsageError
from assay.base.marks import NAME, OWN
from assay.base.parameters import Options
from assay.data import Dataset
from assay.data.row_order import invert_order, take_rows
from assay.inputs import take_data
from assay.kinds import kind_of
from assay.kinds.arguments import DataSource, select_reading
from assay.splits.assignments import PARTS, Assignment, FoldAssignment, PartAssignment, SplitDetails, TrainTest
from assay.splits.base import Splitter
from assay.splits.folds_files import name_columns, write_folds
from assay.splits.groups import group_near_duplicates, merge_groups
from assay.splits.items import Ready
from assay.splits.making import make_splitter
from assay.splits.part_files import write_parts
from assay.splits.registry import SPLITS
from assay.views.results import Result
from assay.wording.sentences import choose_verb, count_noun

if TYPE_CHECKING:
    from assay.text import Corpus
    from assay.views.blocks import Block

GROUPS_OPTION = "--group none (group='none' in read)"


@dataclass(frozen=True)
class SplitPart(Result):
    """One part or fold of one repeat: rows requested (None if none were requested), rows it has, and shares."""

    repeat: int
    part: str = field(metadata=NAME)
    requested: int | None
    n: int
    share: float
    labels: dict[str, float] = field(metadata=NAME)


@dataclass(frozen=True)
class SplitResult(Result):
    """A split of a dataset: the size of every part, what the method reports, and the fold or part of every row.

    `draws` has one assignment per repeat. `to_frame` returns the table that a folds file holds.
    """

    method: str = field(metadata=OWN)
    settings: dict[str, Any] = field(repr=False, metadata=OWN)
    sizes: list[SplitPart] = field(repr=False)
    details: list[SplitDetails] = field(repr=False)
    notes: list[str] = field(repr=False, metadata=NAME)
    ids: list[str] = field(repr=False, metadata=NAME)
    draws: list[Assignment]
    data: Dataset | None = field(default=None, repr=False, compare=False, metadata={"json": False})

    def __repr__(self) -> str:
        repeats = f", {len(self.draws)} repeats" if len(self.draws) > 1 else ""
        return f"SplitResult({self.method!r}, {self.draws[0]!r}{repeats})"

    def __iter__(self) -> Iterator[TrainTest]:
        """Yield the row numbers to train on and to test on, of every fold or repeat."""
        for draw in self.draws:
            yield from draw.iterate_splits()

    def write_folds(self, path: str | Path) -> None:
        """Write the folds file: id, and fold or part, as TSV."""
        write_folds(path, self.ids, self.draws)

    def write_parts(self, folder: str | Path, parts_format: str = "tsv") -> list[Path]:
        """Write the rows of each part or fold to a separate file, and return the paths."""
        if self.data is None:
            raise UsageError("A split that was read back from JSON has no data to write.")
        return write_parts(folder, self.data, self.draws, parts_format)

    @classmethod
    def from_dict(cls, values: Options) -> Self:
        """Rebuild a split from what `to_dict` returned, without the data."""
        draws: list[Assignment] = [
            FoldAssignment.from_dict(draw) if "folds" in draw else PartAssignment.from_dict(draw)
            for draw in values["draws"]
        ]
        method = values["method"]
        kind = SPLITS[method].details_type if method in SPLITS else SplitDetails
        details = [from_plain(kind, row, "details") if row else SplitDetails() for row in values["details"]]
        plain = decode_fields(cls, {**values, "draws": [], "details": []})
        return dataclasses.replace(plain, draws=draws, details=details)

    def blocks(self) -> Iterator[Block]:
        """Yield the sizes of the parts, what the method reports, and a sentence about the split."""
        from assay.splits.view import show_split

        yield from show_split(self)

    def _frame(self) -> pl.DataFrame:
        frames = [draw.to_frame().with_columns(id=pl.Series(self.ids)) for draw in self.draws]
        numbered = [frame.with_columns(repeat=pl.lit(repeat)) for repeat, frame in enumerate(frames)]
        return pl.concat(numbered).select(name_columns(self.draws))


def split(
    data: DataSource,
    method: str = "sds-k-means",
    *,
    n_splits: int | None = None,
    test_size: float | None = None,
    dev_size: float | None = None,
    n_repeats: int = 1,
    parts: str | Sequence[str] | None = None,
    groups: Values | None = None,
    keep_together: Literal["duplicates"] | None = None,
    random_state: int = 0,
    corpus: Corpus | None = None,
    vectors: Matrix | None = None,
    n_jobs: int = 1,
    backend: str | None = None,
    **settings: Any,
) -> SplitResult:
    """Split a dataset: `n_splits` folds, or train, dev and test by `test_size` and `dev_size`.

    `data` is a `Dataset` or anything `read` takes. All rows are split unless `parts` names some of the data's parts.
    Rows of one group (`groups`, by default those of the data) are never separated, and with
    `keep_together="duplicates"` neither are near-duplicates. Without groups, subjects of questions and prompts of
    preferences stay whole if the method can keep groups. `corpus` and `vectors` of the split rows are reused if given.
    `settings` are parameters of the method, and arguments of `assay.read` for the data. `n_jobs` and `backend` change
    no result.

    >>> data = {"text": ["a b c", "a b", "a", "b"], "label": ["x", "y", "x", "y"]}
    >>> split(data, "length", test_size=0.25)
    SplitResult('length', PartAssignment(4 rows, train 3, test 1))
    """
    reading = select_reading(settings)
    settings = {name: value for name, value in settings.items() if name not in reading}
    given = _select_parts(take_data(data, reading), parts)
    order, rows = given.order, given.sort_rows()
    if method == "temporal":
        settings["times"] = take_rows(settings.get("times", given.times), order)
    settings = kind_of(rows).learning.set_split(method) | settings
    splitter = make_splitter(
        method,
        n_splits=n_splits,
        test_size=test_size,
        dev_size=dev_size,
        n_repeats=n_repeats,
        random_state=random_state,
        **settings,
    )
    own = kind_of(rows).learning.get_split_groups(rows) if groups is None and rows.groups is None else None
    wanted = own.to_list() if groups is None and own is not None else take_rows(groups, order)
    corpus = None if corpus is None else corpus.take(order)
    together = find_groups(rows, wanted, keep_together, corpus)
    ready: Ready = {"corpus": corpus, "vectors": take_rows(vectors, order)}
    texts, labels = rows.texts.to_list(), _list_labels(rows)
    note = "" if own is None else f"Rows with the same {own.name} stay together; {GROUPS_OPTION} divides them."
    try:
        draws = splitter.draw_partitions(texts, labels, together, n_jobs=n_jobs, backend=backend, **ready)
    except AssayError as error:
        if own is None:
            raise
        note = f"Rows with the same {own.name} are divided: {error.fact.removesuffix('.')}."
        together = find_groups(rows, None, keep_together, corpus)
        draws = splitter.draw_partitions(texts, labels, together, n_jobs=n_jobs, backend=backend, **ready)
    places = invert_order(order)
    draws = [draw.reorder(places) for draw in draws]
    result = summarise_split(given, splitter, draws, take_rows(together, places))
    return dataclasses.replace(result, notes=[note, *result.notes]) if note else result


def summarise_split(
    data: Dataset, splitter: Splitter, draws: Sequence[Assignment], groups: Array | None = None
) -> SplitResult:
    """Describe the repeats of a split of a dataset; `groups` are the groups that stayed whole."""
    labels, separator = _list_labels(data), getattr(splitter, "separator", None)
    names = sorted({name for label in labels or () if label is not None for name in _cut(label, separator)})
    sizes = [
        size
        for repeat, assignment in enumerate(draws)
        for size in _measure_sizes(assignment, repeat, labels, names, splitter)
    ]
    shown = [field.name for field in dataclasses.fields(splitter) if field.repr]
    return SplitResult(
        method=splitter.name,
        settings={name: to_plain(getattr(splitter, name)) for name in shown},
        sizes=sizes,
        details=[assignment.details for assignment in draws],
        notes=[*_write_notes(data, draws, groups), *_report_missed_sizes(sizes)],
        ids=data.ids.to_list(),
        draws=list(draws),
        data=data,
    )


def find_groups(
    data: Dataset,
    groups: Values | None = None,
    keep_together: str | None = None,
    corpus: Corpus | None = None,
) -> Array | None:
    """Return the rows that must stay together: `groups` or the group column, merged with near-duplicates on request.

    A row without a group is a group of its own.
    """
    if keep_together not in (None, "duplicates"):
        raise UsageError(f"can only be 'duplicates', not '{keep_together}'.", option="keep_together")
    names = data.groups if groups is None else groups
    numbers = None
    if names is not None:
        numbers = merge_groups([f"row {row}" if name is None else f"group {name}" for row, name in enumerate(names)])
    if keep_together is None:
        return numbers
    return group_near_duplicates(data.texts.to_list() if corpus is None else corpus, numbers)


def _select_parts(data: Dataset, parts: str | Sequence[str] | None) -> Dataset:
    if parts is None:
        return data
    names = list_strings(parts)
    for name in names:
        data.part(name)  # raises, with the names of the parts there are
    assert data.parts is not None
    return data.take(data.parts.is_in(names).fill_null(value=False))


def _list_labels(data: Dataset) -> list[str | None] | None:
    strata = kind_of(data).learning.get_strata(data)
    return None if strata is None else strata.to_list()


def _measure_sizes(
    assignment: Assignment,
    repeat: int,
    labels: Sequence[str | None] | None,
    names: list[str],
    splitter: Splitter,
) -> list[SplitPart]:
    requested: dict[str, int | None]
    if isinstance(assignment, FoldAssignment):
        n_folds = getattr(splitter, "n_folds", assignment.n_folds)
        requested = {str(fold): round(len(assignment) / n_folds) for fold in range(1, n_folds + 1)}
        column = assignment.folds.astype(str)
    else:
        requested = {part: assignment.requested.get(part) for part in PARTS}
        column = assignment.parts.astype(str)
    members = {part: column == part for part in requested}
    shares = partial(_share_labels, labels, names=names, separator=getattr(splitter, "separator", None))
    return [
        SplitPart(repeat, part, requested[part], int(rows.sum()), float(rows.mean()), shares(rows))
        for part, rows in members.items()
        if requested[part] or rows.any()
    ]


def _share_labels(
    labels: Sequence[str | None] | None, rows: Array, names: list[str], separator: str | None
) -> dict[str, float]:
    if labels is None:
        return {}
    chosen = np.array(labels, dtype=object)[rows]
    n = max(1, sum(label is not None for label in chosen))
    if separator is None:
        return {name: float((chosen == name).sum()) / n for name in names}
    counts = Counter(name for label in chosen if label is not None for name in _cut(label, separator))
    return {name: counts[name] / n for name in names}


def _cut(label: str, separator: str | None) -> list[str]:
    return [label] if separator is None else label.split(separator)


def _report_missed_sizes(sizes: list[SplitPart]) -> list[str]:
    """Report if dev or test differs by more than a tenth, and by more than one row, from what was requested."""
    requested = [size for size in sizes if size.repeat == 0 and size.part in ("dev", "test") and size.requested]
    return [
        f"{size.part} has {size.n:,} rows instead of {size.requested:,}: rows that belong together are not separated."
        for size in requested
        if abs(size.n - (size.requested or 0)) > max(1, (size.requested or 0) / 10)
    ]


def _write_notes(data: Dataset, draws: Sequence[Assignment], groups: Array | None) -> list[str]:
    notes = []
    if data.labels is not None and (n := data.labels.null_count()):
        verb = choose_verb(n, "has", "have")
        notes.append(f"{count_noun(n, 'row')} {verb} no label; methods that use labels treat them as one more label.")
    if groups is not None:
        notes.append(f"{count_noun(int(groups.max()) + 1, 'group')} of {count_noun(len(groups), 'row')} stay whole.")
    first = draws[0]
    if isinstance(first, PartAssignment) and first.weights is None and (n := first.sizes.get("unused", 0)):
        repeat = "" if len(draws) == 1 else " in repeat 0"
        notes.append(f"{count_noun(n, 'row')} {choose_verb(n, 'is', 'are')} unused{repeat}.")
    return notes
