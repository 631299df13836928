"""The exact hit rate of every pair of systems with 0/1 outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.lambdas.exact_wins import compute_wins_and_ties
from assay.tasks.threads import use_one_thread


@use_one_thread()
def compute_pair_hits(table: Array, resampling: str, share: float) -> Array:
    """Return for every pair the probability that the winner wins on a resample."""
    return compute_hits(*count_discordant(table), resampling, share)


def count_discordant(table: Array) -> tuple[Array, Array, Array]:
    """Return for every pair the items both answered, those only the first got right, and only the second.

    >>> [counts.tolist() for counts in count_discordant(np.array([[1.0, 1, 0, 0], [1, 0, 1, 0]]))]
    [[4], [1], [1]]
    """
    right, wrong = (table == 1).astype(_exact_type(table)), (table == 0).astype(_exact_type(table))
    answered = right + wrong
    first, second = np.triu_indices(len(table), 1)
    both, up = answered @ answered.T, right @ wrong.T
    return _to_counts(both[first, second]), _to_counts(up[first, second]), _to_counts(up[second, first])


def compute_hits(n: Array, b: Array, c: Array, resampling: str, share: float) -> Array:
    """Return the winner's probability on a resample for every pair; nan without a common item.

    `n` is the number of items of a pair, `b` and `c` count those that only one of the two systems got right.
    """
    replace = resampling == "bootstrap"
    drawn = n if replace else np.maximum(1, np.rint(share * n)).astype(np.int64)
    wins, _ = compute_wins_and_ties(n, np.maximum(b, c), np.minimum(b, c), np.minimum(drawn, n), replace)
    return np.where(n > 0, wins, np.nan)


def _exact_type(table: Array) -> Any:
    return np.float32 if table.shape[1] < 2**23 else np.float64  # sums of counts stay exact


def _to_counts(values: Array) -> Array:
    return np.rint(values).astype(np.int64)
