"""The adversarial split: the nearest neighbours of one row are the test set."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from assay.base.arrays import Array, Matrix
from assay.base.errors import AssayError, unknown_name
from assay.splits.base import HoldoutSplitter
from assay.splits.groups import choose_groups, number_labels
from assay.splits.items import SplitItems
from assay.splits.registry import SPLITS

METRICS = ("wasserstein", "cosine", "euclidean")


@SPLITS.add("wasserstein")
@dataclass(frozen=True, kw_only=True)
class WassersteinSplit(HoldoutSplitter):
    """Test on the nearest neighbours of a row drawn at random, another one in each repeat (Søgaard et al. 2021).

    As published, a row is a sample of numbers, so that the distance ignores *which* word occurs how often; "cosine"
    and "euclidean" distances do not. Texts become word counts, or TF-IDF vectors for the other metrics.
    `label_control` keeps the label shares of the whole. Equal distances are ordered at random; groups stay whole and
    come in the order of their nearest rows.

    >>> X = np.array([[0, 1], [5, 0], [1, 0], [0, 6]])
    >>> train, test = next(WassersteinSplit(test_size=0.5).split(X))
    >>> sorted([train.tolist(), test.tolist()])
    [[0, 2], [1, 3]]
    """

    n_repeats: int = 5
    metric: str = "wasserstein"
    label_control: bool = False
    encoder: Any = None

    def represent(self, items: SplitItems) -> Matrix:
        """Return one vector per row, its values sorted if only they matter."""
        default = "counts" if self.metric == "wasserstein" else "tfidf"
        vectors = items.encode(default if self.encoder is None else self.encoder, self.random_state)
        return sort_values(vectors, overwrite=True) if self.metric == "wasserstein" else vectors

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.metric not in METRICS:
            raise unknown_name("metric", self.metric, METRICS)

    def _choose(self, X: Matrix, size: int, y: Array | None, groups: Array | None, random_state: int) -> Array:
        rng = np.random.default_rng(random_state)
        n = X.shape[0]
        centre = int(rng.integers(n))
        distances = measure_distances(X, centre, self.metric)
        distances[centre] = -1.0
        labels, quotas = self._compute_quotas(y, n, size)
        shuffled = rng.permutation(n)
        if groups is None and len(quotas) == 1 and not np.isnan(distances).any():
            return choose_nearest(distances, size, shuffled)
        order = shuffled[np.argsort(distances[shuffled], kind="stable")]
        if groups is None:
            return choose_first(order, labels, quotas)
        _, first = np.unique(groups[order], return_index=True)
        return choose_groups(groups, labels, quotas, groups[order][np.sort(first)])

    def _compute_quotas(self, y: Array | None, n: int, size: int) -> tuple[Array, Array]:
        if not self.label_control:
            return np.zeros(n, np.int64), np.array([size])
        if y is None:
            raise AssayError(f"label_control needs a label for every row ({n} rows, no labels).")
        labels = number_labels(y)[1]
        return labels, divide_proportionally(np.bincount(labels), size)


def sort_values(X: Matrix, *, overwrite: bool = False) -> Matrix:
    """Sort the values of every row, as floats; of a sparse matrix the stored ones. `overwrite` allows to sort in place.

    >>> sort_values(np.array([[2, 0, 1]])).tolist()
    [[0.0, 1.0, 2.0]]
    """
    floats = X.astype(np.float32 if X.dtype == np.float32 else np.float64, copy=False)
    if not sparse.issparse(X):
        if floats is X and not overwrite:
            return np.sort(floats, axis=1)
        floats.sort(axis=1)
        return floats
    from assay.splits.methods.wasserstein_kernels import sort_sparse_rows

    rows = sparse.csr_matrix(floats, copy=floats is X and not overwrite)
    rows.sum_duplicates()
    sort_sparse_rows(rows.data, rows.indptr)
    return rows


def measure_distances(X: Matrix, centre: int, metric: str) -> Array:
    """Return the distance of every row to one of them; for "wasserstein" the values of X are sorted in every row."""
    if metric == "wasserstein":
        return measure_wasserstein(X, centre)
    if sparse.issparse(X):
        rows = sparse.csr_matrix(X)
        squares = np.asarray(rows.multiply(rows).sum(axis=1, dtype=np.float64)).ravel()
        products = np.asarray((rows @ rows[[centre]].T).todense(), dtype=np.float64).ravel()
    else:
        X = X.astype(np.float64, copy=False) if X.dtype.kind != "f" else X
        squares, products = np.einsum("ij,ij->i", X, X, dtype=np.float64), (X @ X[centre]).astype(np.float64)
    if metric == "euclidean":
        return np.sqrt(np.maximum(squares - 2.0 * products + squares[centre], 0.0))
    norms = np.sqrt(squares * squares[centre])
    # A row of zeros has no direction: it counts as orthogonal to all.
    return 1.0 - np.divide(products, norms, out=np.zeros(len(norms)), where=norms > 0)


def measure_wasserstein(X: Matrix, centre: int) -> Array:
    """Return the 1-D Wasserstein distance of every row to one of them, where rows are sorted samples.

    >>> measure_wasserstein(np.array([[0.0, 1, 2], [0, 0, 6]]), 0).tolist()
    [0.0, 1.6666666666666667]
    """
    from assay.splits.methods.wasserstein_kernels import measure_dense, measure_sparse

    if not sparse.issparse(X):
        rows = np.ascontiguousarray(X)
        return np.asarray(measure_dense(rows, rows[centre].astype(np.float64)))
    matrix = sparse.csr_matrix(X)
    row = matrix.data[matrix.indptr[centre] : matrix.indptr[centre + 1]].astype(np.float64)
    return np.asarray(measure_sparse(matrix.data, matrix.indptr, max(1, matrix.shape[1]), row))


def divide_proportionally(counts: Array, size: int) -> Array:
    """Divide `size` rows among labels in proportion to their counts; the largest remainders get one more.

    >>> divide_proportionally(np.array([6, 3, 1]), 5).tolist()
    [3, 2, 0]
    """
    exact = counts * size
    quotas = exact // counts.sum()
    n_left = int(size - quotas.sum())
    quotas[np.argsort(-(exact % counts.sum()), kind="stable")[:n_left]] += 1
    return np.asarray(quotas)


def choose_nearest(distances: Array, size: int, shuffled: Array) -> Array:
    """Mark the `size` smallest distances without sorting them; equal ones come in a given order.

    >>> choose_nearest(np.array([0.5, 0.1, 0.5, 0.2]), 3, np.array([2, 0, 1, 3])).tolist()
    [False, True, True, True]
    """
    limit = np.partition(distances, size - 1)[size - 1]
    chosen = np.asarray(distances < limit)
    equal = shuffled[distances[shuffled] == limit]
    chosen[equal[: size - int(chosen.sum())]] = True
    return chosen


def choose_first(order: Array, labels: Array, quotas: Array) -> Array:
    """Mark the first rows of each label in this order, as many as its quota."""
    chosen = np.zeros(len(order), dtype=bool)
    for label, quota in enumerate(quotas):
        chosen[order[labels[order] == label][:quota]] = True
    return chosen
