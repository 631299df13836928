"""Numbers for people: the only place where results are rounded."""

from __future__ import annotations

import math
from typing import Protocol, runtime_checkable

MINUS = "\N{MINUS SIGN}"
NO_VALUE = "n/a"
SMALL = 1e-4  # below which a number is written with a power of ten
SMALL_P = 0.0001
MIN_WIDTH = 1e-9  # of an interval; narrower ones are rounding errors
MAX_DIGITS = 6  # of a percentage just below 100
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
UNITS = {"percent": "%", "points": " points"}  # forms of shares, which are multiplied by 100


@runtime_checkable
class Estimate(Protocol):
    """Anything with a value and an interval."""

    @property
    def value(self) -> float:
        """Return the estimate."""
        ...

    @property
    def low(self) -> float:
        """Return the lower end of the interval."""
        ...

    @property
    def high(self) -> float:
        """Return the upper end of the interval."""
        ...


def format_interval(estimate: Estimate, form: str = "number") -> str:
    """Write an estimate with its interval, or alone if there is none; the width of the interval decides the digits.

    `form` is "number", "percent" for shares, "points" for differences of shares, or "rounded:2" for a fixed number of
    decimals.

    >>> from types import SimpleNamespace
    >>> share = SimpleNamespace(value=0.5, low=0.41, high=0.592)
    >>> format_interval(share), format_interval(share, "percent"), format_interval(share, "points")
    ('0.50 [0.41, 0.59]', '50% [41, 59]', '50 points [41, 59]')
    >>> format_interval(share, "rounded:3"), format_interval(SimpleNamespace(value=0.026, low=0.007, high=0.089), "percent")
    ('0.500 [0.410, 0.592]', '2.6% [0.7, 8.9]')
    >>> format_interval(SimpleNamespace(value=0.01, low=-0.06, high=0.09), "points")
    '1 point [−6, 9]'
    """
    value, low, high = estimate.value, estimate.low, estimate.high
    if not math.isfinite(value) or not math.isfinite(low) or not math.isfinite(high):
        return format_number(value, form)
    digits, scale = choose_digits(high - low), 1.0
    if form in UNITS:
        digits, scale = max(0, digits - 2), 100.0
    if form == "percent":
        digits = max(digits, _count_percent_digits(100 * value))
    if form.startswith("rounded:"):
        digits = int(form.removeprefix("rounded:"))
    text, first, last = (write_rounded(scale * end, digits) for end in (value, low, high))
    unit = " point" if form == "points" and text in ("1", f"{MINUS}1") else UNITS.get(form, "")
    return f"{text}{unit} [{first}, {last}]"


def format_number(value: object, form: str = "number") -> str:
    """Write a value for people, in a form of `format_interval` or as a p-value ("p").

    >>> format_number(0.8137251), format_number(1234567), format_number(0.25, "percent"), format_number(0.052, "points")
    ('0.8137', '1,234,567', '25%', '5.2 points')
    >>> format_number(float("nan")), format_number("word"), format_number(-0.5), format_number(0.0000196)
    ('n/a', 'word', '−0.5', '2.0×10⁻⁵')
    >>> format_number(3e-8, "p"), format_number(1234.5678, "rounded:1")
    ('< 0.0001', '1,234.6')
    """
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return NO_VALUE
    if isinstance(value, bool) or not isinstance(value, int | float):
        return str(value)
    if form == "percent":
        return format_percent(value)
    if form == "points":
        return f"{write_rounded(100 * value, 1)} points"
    if form == "p":
        return format_p_value(value).removeprefix("p ").removeprefix("= ")
    if form.startswith("rounded:"):
        return write_rounded(value, int(form.removeprefix("rounded:")))
    if isinstance(value, int):
        return f"{value:,}".replace("-", MINUS)
    if 0 < abs(value) < SMALL:
        mantissa, _, exponent = f"{value:.1e}".partition("e")
        return f"{mantissa.replace('-', MINUS)}×10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    return (f"{value:,.1f}" if abs(value) >= 1000 else f"{value:.4g}").replace("-", MINUS)


def format_percent(share: float) -> str:
    """Write a share as a percentage; a small share never becomes zero, and only all of them are 100%.

    >>> [format_percent(share) for share in (0.0512, 0.0004, 0.00003, 0.5, 0.0)]
    ['5.1%', '0.04%', '0.003%', '50%', '0%']
    >>> [format_percent(share) for share in (0.994, 0.998, 0.99996, 1.0)]
    ['99%', '99.8%', '99.996%', '100%']
    """
    if not math.isfinite(share):
        return "an unknown share"
    value = 100 * share
    if abs(value) < 0.01:
        return f"{value:.1g}%".replace("-", MINUS) if value else "0%"
    return f"{value:.{_count_percent_digits(value)}f}%".replace("-", MINUS)


def _count_percent_digits(value: float) -> int:
    digits = 0 if not value or abs(value) >= 10 else 1 if abs(value) >= 1 else 2
    while abs(value) < 100 and digits < MAX_DIGITS and float(f"{abs(value):.{digits}f}") >= 100:
        digits += 1
    return digits


def format_p_value(p: float) -> str:
    """Write a p-value; below 0.0001 the exact one says nothing more.

    >>> format_p_value(0.00123), format_p_value(3e-8)
    ('p = 0.0012', 'p < 0.0001')
    """
    return "p < 0.0001" if p < SMALL_P else f"p = {p:.2g}"


def write_rounded(value: float, digits: int = 0) -> str:
    """Write a number with a true minus sign, and never a negative zero.

    >>> write_rounded(-1.25, 1), write_rounded(-0.2)
    ('−1.2', '0')
    """
    return f"{round(value, digits) + 0.0:,.{digits}f}".replace("-", MINUS)


def choose_digits(width: float) -> int:
    """Return how many decimals are meaningful for an interval of this width.

    >>> choose_digits(0.08), choose_digits(12.0), choose_digits(0.0), choose_digits(1e-15)
    (2, 0, 3, 3)
    """
    if not math.isfinite(width) or width <= MIN_WIDTH:
        return 3
    return min(6, max(0, -math.floor(math.log10(width / 4))))
