"""Labels read as numbers."""

from __future__ import annotations

import math


def parse_number(label: str | None) -> float:
    """Read a label as a number; nan if it is none.

    >>> parse_number("2.50"), parse_number("b")
    (2.5, nan)
    """
    try:
        return float(label) if label is not None else math.nan
    except ValueError:
        return math.nan
