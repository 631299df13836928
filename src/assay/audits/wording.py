"""Numbers in sentences."""

from __future__ import annotations

import math

from assay.statistics import Interval


def percent(share: float) -> str:
    """Write a share as a percentage that never rounds something to nothing.

    >>> percent(0.0512), percent(0.0004), percent(0.00003), percent(0.5), percent(0.0)
    ('5.1 %', '0.04 %', '0.003 %', '50 %', '0 %')
    """
    if not math.isfinite(share):
        return "an unknown share"
    value = 100 * share
    if abs(value) < 0.01:
        return f"{value:.1g} %" if value else "0 %"
    digits = 0 if abs(value) >= 10 else 1 if abs(value) >= 1 else 2
    return f"{value:.{digits}f} %"


def shares(number: Interval) -> str:
    """Write a share with its interval.

    >>> shares(Interval(0.5, 0.41, 0.59))
    '50 % [41 %, 59 %]'
    """
    return f"{percent(number.value)} [{percent(number.low)}, {percent(number.high)}]"


def points(number: Interval) -> str:
    """Write a difference of shares in points, with its interval.

    >>> points(Interval(0.21, 0.17, 0.259))
    '21 points [17, 26]'
    """
    value, low, high = (100 * end for end in (number.value, number.low, number.high))
    digits = 0 if min(abs(low), abs(high)) >= 10 else 1
    return f"{value:.{digits}f} points [{low:.{digits}f}, {high:.{digits}f}]"


def numbers(number: Interval, digits: int = 2) -> str:
    """Write a number with its interval, or alone where there is none.

    >>> numbers(Interval(0.5, 0.414, 0.589))
    '0.50 [0.41, 0.59]'
    """
    if not math.isfinite(number.low):
        return f"{number.value:.{digits}f}"
    return f"{number.value:.{digits}f} [{number.low:.{digits}f}, {number.high:.{digits}f}]"


def probability(p: float) -> str:
    """Write a p-value, one too small for a computer as well.

    >>> probability(0.00123), probability(0.0)
    ('p = 0.0012', 'p < 1e-300')
    """
    return f"p = {p:.2g}" if p > 0 else "p < 1e-300"


def quoted(text: str, most: int = 40) -> str:
    """Put a word of the data in double quotes, on one line and not too long.

    >>> quoted("not")
    '"not"'
    """
    flat = "".join(mark if mark.isprintable() else " " for mark in text).replace('"', "'")
    return f'"{flat if len(flat) <= most else flat[: most - 1] + "…"}"'


def agree(n: int, one: str, many: str) -> str:
    """Choose the form of a verb.

    >>> agree(1, "stands", "stand"), agree(2, "stands", "stand")
    ('stands', 'stand')
    """
    return one if n == 1 else many


def counted(n: int, one: str, many: str | None = None) -> str:
    """Write a count with its noun.

    >>> counted(1, "item"), counted(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{n:,} {one if n == 1 else many or one + 's'}"
