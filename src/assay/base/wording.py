"""Numbers and names inside sentences."""

from __future__ import annotations

import math
from typing import Protocol


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


def format_percent(share: float) -> str:
    """Write a share as a percentage; a small share never becomes zero.

    >>> [format_percent(share) for share in (0.0512, 0.0004, 0.00003, 0.5, 0.0)]
    ['5.1 %', '0.04 %', '0.003 %', '50 %', '0 %']
    """
    if not math.isfinite(share):
        return "an unknown share"
    value = 100 * share
    if abs(value) < 0.01:
        return f"{value:.1g} %" if value else "0 %"
    digits = 0 if abs(value) >= 10 else 1 if abs(value) >= 1 else 2
    return f"{value:.{digits}f} %"


def format_share(estimate: Estimate) -> str:
    """Write a share with its interval as percentages.

    >>> from types import SimpleNamespace
    >>> format_share(SimpleNamespace(value=0.5, low=0.41, high=0.59))
    '50 % [41 %, 59 %]'
    """
    if not math.isfinite(estimate.low):
        return format_percent(estimate.value)
    return f"{format_percent(estimate.value)} [{format_percent(estimate.low)}, {format_percent(estimate.high)}]"


def format_points(estimate: Estimate) -> str:
    """Write a difference of shares in points, with its interval.

    >>> from types import SimpleNamespace
    >>> format_points(SimpleNamespace(value=0.21, low=0.17, high=0.259))
    '21 points [17, 26]'
    """
    value, low, high = (100 * end for end in (estimate.value, estimate.low, estimate.high))
    digits = 0 if min(abs(low), abs(high)) >= 10 else 1
    return f"{value:.{digits}f} points [{low:.{digits}f}, {high:.{digits}f}]"


def format_estimate(estimate: Estimate, digits: int = 2) -> str:
    """Write a number with its interval, or alone where there is none.

    >>> from types import SimpleNamespace
    >>> format_estimate(SimpleNamespace(value=0.5, low=0.414, high=0.589))
    '0.50 [0.41, 0.59]'
    """
    if not math.isfinite(estimate.low):
        return f"{estimate.value:.{digits}f}"
    return f"{estimate.value:.{digits}f} [{estimate.low:.{digits}f}, {estimate.high:.{digits}f}]"


def format_p_value(p: float) -> str:
    """Write a p-value, also one below the smallest floating-point number.

    >>> format_p_value(0.00123), format_p_value(0.0)
    ('p = 0.0012', 'p < 1e-300')
    """
    return f"p = {p:.2g}" if p > 0 else "p < 1e-300"


def quote(text: str, limit: int = 40) -> str:
    """Put text from the data in double quotes, on one line and at most `limit` characters long.

    >>> quote("not")
    '"not"'
    """
    line = "".join(character if character.isprintable() else " " for character in text).replace('"', "'")
    return f'"{line if len(line) <= limit else line[: limit - 1] + "…"}"'


def choose_verb(n: int, singular: str, plural: str) -> str:
    """Choose the form of a verb by a count.

    >>> choose_verb(1, "is", "are"), choose_verb(2, "is", "are")
    ('is', 'are')
    """
    return singular if n == 1 else plural


def count_noun(n: int, singular: str, plural: str | None = None) -> str:
    """Write a count with its noun.

    >>> count_noun(1, "item"), count_noun(1200, "item")
    ('1 item', '1,200 items')
    """
    return f"{n:,} {singular if n == 1 else plural or singular + 's'}"
