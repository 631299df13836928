"""What classifiers take: texts, or pairs of texts as two-tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.base.errors import AssayError
from assay.models.counted_texts import CountedTexts

Sides = tuple[list[str], ...]


def sides_of(X: Sequence[Any]) -> Sides:
    """Return one list of texts, or two for pairs; a pair is a tuple, a list or an array row of two texts.

    >>> sides_of([("a cat", "a dog"), ("one", "two")])
    (['a cat', 'one'], ['a dog', 'two'])
    """
    if isinstance(X, CountedTexts) and len(X):
        return X.sides
    rows = list(X)
    if not rows:
        raise AssayError("No texts: X is empty.")
    if isinstance(rows[0], str):
        return (_all_text(rows),)
    wrong = next((number for number, row in enumerate(rows) if isinstance(row, str) or not _is_pair(row)), None)
    if wrong is not None:
        raise AssayError(f"X[{wrong}] is {_shape(rows[wrong])}; X holds texts, or pairs of two texts each.")
    return _all_text([row[0] for row in rows]), _all_text([row[1] for row in rows])


def rows_of(sides: Sides, rows: np.ndarray) -> Sides:
    """Return the given rows of each side."""
    return tuple([side[row] for row in rows.tolist()] for side in sides)


def joined(sides: Sides) -> list[Any]:
    """Return sides in the shape classifiers take: texts, or two-tuples."""
    return list(sides[0]) if len(sides) == 1 else list(zip(*sides, strict=True))


def dev_rows(codes: np.ndarray, share: float, random_state: int) -> np.ndarray:
    """Draw a development set, the same share of every class; a class of one item stays in training.

    Returned as a mask. Each class keeps at least one item for training.

    >>> dev_rows(np.array([0] * 8 + [1] * 8 + [2]), 0.125, random_state=0).sum()
    np.int64(2)
    """
    draw = np.random.default_rng(random_state)
    chosen = np.zeros(len(codes), dtype=bool)
    for code in np.unique(codes):
        members = np.flatnonzero(codes == code)
        wanted = min(round(share * len(members) + 1e-9), len(members) - 1)
        chosen[draw.permutation(members)[:wanted]] = True
    if not chosen.any() and share > 0 and len(codes) > len(np.unique(codes)):
        counts = np.bincount(codes)
        chosen[draw.permutation(np.flatnonzero(codes == counts.argmax()))[0]] = True
    return chosen


def _is_pair(row: Any) -> bool:
    return hasattr(row, "__len__") and not isinstance(row, (dict, bytes)) and len(row) == 2


def _shape(value: Any) -> str:
    if value is None or isinstance(value, float):
        return "missing"
    return f"a {type(value).__name__}" + (f" of {len(value)}" if hasattr(value, "__len__") else "")


def _all_text(values: list[Any]) -> list[str]:
    wrong = next((number for number, value in enumerate(values) if not isinstance(value, str)), None)
    if wrong is not None:
        raise AssayError(f"Text {wrong} is {_shape(values[wrong])}; classifiers take strings, '' for an empty text.")
    return [str(value) for value in values]
