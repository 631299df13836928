"""Numbers for people: the only place where results are rounded."""

from __future__ import annotations

import math
from typing import Any

MINUS = "\N{MINUS SIGN}"
SMALL = 1e-4  # below which a number is written with a power of ten
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


def format_number(value: object, error: float | None = None) -> str:
    """Write a value for people; the standard error of a number decides its digits.

    >>> format_number(0.8137251, error=0.0214), format_number(0.8137251), format_number(1234567)
    ('0.81 ± 0.02', '0.8137', '1,234,567')
    >>> format_number(float("nan")), format_number("word"), format_number(-0.5), format_number(0.0000196)
    ('n/a', 'word', '−0.5', '2.0×10⁻⁵')
    """
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return "n/a"
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if isinstance(value, int):
        return f"{value:,}".replace("-", MINUS)
    if error is not None and error > 0 and math.isfinite(error):
        digits = max(0, -math.floor(math.log10(error)))
        return f"{value:.{digits}f} ± {error:.{digits}f}".replace("-", MINUS)
    if 0 < abs(value) < SMALL:
        mantissa, _, exponent = f"{value:.1e}".partition("e")
        return f"{mantissa.replace('-', MINUS)}×10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return (f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}").replace("-", MINUS)


def format_interval(value: Any, low: Any = None, high: Any = None, *, percent: bool = False) -> str:
    """Write a number with its interval, whose width decides the digits.

    >>> format_interval(0.81372, 0.771, 0.852), format_interval(0.81372, 0.771, 0.852, percent=True)
    ('0.81 [0.77, 0.85]', '81% [77, 85]')
    >>> format_interval(0.25)
    '0.25'
    """
    if is_missing(value):
        return "n/a"
    if is_missing(low) or is_missing(high):
        return f"{100 * value:.3g}%" if percent else format_number(value)
    scale = 100.0 if percent else 1.0
    number, start, end = (scale * float(bound) for bound in (value, low, high))
    digits = choose_digits(end - start)
    text, first, last = (write_rounded(bound, digits) for bound in (number, start, end))
    return f"{text}{'%' if percent else ''} [{first}, {last}]"


def write_rounded(value: float, digits: int = 0) -> str:
    """Write a number with a true minus sign, and never a negative zero.

    >>> write_rounded(-1.25, 1), write_rounded(-0.2)
    ('−1.2', '0')
    """
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", MINUS)


def choose_digits(width: float) -> int:
    """Return how many decimals are meaningful for an interval of this width.

    >>> choose_digits(0.08), choose_digits(12.0), choose_digits(0.0)
    (2, 0, 3)
    """
    if not math.isfinite(width) or width <= 0:
        return 3
    return min(6, max(0, -math.floor(math.log10(width / 4))))


def is_missing(value: object) -> bool:
    """Return whether a value is no finite number: None, nan or infinite.

    >>> is_missing(None), is_missing(float("nan")), is_missing(0)
    (True, True, False)
    """
    return value is None or (isinstance(value, float) and not math.isfinite(value))
