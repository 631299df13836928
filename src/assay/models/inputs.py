"""What classifiers take: texts, or pairs of texts as two-tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from assay.base.errors import AssayError

Sides = tuple[list[str], ...]


def sides_of(X: Sequence[Any]) -> Sides:
    """Return one list of texts, or two for pairs; a pair is a tuple, a list or an array row of two texts.

    >>> sides_of([("a cat", "a dog"), ("one", "two")])
    (['a cat', 'one'], ['a dog', 'two'])
    """
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
