"""What classifiers take: texts, or pairs of texts as two-tuples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assay.base.arrays import Array
from assay.base.errors import AssayError
from assay.models.counted_texts import CountedTexts

Sides = tuple[list[str], ...]


def to_sides(X: Sequence[Any]) -> Sides:
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


def take_rows(sides: Sides, rows: Array) -> Sides:
    """Return some rows of each side."""
    return tuple([side[row] for row in rows.tolist()] for side in sides)


def join_sides(sides: Sequence[Sequence[str]]) -> list[Any]:
    """Return sides as classifiers take them: texts, or two-tuples.

    >>> join_sides((["a cat"], ["a dog"]))
    [('a cat', 'a dog')]
    """
    return list(sides[0]) if len(sides) == 1 else list(zip(*sides, strict=True))


def _is_pair(row: Any) -> bool:
    return hasattr(row, "__len__") and not isinstance(row, (dict, bytes)) and len(row) == 2


def _describe(value: Any) -> str:
    if value is None or isinstance(value, float):
        return "missing"
    return f"a {type(value).__name__}" + (f" of {len(value)}" if hasattr(value, "__len__") else "")


def _check_texts(values: list[Any]) -> list[str]:
    wrong = next((number for number, value in enumerate(values) if not isinstance(value, str)), None)
    if wrong is not None:
        fact = f"{_describe(values[wrong])}; classifiers take strings, '' for an empty text."
        raise AssayError(fact, place=f"text {wrong}")
    return [str(value) for value in values]
