"""Inputs of classifiers: texts, pairs of texts as two-tuples, or a matrix of features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from scipy import sparse

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.models.counted_texts import CountedTexts

if TYPE_CHECKING:
    from assay.data import Dataset

Sides = tuple[list[str], ...]
# Texts, or pairs of texts: two-tuples, lists or rows of an array.
Texts: TypeAlias = "Sequence[str] | Sequence[Sequence[str]] | Array | CountedTexts"


def to_sides(X: Texts) -> Sides:
    """Return one list of texts, or two for pairs; a pair is a tuple, a list or an array row of two texts.

    >>> to_sides([("a cat", "a dog"), ("one", "two")])
    (['a cat', 'one'], ['a dog', 'two'])
    """
    if isinstance(X, CountedTexts) and len(X):
        return X.sides
    rows = list(X)
    if not rows:
        raise AssayError("No texts: X is empty.")
    if isinstance(rows[0], str):
        return (_check_texts(rows),)
    wrong = next((number for number, row in enumerate(rows) if isinstance(row, str) or not _is_pair(row)), None)
    if wrong is not None:
        raise AssayError(f"{_describe(rows[wrong])}; X holds texts, or pairs of two texts each.", place=f"X[{wrong}]")
    return _check_texts([row[0] for row in rows]), _check_texts([row[1] for row in rows])


def is_matrix(X: object) -> bool:
    """Return True if X is features, one row of numbers per item, and not texts or pairs of texts.

    >>> is_matrix([[0.5, 1.0]]), is_matrix([("a cat", "a dog")]), is_matrix(["a cat"])
    (True, False, False)
    """
    if sparse.issparse(X):
        return True
    rows = np.asarray(X) if hasattr(X, "__array__") else X
    if isinstance(rows, np.ndarray) and (rows.ndim != 2 or not len(rows)):
        return rows.ndim == 2
    first = rows[0] if isinstance(rows, (list, tuple, np.ndarray)) and len(rows) else ""
    return isinstance(first, (list, tuple, np.ndarray)) and not any(isinstance(value, str) for value in first)


def read_weights(sample_weight: object, n: int, name: str) -> Array:
    """Return the weights as an array; each is at least 0, and one is above.

    >>> read_weights([1, 0.5], 2, "LinearClassifier").tolist()
    [1.0, 0.5]
    """
    weights = np.asarray(sample_weight, dtype=np.float64)
    if weights.shape != (n,):
        raise AssayError(
            f"{n} items but sample_weight of shape {weights.shape}; one weight per item is needed", place=name
        )
    if not (np.isfinite(weights) & (weights >= 0)).all():
        raise AssayError("a weight in sample_weight is negative or not finite", place=name)
    if not weights.any():
        raise AssayError("all weights in sample_weight are zero", place=name)
    return weights


def take_rows(sides: Sides, rows: Array) -> Sides:
    """Return some rows of each side."""
    return tuple([side[row] for row in rows.tolist()] for side in sides)


def join_sides(sides: Sequence[Sequence[str]]) -> list[str] | list[tuple[str, ...]]:
    """Return sides as classifiers take them: texts, or two-tuples.

    >>> join_sides((["a cat"], ["a dog"]))
    [('a cat', 'a dog')]
    """
    return list(sides[0]) if len(sides) == 1 else list(zip(*sides, strict=True))


def list_items(data: Dataset) -> list[str] | list[tuple[str, ...]]:
    """Return the items of a dataset as classifiers take them."""
    return join_sides([side.to_list() for side in data.sides])


def _is_pair(row: object) -> bool:
    return hasattr(row, "__len__") and not isinstance(row, (dict, bytes)) and len(row) == 2


def _describe(value: object) -> str:
    if value is None or isinstance(value, float):
        return "missing"
    return f"a {type(value).__name__}" + (f" of {len(value)}" if hasattr(value, "__len__") else "")


def _check_texts(values: list[object]) -> list[str]:
    wrong = next((number for number, value in enumerate(values) if not isinstance(value, str)), None)
    if wrong is not None:
        fact = f"{_describe(values[wrong])}; classifiers take strings, '' for an empty text."
        raise AssayError(fact, place=f"text {wrong}")
    return [str(value) for value in values]
