"""The one rule that decides whether labels are grades (numbers on a scale) or classes."""

from __future__ import annotations

from collections.abc import Iterable

MAX_CLASSES = 100
MIN_GRADES = 11


def is_number(name: str) -> bool:
    """Return whether a label reads as a number.

    >>> is_number("3.8"), is_number("neutral")
    (True, False)
    """
    try:
        float(name)
    except ValueError:
        return False
    return True


def are_grades(names: Iterable[str]) -> bool:
    """Return whether distinct labels are grades: more than ten numbers, some with a fraction, or more than a hundred.

    >>> are_grades([str(n) for n in range(14)]), are_grades([str(n / 4) for n in range(20)])
    (False, True)
    """
    labels = list(names)
    if len(labels) < MIN_GRADES or not all(is_number(label) for label in labels):
        return False
    return len(labels) > MAX_CLASSES or any(float(label) % 1 for label in labels)
