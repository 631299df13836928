"""How many rows of each label belong in each fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.base.errors import AssayError, UsageError, join_names

Shares = Mapping[Any, Sequence[float]] | Sequence[Mapping[Any, float]]
TOLERANCE = 1e-6


def even_quotas(label_counts: ArrayLike, n_splits: int) -> NDArray[np.int64]:
    """Spread every label evenly over the folds: each cell is floor or ceiling of its share.

    What a label leaves over goes to the folds after those that got the last label's, so fold sizes differ by at most 1.

    >>> even_quotas([7, 2], n_splits=3).tolist()
    [[3, 2, 2], [0, 1, 1]]
    """
    counts = np.asarray(label_counts, dtype=np.int64)
    over = counts % n_splits
    begin = (np.cumsum(over) - over) % n_splits
    turn = (np.arange(n_splits) - begin[:, None]) % n_splits
    quotas: NDArray[np.int64] = (counts // n_splits)[:, None] + (turn < over[:, None])
    return quotas


def shared_quotas(labels: Sequence[Any], label_counts: ArrayLike, n_splits: int, shares: Shares) -> NDArray[np.int64]:
    """Turn the label distribution a user asks for into whole rows, each label's summing to its count.

    `shares` is either a mapping from each label to the shares of its rows that each fold gets, or one mapping a fold
    from labels to their shares in it, for folds of equal size.

    >>> shared_quotas(["a", "b"], [10, 6], 2, {"a": [0.7, 0.3], "b": [0.5, 0.5]}).tolist()
    [[7, 3], [3, 3]]
    >>> shared_quotas(["a", "b"], [10, 6], 2, [{"a": 0.75, "b": 0.25}, {"a": 0.5, "b": 0.5}]).tolist()
    [[6, 4], [2, 4]]
    """
    counts = np.asarray(label_counts, dtype=np.int64)
    if isinstance(shares, Mapping):
        return rounded(_by_label(labels, n_splits, shares) * counts[:, None])
    wanted = _by_fold(labels, n_splits, shares) * (counts.sum() / n_splits)
    return rounded(_consistent(labels, counts, wanted))


def rounded(wanted: NDArray[np.float64]) -> NDArray[np.int64]:
    """Round a table to floors and ceilings so that whole row sums stay and column sums move by less than 1.

    Such a rounding always exists: the table of the fractions is a flow, and flows have whole solutions.

    >>> rounded(np.array([[0.5, 0.5], [0.5, 0.5]])).sum(axis=0).tolist()
    [1, 1]
    """
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, kron, vstack

    floor = np.floor(wanted + TOLERANCE)
    part = np.clip(wanted - floor, 0.0, 1.0)
    part[part < TOLERANCE] = 0.0
    n, k = part.shape
    rows, columns = kron(eye_array(n), np.ones((1, k))), kron(np.ones((1, n)), eye_array(k))
    totals = part.sum(axis=0)
    found = linprog(
        -part.ravel(),
        A_eq=rows,
        b_eq=np.rint(part.sum(axis=1)),
        A_ub=vstack([columns, -columns]),
        b_ub=np.concatenate([np.ceil(totals - TOLERANCE), -np.floor(totals + TOLERANCE)]),
        bounds=np.column_stack([np.zeros(n * k), (part > 0).ravel()]),
        method="highs-ds",
    )
    return np.asarray(floor + np.rint(found.x).reshape(n, k), dtype=np.int64)


def _by_label(labels: Sequence[Any], n_splits: int, shares: Mapping[Any, Sequence[float]]) -> NDArray[np.float64]:
    given = {str(label): np.asarray(row, dtype=float) for label, row in shares.items()}
    missing = [label for label in labels if str(label) not in given]
    if missing:
        raise UsageError(f"No shares for the labels {join_names(missing)}. Given: {join_names(given)}.")
    for label in map(str, labels):
        if len(given[label]) != n_splits or (given[label] < 0).any() or abs(given[label].sum() - 1) > TOLERANCE:
            told = ", ".join(f"{share:g}" for share in given[label])
            raise UsageError(
                f"Shares of label '{label}': {told} (sum {given[label].sum():g}); "
                f"they must be {n_splits} numbers from 0 on that sum to 1."
            )
    return np.array([given[str(label)] for label in labels])


def _by_fold(labels: Sequence[Any], n_splits: int, shares: Sequence[Mapping[Any, float]]) -> NDArray[np.float64]:
    if len(shares) != n_splits:
        raise UsageError(f"Label shares of {len(shares)} folds, but there are {n_splits} folds.")
    table = np.zeros((len(labels), n_splits))
    for j, fold in enumerate(shares):
        given = {str(label): float(share) for label, share in fold.items()}
        unknown = sorted(given.keys() - set(map(str, labels)))
        if unknown:
            raise UsageError(f"Label shares of fold {j + 1} name {join_names(unknown)}. Labels: {join_names(labels)}.")
        if min(given.values()) < 0 or abs(sum(given.values()) - 1) > TOLERANCE:
            raise UsageError(f"Label shares of fold {j + 1} sum to {sum(given.values()):g}; they must sum to 1.")
        table[:, j] = [given.get(str(label), 0.0) for label in labels]
    return table


def _consistent(labels: Sequence[Any], counts: NDArray, wanted: NDArray[np.float64]) -> NDArray[np.float64]:
    """Scale away what rounding will absorb, less than a row a label; more than that cannot be met."""
    asked = wanted.sum(axis=1)
    off = [
        f"'{label}' {count} rows, asked for {total:g} ({abs(total - count):g} too {'many' if total > count else 'few'})"
        for label, count, total in zip(labels, counts.tolist(), asked.tolist(), strict=True)
        if abs(total - count) >= 1 or (total == 0) != (count == 0)
    ]
    if off:
        raise AssayError(f"The label shares do not fit the labels: {join_names(off)}.")
    return wanted * np.divide(counts, asked, out=np.zeros(len(counts)), where=asked > 0)[:, None]
