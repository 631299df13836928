"""The nearest training texts of each text, of its own label and of another."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from assay.base.arrays import Matrix, Values
from assay.base.errors import AssayError
from assay.base.marks import OWN
from assay.data.row_order import invert_order
from assay.views.results import Result

_NOISE = 1e-6  # distances closer than this are equal in single precision
_BLOCK = 1024  # texts compared at once with as many training texts: 4 MB of cosines fit the cache


@dataclass(frozen=True)
class Neighbours(Result):
    """Cosine distances to the nearest training text of the same and of another label, and the rows of both.

    `difficulty` is same − other: above 0 the nearest training text has another label. If the texts have no labels
    it is the distance to the nearest text. `contrary_share` counts the items above 0; a tie is 0. Rows are −1 and
    distances nan if there is no such text; a training text is not its own neighbour.
    """

    contrary_share: float
    n_items: int
    n_reference: int
    n_undefined: int
    difficulty: NDArray[np.float64] = field(repr=False, compare=False, metadata={"json": False, **OWN})
    same: NDArray[np.float64] = field(repr=False, compare=False, metadata={"json": False, **OWN})
    other: NDArray[np.float64] = field(repr=False, compare=False, metadata={"json": False, **OWN})
    nearest_same: NDArray[np.int64] = field(repr=False, compare=False, metadata={"json": False, **OWN})
    nearest_other: NDArray[np.int64] = field(repr=False, compare=False, metadata={"json": False, **OWN})

    def reorder(self, order: NDArray[np.int64]) -> Neighbours:
        """Return the neighbours of the texts in another order."""
        places = np.append(invert_order(order), -1)  # the place of no text, −1, is −1
        distances = {name: getattr(self, name)[order] for name in ("difficulty", "same", "other")}
        rows = {name: places[getattr(self, name)[order]] for name in ("nearest_same", "nearest_other")}
        return replace(self, **distances, **rows)


def nearest_texts(
    vectors: Matrix, labels: Values | None = None, reference: Sequence[bool] | NDArray[np.bool_] | None = None
) -> Neighbours:
    """Find, for each row of vectors, the nearest reference rows of its own and of another label, by cosine.

    `reference` flags the rows to search, by default all. A row of zeros has no direction and hence no neighbours.
    Without labels all texts count as of the same label. The search goes in blocks: memory grows with n, not with n².

    >>> nearest_texts(np.array([[1, 0], [1, 0.1], [0, 1.0]]), ["a", "a", "b"]).difficulty.round(2).tolist()
    [-1.0, -0.9, nan]
    """
    units, usable = _normalise_rows(vectors)
    codes = _code_labels(labels, len(usable))
    pool = np.flatnonzero(usable & (codes >= 0) & _to_mask(reference, len(usable)))
    nearest_same, nearest_other = _find_nearest(units, codes, pool)
    nearest_same[~usable] = nearest_other[~usable] = -1
    same, other = _measure_distances(units, nearest_same), _measure_distances(units, nearest_other)
    difficulty = same if labels is None else _drop_noise(same - other)
    defined = ~np.isnan(difficulty)
    return Neighbours(
        contrary_share=float((difficulty[defined] > 0).mean()) if labels is not None and defined.any() else np.nan,
        n_items=len(usable),
        n_reference=len(pool),
        n_undefined=int((~defined).sum()),
        difficulty=difficulty,
        same=same,
        other=other,
        nearest_same=nearest_same,
        nearest_other=nearest_other,
    )


def _normalise_rows(vectors: Matrix) -> tuple[Matrix, NDArray[np.bool_]]:
    """Return the rows, dense or sparse, scaled to length 1, and which rows have a length."""
    is_sparse = sparse.issparse(vectors)
    rows: Any = sparse.csr_matrix(vectors).astype(np.float64) if is_sparse else np.asarray(vectors, dtype=np.float64)
    lengths = np.sqrt(_row_products(rows, rows))
    usable = lengths > 1e-12
    scale = (1.0 / np.where(usable, lengths, 1.0))[:, None]
    scaled: Any = rows.multiply(scale).tocsr() if is_sparse else rows * scale
    return scaled.astype(np.float32), usable


def _code_labels(labels: Values | None, n_items: int) -> NDArray[np.int64]:
    """Number the labels from 0, −1 if missing; without labels all are 0."""
    if labels is None:
        return np.zeros(n_items, dtype=np.int64)
    if len(labels) != n_items:
        raise AssayError(f"{n_items} texts need as many labels; there are {len(labels)}.")
    names = {name: number for number, name in enumerate(sorted({str(label) for label in labels if label is not None}))}
    return np.array([-1 if label is None else names[str(label)] for label in labels], dtype=np.int64)


def _to_mask(reference: Values | None, n_items: int) -> NDArray[np.bool_]:
    return np.ones(n_items, dtype=bool) if reference is None else np.asarray(reference, dtype=bool)


def _find_nearest(
    units: Matrix, codes: NDArray[np.int64], pool: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    from assay.difficulty.texts._kernels import keep_nearest

    n_items = units.shape[0]
    best = np.full((2, n_items), -np.inf, dtype=np.float32)
    nearest = np.full((2, n_items), -1, dtype=np.int64)
    for first in range(0, len(pool), _BLOCK):
        columns = pool[first : first + _BLOCK]
        reference = units[columns].T
        for start in range(0, n_items, _BLOCK):
            cosines = _to_dense(units[start : start + _BLOCK] @ reference)
            keep_nearest(cosines, start, columns, codes, best, nearest)
    nearest[:, codes < 0] = -1
    return nearest[0], nearest[1]


def _to_dense(block: Matrix) -> NDArray[np.float32]:
    return np.ascontiguousarray(block.toarray() if hasattr(block, "toarray") else block)


def _measure_distances(units: Matrix, nearest: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return 1 − cosine to the chosen rows, in double precision; nan if none was chosen."""
    distances = np.full(len(nearest), np.nan)
    known = np.flatnonzero(nearest >= 0)
    a, b = units[known].astype(np.float64), units[nearest[known]].astype(np.float64)
    products = [_row_products(x, y) for x, y in ((a, b), (a, a), (b, b))]
    distances[known] = np.clip(1.0 - products[0] / np.sqrt(products[1] * products[2]), 0.0, 2.0)
    return _drop_noise(distances)


def _drop_noise(values: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(np.abs(values) < _NOISE, 0.0, values)


def _row_products(a: Matrix, b: Matrix) -> NDArray[np.float64]:
    products = (
        sparse.csr_matrix(a).multiply(b) if sparse.issparse(a) else a * b
    )  # '*' has another meaning for sparse matrices
    return np.asarray(products.sum(axis=1), dtype=np.float64).ravel()
