"""Whether labels are grades: the one place of this package that decides it."""

from __future__ import annotations

import math
from collections.abc import Sequence

MAX_CLASSES = 10  # more labels than these, all numbers, are grades
MAX_NEW_CLASSES = 20  # more labels than these that gold does not have, all numbers, are grades


def are_grades(labels: Sequence[str]) -> bool:
    """Tell whether the labels of gold are grades and not classes: numbers, with a fraction or more than ten.

    >>> are_grades(["0", "1", "2"]), are_grades(["0.5", "1"]), are_grades(["a", "b"])
    (False, True, False)
    """
    numbers = [parse_number(label) for label in labels]
    if not numbers or not all(math.isfinite(number) for number in numbers):
        return False
    return len(numbers) > MAX_CLASSES or any(number != round(number) for number in numbers)


def are_predicted_grades(labels: Sequence[str]) -> bool:
    """Tell whether predicted labels that gold does not have are grades, so that they are no mistake.

    >>> are_predicted_grades(["3"]), are_predicted_grades([str(number / 8) for number in range(30)])
    (False, True)
    """
    return len(labels) > MAX_NEW_CLASSES and all(_is_number(label) for label in labels)


def parse_number(label: str | None) -> float:
    """Read a label as a number; nan where it is none.

    >>> parse_number("2.50"), parse_number("b")
    (2.5, nan)
    """
    try:
        return float(label) if label is not None else math.nan
    except ValueError:
        return math.nan


def _is_number(label: str) -> bool:
    try:
        float(label)
    except ValueError:
        return False
    return True
