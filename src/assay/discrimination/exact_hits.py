"""The exact hit rate of 0/1 outcomes, and its interval over items."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from assay.discrimination.exact_wins import win_and_tie
from assay.discrimination.threads import one_thread
from assay.statistics import bca, bootstrap_weights

Array = np.ndarray[Any, Any]
_BLOCK = 200


@one_thread
def exact_hits(
    table: Array, resampling: str, share: float, interval: bool, n_resamples: int, random_state: int
) -> tuple[float, float, float, Array]:
    """Return λ_hit, the ends of its interval over items (nan unless asked for), and every pair's chance."""
    counts = discordant(table)
    pairs = chances(*counts, resampling, share)
    value = float(np.nanmean(pairs)) if np.isfinite(pairs).any() else math.nan
    if not interval or not math.isfinite(value):
        return value, math.nan, math.nan, pairs
    drawn = _resampled(table, resampling, share, n_resamples, random_state)
    found = bca(value, drawn, _jackknifed(table, counts, resampling, share))
    return value, found.low, found.high, pairs


def discordant(table: Array, weights: Array | None = None) -> tuple[Array, Array, Array]:
    """Return for every pair the items both answered, those only the first got right, and only the second.

    >>> [counts.tolist() for counts in discordant(np.array([[1.0, 1, 0, 0], [1, 0, 1, 0]]))]
    [[4], [1], [1]]
    """
    right, wrong = (table == 1).astype(_exact(table)), (table == 0).astype(_exact(table))
    given = right + wrong
    first, second = np.triu_indices(len(table), 1)
    times = np.ones(1) if weights is None else weights.astype(right.dtype)
    both, up = (given * times) @ given.T, (right * times) @ wrong.T
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


def _resampled(table: Array, resampling: str, share: float, n_resamples: int, random_state: int) -> Array:
    weights = bootstrap_weights(table.shape[1], n_resamples, random_state) if table.size < 10_000_000 else None
    if weights is None:  # too large to hold all weights: counts of answer patterns are enough
        return _resampled_patterns(table, resampling, share, n_resamples, random_state)
    rows = [np.stack(discordant(table, row)) for row in weights]
    return _means(np.stack(rows), resampling, share)


def _resampled_patterns(table: Array, resampling: str, share: float, n_resamples: int, random_state: int) -> Array:
    """Draw how often every pattern of right and wrong answers occurs; items of one pattern are alike."""
    patterns, counts = np.unique(table, axis=1, return_counts=True, equal_nan=True)
    generator = np.random.default_rng(random_state)
    rows = []
    for _ in range(n_resamples):
        drawn = generator.multinomial(counts.sum(), counts / counts.sum())
        rows.append(np.stack(discordant(patterns, drawn)))
    return _means(np.stack(rows), resampling, share)


def _means(counts: Array, resampling: str, share: float) -> Array:
    values = []
    for start in range(0, len(counts), _BLOCK):
        block = counts[start : start + _BLOCK]
        values.append(np.nanmean(chances(block[:, 0], block[:, 1], block[:, 2], resampling, share), axis=1))
    return np.concatenate(values)


def _jackknifed(table: Array, counts: tuple[Array, Array, Array], resampling: str, share: float) -> Array:
    """Return λ_hit without each item: an item only takes one off n, b or c of each pair."""
    n, b, c = counts
    first, second = np.triu_indices(len(table), 1)
    without = [
        chances(np.maximum(n - 1, b + c - x - y), np.maximum(b - x, 0), np.maximum(c - y, 0), resampling, share)
        for x, y in ((0, 0), (1, 0), (0, 1))
    ]
    patterns, where = np.unique(table, axis=1, return_inverse=True, equal_nan=True)
    one, other = patterns[first], patterns[second]
    up, down = (one == 1) & (other == 0), (one == 0) & (other == 1)
    values = np.where(up, without[1][:, None], np.where(down, without[2][:, None], without[0][:, None]))
    return np.asarray(np.nanmean(values, axis=0)[where.ravel()])
