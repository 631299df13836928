"""The exact hit rate of 0/1 outcomes."""

from __future__ import annotations

from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.discrimination.exact_wins import win_and_tie
from assay.discrimination.threads import one_thread


@one_thread
def exact_hits(table: Array, resampling: str, share: float) -> Array:
    """Return every pair's chance that the winner wins on a resample."""
    return chances(*discordant(table), resampling, share)


def discordant(table: Array) -> tuple[Array, Array, Array]:
    """Return for every pair the items both answered, those only the first got right, and only the second.

    >>> [counts.tolist() for counts in discordant(np.array([[1.0, 1, 0, 0], [1, 0, 1, 0]]))]
    [[4], [1], [1]]
    """
    right, wrong = (table == 1).astype(_exact(table)), (table == 0).astype(_exact(table))
    given = right + wrong
    first, second = np.triu_indices(len(table), 1)
    both, up = given @ given.T, right @ wrong.T
    return _counts(both[first, second]), _counts(up[first, second]), _counts(up[second, first])


def _exact(table: Array) -> Any:
    return np.float32 if table.shape[1] < 2**23 else np.float64  # sums of counts stay exact


def _counts(values: Array) -> Array:
    return np.rint(values).astype(np.int64)


def chances(n: Array, b: Array, c: Array, resampling: str, share: float) -> Array:
    """Return the winner's chance on a resample for every pair; nan without a common item."""
    replace = resampling == "bootstrap"
    drawn = n if replace else np.maximum(1, np.rint(share * n)).astype(np.int64)
    won, _ = win_and_tie(n, np.maximum(b, c), np.minimum(b, c), np.minimum(drawn, n), replace)
    return np.where(n > 0, won, np.nan)
