"""Items that stand in the data more than once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.results import Result
from assay.text import Corpus, exact_duplicates, near_duplicates


@dataclass(frozen=True)
class Duplicates(Result):
    """Counts of items, and the ids of a few groups for each.

    exact: another item has the same text. near: another item has nearly, but not exactly, the same. across_parts: a
    copy, exact or near, stands in another part. conflicting_labels: an exact copy has another label.
    """

    exact: int
    near: int
    across_parts: int
    conflicting_labels: int
    leaks: dict[str, dict[str, int]]
    examples: dict[str, list[list[str]]]


def duplicates(
    texts: Any,
    ids: Sequence[str],
    labels: NDArray[np.int64] | None = None,
    parts: Sequence[str | None] | None = None,
    threshold: float = 0.8,
    n_examples: int = 5,
    corpus: Corpus | None = None,
) -> Duplicates:
    """Find exact copies (but for case and white space) and near ones (Jaccard of word shingles from `threshold`).

    `corpus` holds the words of the texts where they are at hand.
    """
    exact = exact_duplicates(texts)
    near = near_duplicates(texts if corpus is None else corpus, threshold=threshold)
    part_codes = np.unique(np.array([str(part) for part in parts]), return_inverse=True) if parts is not None else None
    marks = {
        "exact": several(exact, None),
        "near": several(near, exact),
        "across_parts": several(near, part_codes[1]) if part_codes else np.zeros(len(exact), bool),
        "conflicting_labels": conflicting(exact, labels),
    }
    groups = {"exact": exact, "near": near, "across_parts": near, "conflicting_labels": exact}
    examples = {name: group_examples(groups[name], mark, ids, n_examples) for name, mark in marks.items()}
    counts = {name: int(mark.sum()) for name, mark in marks.items()}
    found = leaks(exact, near, part_codes[1], part_codes[0].tolist()) if part_codes else {}
    return Duplicates(**counts, leaks=found, examples=examples)


def several(groups: NDArray[np.int64], values: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    """Mark the rows whose group holds several different values (or, without values, several rows).

    >>> several(np.array([0, 0, 1, 1]), np.array([5, 5, 5, 6])).tolist()
    [False, False, True, True]
    """
    if not len(groups):
        return np.zeros(0, bool)
    if values is None:
        return np.asarray(np.bincount(groups)[groups] > 1)
    order = np.lexsort((values, groups))
    change = (np.diff(groups[order]) == 0) & (np.diff(values[order]) != 0)
    mixed = np.zeros(groups.max() + 1, bool)
    mixed[groups[order][1:][change]] = True
    return mixed[groups]


def conflicting(groups: NDArray[np.int64], labels: NDArray[np.int64] | None) -> NDArray[np.bool_]:
    """Mark the labelled rows whose group holds several labels."""
    found = np.zeros(len(groups), bool)
    if labels is None:
        return found
    rows = np.flatnonzero(labels >= 0)
    found[rows] = several(groups[rows], labels[rows])
    return found


def leaks(
    exact: NDArray[np.int64], near: NDArray[np.int64], parts: NDArray[np.int64], names: list[str]
) -> dict[str, dict[str, int]]:
    """Count, for each ordered pair of parts, the items of the first that have a copy in the second."""
    found = {}
    for one, first in enumerate(names):
        for other, second in enumerate(names):
            if one != other:
                same, alike = (shared(groups, parts, one, other) for groups in (exact, near))
                if alike:
                    found[f"{first} in {second}"] = {"exact": same, "near": alike - same}
    return found


def shared(groups: NDArray[np.int64], parts: NDArray[np.int64], one: int, other: int) -> int:
    """Count the rows of part `one` whose group occurs in part `other`."""
    return int(np.isin(groups[parts == one], groups[parts == other]).sum())


def group_examples(groups: NDArray[np.int64], mark: NDArray[np.bool_], ids: Sequence[str], n: int) -> list[list[str]]:
    """Return the ids of the first n marked groups, at most five ids each."""
    rows = np.flatnonzero(mark)
    _, firsts = np.unique(groups[rows], return_index=True)
    chosen = groups[rows[np.sort(firsts)[:n]]]
    return [[str(ids[int(row)]) for row in rows[groups[rows] == group][:5]] for group in chosen]
