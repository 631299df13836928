"""The Wasserstein ball against a BallTree with scipy's distance as its metric.

Run `python -m benchmarks.wasserstein`. The tree is timed at 5,000 rows, where both must give the same test set, and
scaled to 100,000 in proportion to the rows (building it takes more than that, so this favours the tree). Times are
the best of three processor times, which other work on the machine disturbs least; neither side uses threads.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from scipy import sparse
from scipy.stats import wasserstein_distance
from sklearn.neighbors import BallTree

from assay.splits import WassersteinSplit
from assay.splits.methods.wasserstein import measure_distances, sort_values
from benchmarks._bars import print_bar

SMALL, LARGE, WIDTH = 5_000, 100_000, 100
N_TIMES = 3
MIN_RATIO = 150  # to the tree


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.gamma(1.0, size=(LARGE, WIDTH))
    ball(X[:100], 0, 10)  # compile
    n_test = SMALL // 10
    (near, fast), (expected, slow) = (
        timed(lambda: ball(X[:SMALL], 7, n_test)),
        timed(lambda: tree(X[:SMALL], 7, n_test)),
    )
    assert set(near) == set(expected), "not the same test set"
    print(f"{SMALL:,} × {WIDTH}: ball {fast:.4f} s, BallTree {slow:.2f} s: {slow / fast:.0f} x, same test set")
    _, fast = timed(lambda: ball(X, 7, LARGE // 10))
    scaled = slow * LARGE / SMALL
    line = f"{LARGE:,} × {WIDTH}: ball {fast:.4f} s, BallTree {scaled:.1f} s: {scaled / fast:.0f} x"
    print_bar(line, is_held=scaled >= MIN_RATIO * fast)
    _, whole = timed(lambda: next(WassersteinSplit(n_repeats=1).split(X)))
    line = f"{LARGE:,} × {WIDTH}: the whole split {whole:.3f} s: {scaled / whole:.0f} x"
    print_bar(line, is_held=scaled >= MIN_RATIO * whole)
    counts = word_counts(1_000_000, rng)
    _, fast = timed(lambda: ball(counts, 7, 100_000))
    _, whole = timed(lambda: next(WassersteinSplit(n_repeats=1).split(counts)))
    print(f"1,000,000 sparse rows: ball {fast:.2f} s, the whole split {whole:.2f} s")


def timed(call: Callable[[], object]) -> tuple[np.ndarray, float]:
    times = []
    for _ in range(N_TIMES):
        started = time.process_time()
        found = call()
        times.append(time.process_time() - started)
    return found, min(times)


def ball(X: np.ndarray, centre: int, size: int) -> np.ndarray:
    """Return the rows nearest to a centre: sort the values once, then one pass."""
    return np.argsort(measure_distances(sort_values(X), centre, "wasserstein"), kind="stable")[:size]


def tree(X: np.ndarray, centre: int, size: int) -> np.ndarray:
    """Return the same from a tree with a Python metric, as published."""
    return BallTree(X, metric=wasserstein_distance).query(X[[centre]], k=size, return_distance=False)[0]


def word_counts(n: int, rng: np.random.Generator, width: int = 20_000) -> sparse.csr_matrix:
    """Draw texts of about 11 different words, most of which occur once."""
    lengths = rng.poisson(10, n) + 1
    starts = np.concatenate([[0], np.cumsum(lengths)])
    values = rng.poisson(0.2, starts[-1]) + 1
    return sparse.csr_matrix((values, rng.integers(width, size=starts[-1]), starts), shape=(n, width))


if __name__ == "__main__":
    main()
