"""Items that are bad whatever a model says: copies with different labels, and texts that are broken."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array

if TYPE_CHECKING:
    from assay.data import Dataset

MAX_CONFLICT_PROBABILITY = 0.9
MIN_WEIGHT = 0.1  # of conflicts, below which they say nothing
MIN_GRADE_GAP = 1.0  # of the grades of copies, in standard deviations of all grades, from which they are a conflict
PSEUDO_COPIES = 8  # items whose copies agree, added to those of the data
COMMON_SHARE = 0.05  # of texts with a fault, beyond which it is no reason to look at single items
DAMAGED = "\ufffd"  # what a decoder writes for bytes it cannot read


@dataclass(frozen=True)
class Conflicts:
    """Copies of one text with different labels.

    `probability` is that the item's label is wrong, 0 if all copies agree; `copy` is the row of the first copy
    with another label and `common` the number of the most frequent label of the copies, -1 if there is none.
    """

    probability: Array = field(repr=False)
    copy: Array = field(repr=False)
    common: Array = field(repr=False)


def find_conflicts(groups: Array, codes: Array) -> Conflicts:
    """Find items whose copies (rows with the same number in `groups`) have another label.

    P(wrong) is the share of copies with another label, reduced if many copies disagree: texts whose copies disagree
    about as often as any two items do not decide the label, as questions without their choices.

    >>> conflicts = find_conflicts(np.array([0, 0, 0, 1]), np.array([5, 5, 7, 5]))
    >>> conflicts.probability.round(2).tolist(), conflicts.copy.tolist(), conflicts.common.tolist()
    ([0.17, 0.17, 0.34, 0.0], [2, 2, 0, -1], [5, 5, 5, -1])
    """
    n = len(codes)
    size = np.bincount(groups)
    _, places, counts = np.unique(
        groups.astype(np.int64) * (int(codes.max(initial=0)) + 1) + codes, return_inverse=True, return_counts=True
    )
    n_copies, n_different = size[groups], size[groups] - counts[places]
    weight = _weigh_conflicts(codes, n_different[n_copies > 1] / (n_copies[n_copies > 1] - 1))
    probability = np.minimum(n_different / n_copies, MAX_CONFLICT_PROBABILITY) * weight
    copy, common = np.full(n, -1), np.full(n, -1)
    rows = np.flatnonzero(probability > 0)
    of_group: dict[int, list[int]] = {}
    for row in rows.tolist():
        of_group.setdefault(int(groups[row]), []).append(row)
    for members in of_group.values():
        labels = codes[members]
        values, times = np.unique(labels, return_counts=True)
        if (times == times.max()).sum() == 1:
            common[members] = values[times.argmax()]
        for row, label in zip(members, labels.tolist(), strict=True):
            copy[row] = next(other for other in members if codes[other] != label)
    return Conflicts(probability, copy, common)


def drop_near_grades(conflicts: Conflicts, grades: Array) -> Conflicts:
    """Keep only conflicts between grades that differ by `MIN_GRADE_GAP` deviations: copies rarely have one grade.

    >>> conflicts = find_conflicts(np.array([0, 0, 1, 1, 2]), np.array([1, 2, 1, 3, 3]))
    >>> drop_near_grades(conflicts, np.array([1.0, 1.1, 1.0, 5.0, 5.0])).copy.tolist()
    [-1, -1, 3, 2, -1]
    """
    has_copy = conflicts.copy >= 0
    gap = np.abs(grades - grades[np.maximum(conflicts.copy, 0)])
    kept = has_copy & (gap >= MIN_GRADE_GAP * np.nanstd(grades))
    chosen = (np.where(kept, values, -1) for values in (conflicts.copy, conflicts.common))
    return Conflicts(np.where(kept, conflicts.probability, 0.0), *chosen)


def _weigh_conflicts(codes: Array, disagreement: Array) -> float:
    """Return how far texts decide labels: 1 if copies never disagree, 0 if they do as often as any two items.

    `disagreement` is the share of its copies with another label, for every item that has copies.
    """
    shares = np.bincount(codes) / max(len(codes), 1)
    by_chance = 1 - float((shares**2).sum())
    rate = float(disagreement.sum()) / (len(disagreement) + PSEUDO_COPIES)
    weight = 1 - rate / by_chance if by_chance > 0 else 0.0
    return weight if weight >= MIN_WEIGHT else 0.0


@dataclass(frozen=True)
class TextFaults:
    """Which texts are empty, and which contain characters that a decoder could not read."""

    is_empty: Array = field(repr=False)
    is_damaged: Array = field(repr=False)

    @property
    def is_broken(self) -> Array:
        """Mark the texts with a fault that few texts have."""
        marks = [
            mark if mark.mean() <= COMMON_SHARE else np.zeros_like(mark) for mark in (self.is_empty, self.is_damaged)
        ]
        return np.asarray(marks[0] | marks[1])


def find_broken_texts(data: Dataset) -> TextFaults:
    """Find texts without any visible character, and texts with replacement characters."""
    is_empty, is_damaged = np.zeros(len(data), bool), np.zeros(len(data), bool)
    for side in data.sides:
        texts = side.fill_null("")
        is_empty |= (texts.str.strip_chars() == "").to_numpy()
        is_damaged |= texts.str.contains(DAMAGED, literal=True).to_numpy()
    return TextFaults(is_empty, is_damaged)
