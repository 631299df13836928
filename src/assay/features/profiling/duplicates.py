"""Items that occur more than once in the data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import polars as pl
from numpy.typing import NDArray

from assay.base.marks import NAME
from assay.data.row_order import sort_ids
from assay.text import Corpus, exact_duplicates, near_duplicates
from assay.views.results import Result

MAX_IDS = 5  # of one group of examples


class RowNames(Protocol):
    """The ids of rows, by place."""

    def __getitem__(self, place: int, /) -> Any: ...


Groups = NDArray[np.int64]  # the number of the group of every row


@dataclass(frozen=True)
class LeakCount(Result):
    """How many items of one part have an exact, or only a near, copy in another part."""

    exact: int
    near: int


@dataclass(frozen=True)
class Duplicates(Result):
    """Counts of items, and the ids of a few groups for each.

    `exact`: another item has the same text. `near`: another item has nearly, but not exactly, the same.
    `across_parts`: a copy, exact or near, is in another part. `conflicting_labels`: an exact copy has another label.
    `leaks` counts the items of each ordered pair of parts by names such as "test in train".
    """

    exact: int
    near: int
    across_parts: int
    conflicting_labels: int
    leaks: dict[str, LeakCount] = field(metadata=NAME)
    examples: dict[str, tuple[tuple[str, ...], ...]] = field(metadata=NAME)


def count_duplicates(
    texts: object,
    ids: RowNames,
    labels: NDArray[np.int64] | None = None,
    parts: pl.Series | Sequence[str | None] | None = None,
    threshold: float = 0.8,
    n_examples: int = 5,
    *,
    corpus: Corpus | None = None,
    exact_groups: Groups | None = None,
    near_groups: Groups | None = None,
) -> Duplicates:
    """Count exact copies (ignoring case and white space) and near ones (Jaccard of word shingles from `threshold`).

    Ready-made words of the texts (`corpus`) or groups of copies (`exact_groups`, `near_groups`) are used as they are.
    """
    exact = exact_duplicates(texts) if exact_groups is None else exact_groups
    near = near_groups
    if near is None:
        near = near_duplicates(texts if corpus is None else corpus, threshold)
    names, codes = number_parts([] if parts is None else parts)
    marks = {
        "exact": mark_repeated(exact),
        "near": mark_mixed(near, exact),
        "across_parts": np.zeros(len(exact), bool) if parts is None else mark_mixed(near, codes),
        "conflicting_labels": mark_conflicts(exact, labels),
    }
    groups = {"exact": exact, "near": near, "across_parts": near, "conflicting_labels": exact}
    return Duplicates(
        **{name: int(mark.sum()) for name, mark in marks.items()},
        leaks=_count_leaks(exact, near, codes, names),
        examples={name: _list_groups(groups[name], mark, ids, n_examples) for name, mark in marks.items()},
    )


def number_parts(parts: pl.Series | Sequence[str | None]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the names of the parts in order, and the number of each row's part.

    >>> names, numbers = number_parts(["train", "test", None, "train"])
    >>> names, numbers.tolist()
    (['None', 'test', 'train'], [2, 1, 0, 2])
    """
    cells = pl.Series(parts, dtype=pl.String).fill_null("None")
    names = sorted(cells.unique().to_list())
    return names, cells.replace_strict(names, range(len(names)), return_dtype=pl.Int64).to_numpy()


def mark_repeated(groups: Groups) -> NDArray[np.bool_]:
    """Mark the rows whose group has several rows.

    >>> mark_repeated(np.array([0, 0, 1])).tolist()
    [True, True, False]
    """
    return np.asarray(np.bincount(groups)[groups] > 1) if len(groups) else np.zeros(0, bool)


def mark_mixed(groups: Groups, values: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Mark the rows whose group has several different values.

    >>> mark_mixed(np.array([0, 0, 1, 1]), np.array([5, 5, 5, 6])).tolist()
    [False, False, True, True]
    """
    if not len(groups):
        return np.zeros(0, bool)
    order = np.lexsort((values, groups))
    change = (np.diff(groups[order]) == 0) & (np.diff(values[order]) != 0)
    mixed = np.zeros(groups.max() + 1, bool)
    mixed[groups[order][1:][change]] = True
    return mixed[groups]


def mark_conflicts(groups: Groups, labels: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    """Mark the labelled rows whose group has several labels; a negative label is a missing one."""
    marks = np.zeros(len(groups), bool)
    if labels is None:
        return marks
    rows = np.flatnonzero(labels >= 0)
    marks[rows] = mark_mixed(groups[rows], labels[rows])
    return marks


def _count_leaks(exact: Groups, near: Groups, parts: NDArray[np.int64], names: list[str]) -> dict[str, LeakCount]:
    """Count, for each ordered pair of parts, the items of the first that have a copy in the second."""
    leaks = {}
    for one, first in enumerate(names):
        for other, second in enumerate(names):
            if one != other:
                n_exact, n_near = (_count_shared(groups, parts, one, other) for groups in (exact, near))
                if n_near:
                    leaks[f"{first} in {second}"] = LeakCount(exact=n_exact, near=n_near - n_exact)
    return leaks


def _count_shared(groups: Groups, parts: NDArray[np.int64], one: int, other: int) -> int:
    """Count the rows of part `one` whose group occurs in part `other`."""
    return int(np.isin(groups[parts == one], groups[parts == other]).sum())


def _list_groups(groups: Groups, mark: NDArray[np.bool_], ids: RowNames, n: int) -> tuple[tuple[str, ...], ...]:
    """Return the ids of the first n marked groups by id, at most five ids each."""
    rows = np.flatnonzero(mark)
    rows = rows[sort_ids([str(ids[int(row)]) for row in rows])]
    _, firsts = np.unique(groups[rows], return_index=True)
    chosen = groups[rows[np.sort(firsts)[:n]]]
    return tuple(tuple(str(ids[int(row)]) for row in rows[groups[rows] == group][:MAX_IDS]) for group in chosen)
