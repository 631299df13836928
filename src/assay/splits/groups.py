"""Rows that must stay together: groups merged, and assigned as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from assay.base.arrays import Array, Values
from assay.splits.items import convert_rows
from assay.splits.row_order import write_strings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.text import Corpus

MAX_EXCHANGE_CELLS = 20_000  # groups times labels
MAX_EXCHANGES = 100


def merge_groups(*groupings: Values | None) -> Array:
    """Merge groupings: rows that share a group in any of them share one in the result; None is ignored.

    >>> merge_groups(["a", "a", "b", "c"], [1, 2, 2, 3]).tolist()
    [0, 0, 0, 1]
    """
    codes = [
        np.unique(convert_rows(grouping), return_inverse=True)[1] for grouping in groupings if grouping is not None
    ]
    n, offsets = len(codes[0]), np.cumsum([0, *(int(numbers.max()) + 1 for numbers in codes)])
    rows = np.tile(np.arange(n), len(codes))
    nodes = np.concatenate([numbers + offset for numbers, offset in zip(codes, offsets, strict=False)]) + n
    graph = sparse.coo_matrix((np.ones(len(rows), dtype=np.int8), (rows, nodes)), shape=(n + offsets[-1],) * 2)
    components: Array = connected_components(graph, directed=False)[1][:n]
    return number_groups(components)


def group_near_duplicates(texts: Sequence[str] | Corpus, groups: Values | None = None, threshold: float = 0.8) -> Array:
    """Return groups that keep near-duplicates together, merged with `groups` if given."""
    from assay.text import near_duplicates

    return merge_groups(near_duplicates(texts, threshold=threshold), groups)


def number_groups(groups: Array) -> Array:
    """Number groups 0…g−1 in the order of their first rows.

    >>> number_groups(np.array(["b", "a", "b"], dtype=object)).tolist()
    [0, 1, 0]
    """
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups.tolist()], dtype=np.int64)


def number_labels(labels: Values) -> tuple[list[str], Array]:
    """Return the distinct labels, sorted, and the number of each row's label; a missing label is the label "None".

    >>> number_labels(["b", "a", "b"])
    (['a', 'b'], array([1, 0, 1]))
    """
    strings = write_strings(labels)
    names = sorted(set(strings))
    numbers = {name: number for number, name in enumerate(names)}
    return names, np.array([numbers[label] for label in strings], dtype=np.int64)


def choose_groups(groups: Array, labels: Array, targets: Array, order: Array) -> Array:
    """Choose whole groups for a test set: each in turn, if it brings the counts by label closer to the targets.

    Return a boolean array over rows. Closeness is the sum of squared differences, so a group that overshoots by more
    than it helps is skipped. When none helps, the smallest group is taken, so that the test set is not empty. With
    several labels, groups are then exchanged for others as long as that brings the counts closer.
    """
    members, missing = _count_members(groups, labels), targets.astype(float).tolist()
    chosen = np.zeros(len(members), dtype=bool)
    for group in order.tolist():
        if sum(count * (count - 2 * missing[label]) for label, count in members[group]) < 0:
            chosen[group] = True
            for label, count in members[group]:
                missing[label] -= count
    if not chosen.any():
        sizes = np.bincount(groups)
        chosen[order[np.argmin(sizes[order])]] = True
    elif len(targets) > 1:
        _exchange_groups(chosen, groups, labels, targets, order)
    return np.asarray(chosen[groups])


def _exchange_groups(chosen: Array, groups: Array, labels: Array, targets: Array, order: Array) -> None:
    """Add, drop or exchange groups, the best change first, while that brings the counts closer to the targets."""
    n_groups = len(chosen)
    if n_groups * len(targets) > MAX_EXCHANGE_CELLS:
        return  # so many groups are small, and their counts are close already
    counts = np.zeros((n_groups + 1, len(targets)))  # the last row is not a group: to add one, or to drop one
    np.add.at(counts, (groups, labels), 1)
    squares = (counts**2).sum(axis=1)
    for _ in range(MAX_EXCHANGES):
        missing = targets - counts[:-1][chosen].sum(axis=0)
        inside, outside = order[chosen[order]], order[~chosen[order]]
        dropped = [*inside.tolist(), *([n_groups] if len(outside) > 1 else [])]
        added = np.append(outside, [n_groups] if len(inside) > 1 else []).astype(np.int64)
        best = (float(missing @ missing) - 1e-9, n_groups, n_groups)
        for group in dropped:
            lacking = missing + counts[group]
            costs = lacking @ lacking - 2 * counts[added] @ lacking + squares[added]
            if len(costs) and costs.min() < best[0]:
                best = float(costs.min()), group, int(added[costs.argmin()])
        if best[1] == best[2]:
            return
        chosen[[group for group in best[1:] if group < n_groups]] ^= True


def assign_groups(groups: Array, labels: Array, n_folds: int, order: Array) -> Array:
    """Assign whole groups to folds, the largest first, each to the fold that most lacks its labels.

    Return the fold (1…k) of each row.
    """
    members, sizes = _count_members(groups, labels), np.bincount(groups)
    shares = np.bincount(labels) / n_folds
    lacking = [[1.0] * n_folds for _ in shares]  # of each label, as a share of what each fold should hold
    n_held = [0] * n_folds
    folds = np.zeros(len(members), dtype=np.int64)
    for group in order[np.argsort(-sizes[order], kind="stable")].tolist():
        need = [sum(n * lacking[label][fold] for label, n in members[group]) for fold in range(n_folds)]
        fold = max(range(n_folds), key=lambda fold: (round(need[fold], 9), -n_held[fold]))
        folds[group], n_held[fold] = fold + 1, n_held[fold] + int(sizes[group])
        for label, n in members[group]:
            lacking[label][fold] -= n / shares[label]
    return np.asarray(_fill_empty_folds(folds, sizes, n_folds)[groups])


def _fill_empty_folds(folds: Array, sizes: Array, n_folds: int) -> Array:
    for fold in range(1, n_folds + 1):
        if not (folds == fold).any():  # take the smallest group of the fold that has the most groups
            donor = np.bincount(folds, minlength=n_folds + 1).argmax()
            candidates = np.flatnonzero(folds == donor)
            folds[candidates[sizes[candidates].argmin()]] = fold
    return folds


def _count_members(groups: Array, labels: Array) -> list[list[tuple[int, int]]]:
    """Return, for each group, its labels and how many of its rows have each."""
    n_labels = int(labels.max()) + 1
    pairs, counts = np.unique(groups * n_labels + labels, return_counts=True)
    members: list[list[tuple[int, int]]] = [[] for _ in range(int(groups.max()) + 1)]
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        members[pair // n_labels].append((pair % n_labels, count))
    return members
