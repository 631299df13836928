"""Numbers for people: only here are they rounded."""

from __future__ import annotations

import math
from typing import Any


def shown(value: object, error: float | None = None) -> str:
    """Write a value for people; a number's standard error decides its digits.

    >>> shown(0.8137251, error=0.0214), shown(0.8137251), shown(1234567), shown(float("nan")), shown("word")
    ('0.81 ± 0.02', '0.8137', '1,234,567', 'n/a', 'word')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "n/a"
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}"
    if error is not None and error > 0 and math.isfinite(error):
        digits = max(0, -math.floor(math.log10(error)))
        return f"{value:.{digits}f} ± {error:.{digits}f}"
    return f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}"


def spanned(value: Any, low: Any = None, high: Any = None, *, percent: bool = False) -> str:
    """Write a number with its interval, whose width decides the digits.

    >>> spanned(0.81372, 0.771, 0.852), spanned(0.81372, 0.771, 0.852, percent=True), spanned(0.25)
    ('0.81 [0.77, 0.85]', '81 % [77, 85]', '0.25')
    """
    if missing(value):
        return "n/a"
    if missing(low) or missing(high):
        return f"{100 * value:.3g} %" if percent else shown(value)
    scale = 100.0 if percent else 1.0
    number, start, end = (scale * float(one) for one in (value, low, high))
    digits = digits_of(end - start)
    told, first, last = (_rounded(one, digits) for one in (number, start, end))
    return f"{told}{' %' if percent else ''} [{first}, {last}]"


def _rounded(value: float, digits: int) -> str:
    """Write a number with a true minus sign, and never a negative zero."""
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", "\N{MINUS SIGN}")


def digits_of(width: float) -> int:
    """Return how many decimals say something when the interval is so wide.

    >>> digits_of(0.08), digits_of(12.0), digits_of(0.0)
    (2, 0, 3)
    """
    if not math.isfinite(width) or width <= 0:
        return 3
    return min(6, max(0, -math.floor(math.log10(width / 4))))


def missing(value: object) -> bool:
    """Tell whether there is no number: None, nan or infinite.

    >>> missing(None), missing(float("nan")), missing(0)
    (True, True, False)
    """
    return value is None or (isinstance(value, float) and not math.isfinite(value))
