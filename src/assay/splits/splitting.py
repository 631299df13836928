"""Split a whole dataset by a method's name, and tell what came out."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.codec import to_plain
from assay.base.errors import UsageError, join_names
from assay.base.results import Result
from assay.data import Dataset
from assay.splits.base import Assignment, FoldSplitter, Parts, Splitter
from assay.splits.grouping import joined, kept_together
from assay.splits.registry import SPLITS

_PLAIN: dict[str, Any] = {"int": int, "float": (int, float), "str": str, "bool": bool, "None": type(None)}


@dataclass(frozen=True)
class PartSize(Result):
    """One part or fold of one repeat: rows asked for (None where nobody asked) and rows it has, and shares."""

    repeat: int
    part: str
    asked: int | None
    n: int
    share: float
    labels: dict[str, float]


@dataclass(frozen=True)
class SplitResult(Result):
    """A split of a dataset: sizes of every part, what the method tells of itself, and the split, row by row."""

    method: str
    settings: dict[str, Any]
    sizes: list[PartSize]
    details: list[dict[str, Any]]
    notes: list[str]
    ids: list[str] = field(repr=False)
    draws: list[Assignment | Parts] = field(repr=False, compare=False)


def make_splitter(
    method: str,
    *,
    n_folds: int | None = None,
    test_size: float | None = None,
    dev_size: float | None = None,
    n_repeats: int = 1,
    random_state: int = 0,
    **settings: Any,
) -> Splitter:
    """Make a splitter by name: K folds, or train/dev/test; settings that are None are left at their default.

    >>> make_splitter("length", test_size=0.2).name
    'length'
    >>> make_splitter("length", n_folds=5)
    Traceback (most recent call last):
    assay.base.errors.UsageError: The length split makes one test set, not folds: give test_size, or choose a method ...
    """
    kind = SPLITS[method]
    if n_folds is not None and (test_size is not None or dev_size is not None):
        raise UsageError("Folds or a test set, not both: give n_folds, or test_size (and dev_size).")
    if n_folds is not None and not issubclass(kind, FoldSplitter):
        raise UsageError(_no_folds(method))
    if dev_size is not None and test_size is None:
        raise UsageError("dev_size needs test_size.")
    given = {"n_splits": n_folds, "test_size": test_size, "dev_size": dev_size, **settings}
    given = {name: value for name, value in given.items() if value is not None}
    _refuse_unknown(method, kind, given)
    return kind(n_repeats=n_repeats, random_state=random_state, **given)


def split_dataset(data: Dataset, splitter: Splitter, keep_together: str | None = None) -> SplitResult:
    """Split all rows of a dataset; its groups, where it has any, are never cut, nor are duplicates if kept together."""
    texts, labels = data.texts.to_list(), None if data.labels is None else data.labels.to_list()
    groups = groups_of(data, keep_together)
    draws = list(splitter.partitions(texts, labels, groups))
    sizes = [
        size for repeat, drawn in enumerate(draws) for size in _sizes(drawn, repeat, labels, data.label_names, splitter)
    ]
    told = [field.name for field in dataclasses.fields(splitter) if field.repr]
    return SplitResult(
        method=splitter.name,
        settings={name: to_plain(getattr(splitter, name)) for name in told},
        sizes=sizes,
        details=[_details(drawn) for drawn in draws],
        notes=[*_notes(data, draws, groups), *_misses(sizes)],
        ids=data.ids.to_list(),
        draws=draws,
    )


def groups_of(data: Dataset, keep_together: str | None) -> np.ndarray | None:
    """Return what must stay together: the group column, and near duplicates where asked.

    A row without a group is a group of its own.
    """
    if keep_together not in (None, "duplicates"):
        raise UsageError(f"Only duplicates can be kept together, not '{keep_together}'.")
    given = None
    if data.groups is not None:
        given = joined([f"row {row}" if group is None else f"group {group}" for row, group in enumerate(data.groups)])
    return given if keep_together is None else kept_together(data.texts.to_list(), given)


def _no_folds(method: str) -> str:
    folding = [name for name, kind in SPLITS.items() if issubclass(kind, FoldSplitter)]
    windows = " For windows that move through time set n_splits (-s n_splits=5)." if method == "temporal" else ""
    return (
        f"The {method} split makes one test set, not folds: give test_size, or choose a method that makes folds "
        f"({', '.join(folding)}).{windows}"
    )


def _refuse_unknown(method: str, kind: type[Splitter], given: dict[str, Any]) -> None:
    known = [field.name for field in dataclasses.fields(kind)]
    unknown = [name for name in given if name not in known]
    if unknown:
        raise UsageError(
            f"The {method} split has no parameter {join_names(unknown)}. Known: {', '.join(sorted(known))}."
        )
    for field_ in dataclasses.fields(kind):
        if field_.name in given and not _fits(given[field_.name], str(field_.type)):
            raise UsageError(f"{field_.name} of the {method} split must be {field_.type}, not {given[field_.name]!r}.")


def _fits(value: Any, kind: str) -> bool:
    """Tell whether a value is of a kind as annotated; kinds that are no plain values fit always.

    >>> _fits(3, "float | str"), _fits("three", "int"), _fits(True, "int")
    (True, False, False)
    """
    kinds = [name.strip() for name in kind.split("|")]
    if not set(kinds) <= set(_PLAIN):
        return True
    return any(isinstance(value, _PLAIN[name]) and not (isinstance(value, bool) and name != "bool") for name in kinds)


def _sizes(
    drawn: Assignment | Parts, repeat: int, labels: Sequence[str | None] | None, names: list[str], splitter: Splitter
) -> list[PartSize]:
    if isinstance(drawn, Assignment):
        n_folds = getattr(splitter, "n_splits", int(drawn.folds.max()))
        asked: dict[str, int | None] = {str(fold): round(len(drawn.folds) / n_folds) for fold in range(1, n_folds + 1)}
        column = drawn.folds.astype(str)
    else:
        asked = {part: drawn.asked.get(part) for part in ("train", "dev", "test", "unused")}
        column = drawn.parts.astype(str)
    members = {part: column == part for part in asked}
    return [
        PartSize(repeat, part, asked[part], int(rows.sum()), float(rows.mean()), _shares(labels, rows, names))
        for part, rows in members.items()
        if asked[part] or rows.any()
    ]


def _shares(labels: Sequence[str | None] | None, rows: np.ndarray, names: list[str]) -> dict[str, float]:
    if labels is None:
        return {}
    here = np.array(labels, dtype=object)[rows]
    n = max(1, sum(label is not None for label in here))
    return {name: float((here == name).sum()) / n for name in names}


def _details(drawn: Assignment | Parts) -> dict[str, Any]:
    """Return what a method tells beyond the split itself, such as its within-cluster variance."""
    own = {"folds", "parts", "asked", "weights"}
    return {
        field.name: to_plain(getattr(drawn, field.name)) for field in dataclasses.fields(drawn) if field.name not in own
    }


def _misses(sizes: list[PartSize]) -> list[str]:
    """Say where dev or test is off by more than a tenth of what was asked, and not only by a row."""
    asked = [size for size in sizes if size.repeat == 0 and size.part in ("dev", "test") and size.asked]
    return [
        f"{size.part} has {size.n:,} rows, {size.asked:,} were asked for: what belongs together is not cut."
        for size in asked
        if abs(size.n - (size.asked or 0)) > max(1, (size.asked or 0) / 10)
    ]


def _notes(data: Dataset, draws: Sequence[Assignment | Parts], groups: np.ndarray | None) -> list[str]:
    notes = []
    if data.labels is not None and (n := data.labels.null_count()):
        notes.append(f"{n:,} rows have no label: where labels count, they are a class of their own.")
    if groups is not None:
        notes.append(f"{int(groups.max()) + 1:,} groups of {len(groups):,} rows stay whole.")
    for repeat, drawn in enumerate(draws[:1]):
        if isinstance(drawn, Parts) and drawn.weights is None and (n := drawn.sizes.get("unused", 0)):
            notes.append(f"{n:,} rows are unused{'' if len(draws) == 1 else f' in repeat {repeat}'}.")
    return notes
