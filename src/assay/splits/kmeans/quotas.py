"""How many rows of each label belong in each fold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from assay.base.errors import AssayError, UsageError, join_names

LabelShares = Mapping[Any, Sequence[float]] | Sequence[Mapping[Any, float]]
TOLERANCE = 1e-6


def compute_even_quotas(label_counts: ArrayLike, n_folds: int) -> NDArray[np.int64]:
    """Spread every label evenly over the folds: each quota is the floor or the ceiling of the label's share.

    The remainder of a label goes to the folds after those that got the remainder of the label before, so that fold
    sizes differ by at most 1.

    >>> compute_even_quotas([7, 2], n_folds=3).tolist()
    [[3, 2, 2], [0, 1, 1]]
    """
    counts = np.asarray(label_counts, dtype=np.int64)
    remainders = counts % n_folds
    first_folds = (np.cumsum(remainders) - remainders) % n_folds
    turns = (np.arange(n_folds) - first_folds[:, None]) % n_folds
    quotas: NDArray[np.int64] = (counts // n_folds)[:, None] + (turns < remainders[:, None])
    return quotas


def compute_quotas(
    labels: Sequence[str], label_counts: ArrayLike, n_folds: int, shares: LabelShares
) -> NDArray[np.int64]:
    """Turn a requested label distribution into whole rows, such that those of each label sum to its count.

    `shares` maps each label to the shares of its rows in each fold, or is a list with one mapping per fold from
    labels to their shares of that fold, for folds of equal size.

    >>> compute_quotas(["a", "b"], [10, 6], 2, {"a": [0.7, 0.3], "b": [0.5, 0.5]}).tolist()
    [[7, 3], [3, 3]]
    >>> compute_quotas(["a", "b"], [10, 6], 2, [{"a": 0.75, "b": 0.25}, {"a": 0.5, "b": 0.5}]).tolist()
    [[6, 4], [2, 4]]
    """
    counts = np.asarray(label_counts, dtype=np.int64)
    if isinstance(shares, Mapping):
        return round_table(_read_shares_by_label(labels, n_folds, shares) * counts[:, None])
    requested = _read_shares_by_fold(labels, n_folds, shares) * (counts.sum() / n_folds)
    return round_table(_scale_to_counts(labels, counts, requested))


def round_table(table: NDArray[np.float64]) -> NDArray[np.int64]:
    """Round a table to floors and ceilings so that whole row sums are kept and column sums change by less than 1.

    Such a rounding always exists: the fractions form a flow with an integral solution.

    >>> round_table(np.array([[0.5, 0.5], [0.5, 0.5]])).sum(axis=0).tolist()
    [1, 1]
    """
    from scipy.optimize import linprog
    from scipy.sparse import eye_array, kron, vstack

    floors = np.floor(table + TOLERANCE)
    fractions = np.clip(table - floors, 0.0, 1.0)
    fractions[fractions < TOLERANCE] = 0.0
    n, k = fractions.shape
    rows, columns = kron(eye_array(n), np.ones((1, k))), kron(np.ones((1, n)), eye_array(k))
    totals = fractions.sum(axis=0)
    solution = linprog(
        -fractions.ravel(),
        A_eq=rows,
        b_eq=np.rint(fractions.sum(axis=1)),
        A_ub=vstack([columns, -columns]),
        b_ub=np.concatenate([np.ceil(totals - TOLERANCE), -np.floor(totals + TOLERANCE)]),
        bounds=np.column_stack([np.zeros(n * k), (fractions > 0).ravel()]),
        method="highs-ds",
    )
    return np.asarray(floors + np.rint(solution.x).reshape(n, k), dtype=np.int64)


def _read_shares_by_label(
    labels: Sequence[str], n_folds: int, shares: Mapping[Any, Sequence[float]]
) -> NDArray[np.float64]:
    by_label = {str(label): np.asarray(row, dtype=float) for label, row in shares.items()}
    missing = [label for label in labels if label not in by_label]
    if missing:
        raise UsageError(f"label_shares lacks the labels {join_names(missing)}. It has {join_names(by_label)}.")
    for label in labels:
        row = by_label[label]
        if len(row) != n_folds or (row < 0).any() or abs(row.sum() - 1) > TOLERANCE:
            values = ", ".join(f"{share:g}" for share in row)
            raise UsageError(
                f"label_shares of label '{label}' are {values} (sum {row.sum():g}); "
                f"they must be {n_folds} numbers from 0 on that sum to 1."
            )
    return np.array([by_label[label] for label in labels])


def _read_shares_by_fold(
    labels: Sequence[str], n_folds: int, shares: Sequence[Mapping[Any, float]]
) -> NDArray[np.float64]:
    if len(shares) != n_folds:
        raise UsageError(f"label_shares describes {len(shares)} folds, but there are {n_folds} folds.")
    table = np.zeros((len(labels), n_folds))
    for j, fold in enumerate(shares):
        by_label = {str(label): float(share) for label, share in fold.items()}
        unknown = sorted(by_label.keys() - set(labels))
        if unknown:
            raise UsageError(f"label_shares of fold {j + 1} name {join_names(unknown)}. Labels: {join_names(labels)}.")
        if any(share < 0 for share in by_label.values()) or abs(sum(by_label.values()) - 1) > TOLERANCE:
            raise UsageError(f"label_shares of fold {j + 1} sum to {sum(by_label.values()):g}; they must sum to 1.")
        table[:, j] = [by_label.get(label, 0.0) for label in labels]
    return table


def _scale_to_counts(
    labels: Sequence[str], counts: NDArray[np.int64], requested: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Scale away what rounding will absorb, less than a row per label; a larger difference cannot be met."""
    totals = requested.sum(axis=1)
    off = [
        f"'{label}' has {count} rows, {total:g} are requested "
        f"({abs(total - count):g} too {'many' if total > count else 'few'})"
        for label, count, total in zip(labels, counts.tolist(), totals.tolist(), strict=True)
        if abs(total - count) >= 1 or (total == 0) != (count == 0)
    ]
    if off:
        raise AssayError(f"label_shares does not fit the labels: {join_names(off)}.")
    return requested * np.divide(counts, totals, out=np.zeros(len(counts)), where=totals > 0)[:, None]
