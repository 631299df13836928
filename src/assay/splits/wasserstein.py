"""The adversarial split: a ball around one row is the test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from assay.base.errors import AssayError, unknown_name
from assay.splits.base import HoldoutSplitter, vectors
from assay.splits.grouping import filled

METRICS = ("wasserstein", "cosine", "euclidean")


@dataclass(frozen=True, kw_only=True)
class WassersteinSplit(HoldoutSplitter):
    """Test on the nearest neighbours of a row drawn at random, a new one each repeat.

    As published (paper 004) a row is a sample of numbers, so that the distance does not see *which* word occurs how
    often; "cosine" and "euclidean" balls do. Texts become word counts, or TF-IDF vectors for the other metrics.
    `label_control` keeps the label shares of the whole. Equal distances go by a seeded shuffle; groups go whole, each
    by its nearest row.

    >>> X = np.array([[0, 1], [5, 0], [1, 0], [0, 6]])
    >>> train, test = next(WassersteinSplit(test_size=0.5).split(X))
    >>> sorted([train.tolist(), test.tolist()])
    [[0, 2], [1, 3]]
    """

    name: ClassVar[str] = "wasserstein"

    n_repeats: int = 5
    metric: str = "wasserstein"
    label_control: bool = False
    encoder: Any = None

    def represent(self, X: Any) -> Any:
        """Return one vector a row, its values sorted where only they matter."""
        default = "counts" if self.metric == "wasserstein" else "tfidf"
        found = vectors(X, default if self.encoder is None else self.encoder, self.random_state)
        return sorted_rows(found) if self.metric == "wasserstein" else found

    def _check(self) -> None:
        super()._check()
        if self.metric not in METRICS:
            raise unknown_name("metric", self.metric, METRICS)

    def _choose(self, X: Any, size: int, y: Any, groups: Any, random_state: int) -> np.ndarray:
        rng = np.random.default_rng(random_state)
        n = X.shape[0]
        centre = int(rng.integers(n))
        far = distances(X, centre, self.metric)
        far[centre] = -1.0
        labels, quotas = self._quotas(y, n, size)
        shuffled = rng.permutation(n)
        order = shuffled[np.argsort(far[shuffled], kind="stable")]
        if groups is None:
            return nearest(order, labels, quotas)
        _, first = np.unique(groups[order], return_index=True)
        return filled(groups, labels, quotas, groups[order][np.sort(first)])

    def _quotas(self, y: Any, n: int, size: int) -> tuple[np.ndarray, np.ndarray]:
        if not self.label_control:
            return np.zeros(n, np.int64), np.array([size])
        if y is None:
            raise AssayError(f"label_control needs a label for every row ({n} rows, no labels).")
        labels = np.unique([str(label) for label in y], return_inverse=True)[1]
        return labels, proportional(np.bincount(labels), size)


def sorted_rows(X: Any) -> Any:
    """Sort the values of every row, as floats; of a sparse matrix those that are stored.

    >>> sorted_rows(np.array([[2, 0, 1]])).tolist()
    [[0.0, 1.0, 2.0]]
    """
    X = X.astype(np.float32 if X.dtype == np.float32 else np.float64, copy=False)
    if not sparse.issparse(X):
        return np.sort(X, axis=1)
    from assay.splits._wasserstein_kernels import sort_rows

    found = X.tocsr(copy=True)
    found.sum_duplicates()
    sort_rows(found.data, found.indptr)
    return found


def distances(X: Any, centre: int, metric: str) -> np.ndarray:
    """Return the distance of every row to one of them; for "wasserstein" the values of X are sorted in every row."""
    if metric == "wasserstein":
        return wasserstein_distances(X, centre)
    if sparse.issparse(X):
        squares = np.asarray(X.multiply(X).sum(axis=1, dtype=np.float64)).ravel()
        products = np.asarray((X @ X[[centre]].T).todense(), dtype=np.float64).ravel()
    else:
        X = X.astype(np.float64, copy=False) if X.dtype.kind != "f" else X
        squares, products = np.einsum("ij,ij->i", X, X, dtype=np.float64), (X @ X[centre]).astype(np.float64)
    if metric == "euclidean":
        return np.sqrt(np.maximum(squares - 2.0 * products + squares[centre], 0.0))
    norms = np.sqrt(squares * squares[centre])
    # A row of zeros has no direction: it is as far as one at a right angle.
    return 1.0 - np.divide(products, norms, out=np.zeros(len(norms)), where=norms > 0)


def wasserstein_distances(X: Any, centre: int) -> np.ndarray:
    """Return the 1-D Wasserstein distance of every row to one of them, the rows being sorted samples.

    >>> wasserstein_distances(np.array([[0.0, 1, 2], [0, 0, 6]]), 0).tolist()
    [0.0, 1.6666666666666667]
    """
    from assay.splits._wasserstein_kernels import dense_distances, sparse_distances

    if not sparse.issparse(X):
        rows = np.ascontiguousarray(X)
        return np.asarray(dense_distances(rows, rows[centre].astype(np.float64)))
    row = X.data[X.indptr[centre] : X.indptr[centre + 1]].astype(np.float64)
    return np.asarray(sparse_distances(X.data, X.indptr, max(1, X.shape[1]), row))


def proportional(counts: np.ndarray, size: int) -> np.ndarray:
    """Share `size` rows among labels in proportion to their counts; the largest remainders get what is left.

    >>> proportional(np.array([6, 3, 1]), 5).tolist()
    [3, 2, 0]
    """
    exact = counts * size
    quotas = exact // counts.sum()
    left = int(size - quotas.sum())
    quotas[np.argsort(-(exact % counts.sum()), kind="stable")[:left]] += 1
    return np.asarray(quotas)


def nearest(order: np.ndarray, labels: np.ndarray, quotas: np.ndarray) -> np.ndarray:
    """Mark the first rows of each label in this order, as many as its quota."""
    chosen = np.zeros(len(order), dtype=bool)
    for label, quota in enumerate(quotas):
        chosen[order[labels[order] == label][:quota]] = True
    return chosen
