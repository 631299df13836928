"""Rows that belong together: groups merged, and dealt out whole."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from assay.splits.rows import as_rows


def joined(*groupings: Any) -> np.ndarray:
    """Merge groupings: rows that share a group in any of them share one in the result; None counts for nothing.

    >>> joined(["a", "a", "b", "c"], [1, 2, 2, 3]).tolist()
    [0, 0, 0, 1]
    """
    given = [np.unique(as_rows(grouping), return_inverse=True)[1] for grouping in groupings if grouping is not None]
    n, starts = len(given[0]), np.cumsum([0, *(int(codes.max()) + 1 for codes in given)])
    rows = np.tile(np.arange(n), len(given))
    nodes = np.concatenate([codes + start for codes, start in zip(given, starts, strict=False)]) + n
    graph = sparse.coo_matrix((np.ones(len(rows), dtype=np.int8), (rows, nodes)), shape=(n + starts[-1],) * 2)
    numbers: np.ndarray = connected_components(graph, directed=False)[1][:n]
    return recoded(numbers)


def kept_together(texts: Sequence[str], groups: Any = None, threshold: float = 0.8) -> np.ndarray:
    """Return groups that keep near duplicates together, merged with `groups` where given."""
    from assay.text import near_duplicates

    return joined(near_duplicates(texts, threshold=threshold), groups)


def recoded(groups: np.ndarray) -> np.ndarray:
    """Number groups 0…g−1 in the order they come up.

    >>> recoded(np.array(["b", "a", "b"], dtype=object)).tolist()
    [0, 1, 0]
    """
    numbers: dict[Any, int] = {}
    return np.array([numbers.setdefault(group, len(numbers)) for group in groups.tolist()], dtype=np.int64)


def filled(groups: np.ndarray, labels: np.ndarray, targets: np.ndarray, order: np.ndarray) -> np.ndarray:
    """Choose whole groups for a test set: each in its turn, when it brings the counts by label nearer the targets.

    Returns a boolean array over rows. Nearer is the sum of squared differences; a group that overshoots by more
    than it helps is passed over. When none helps, the smallest group is taken, so the test set is not empty.
    """
    members, missing = _members(groups, labels), targets.astype(float).tolist()
    chosen = np.zeros(len(members), dtype=bool)
    for group in order.tolist():
        if sum(count * (count - 2 * missing[label]) for label, count in members[group]) < 0:
            chosen[group] = True
            for label, count in members[group]:
                missing[label] -= count
    if not chosen.any():
        sizes = np.bincount(groups)
        chosen[order[np.argmin(sizes[order])]] = True
    return np.asarray(chosen[groups])


def dealt(groups: np.ndarray, labels: np.ndarray, n_folds: int, order: np.ndarray) -> np.ndarray:
    """Deal whole groups to folds, the largest first, each to the fold that most lacks its labels; returns 1…k a row."""
    members, sizes = _members(groups, labels), np.bincount(groups)
    shares = np.bincount(labels) / n_folds
    lacking = [[1.0] * n_folds for _ in shares]  # of a label, as a share of what each fold should hold
    held = [0] * n_folds
    folds = np.zeros(len(members), dtype=np.int64)
    for group in order[np.argsort(-sizes[order], kind="stable")].tolist():
        need = [sum(n * lacking[label][fold] for label, n in members[group]) for fold in range(n_folds)]
        fold = max(range(n_folds), key=lambda fold: (round(need[fold], 9), -held[fold]))
        folds[group], held[fold] = fold + 1, held[fold] + int(sizes[group])
        for label, n in members[group]:
            lacking[label][fold] -= n / shares[label]
    return np.asarray(_without_empty(folds, sizes, n_folds)[groups])


def _without_empty(folds: np.ndarray, sizes: np.ndarray, n_folds: int) -> np.ndarray:
    for fold in range(1, n_folds + 1):
        if not (folds == fold).any():  # take the smallest group of the fold that has the most groups
            donor = np.bincount(folds, minlength=n_folds + 1).argmax()
            candidates = np.flatnonzero(folds == donor)
            folds[candidates[sizes[candidates].argmin()]] = fold
    return folds


def _members(groups: np.ndarray, labels: np.ndarray) -> list[list[tuple[int, int]]]:
    n_labels = int(labels.max()) + 1
    pairs, counts = np.unique(groups * n_labels + labels, return_counts=True)
    members: list[list[tuple[int, int]]] = [[] for _ in range(int(groups.max()) + 1)]
    for pair, count in zip(pairs.tolist(), counts.tolist(), strict=True):
        members[pair // n_labels].append((pair % n_labels, count))
    return members
