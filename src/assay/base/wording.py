"""Numbers and names inside sentences."""

from __future__ import annotations

import math
import re
from typing import Protocol, runtime_checkable

from assay.base.numbers import MINUS

_QUOTED = re.compile(r'("[^"]*")')
_HYPHEN = re.compile(r"(?<![\w.\-])-(?=\d)")
SMALL_P = 0.0001
MAX_DIGITS = 6  # of a percentage just below 100


def set_minus_signs(text: str) -> str:
    """Write negative numbers with a true minus sign, except in text from the data, which is in double quotes.

    >>> set_minus_signs('kappa -0.02 [-0.04, 0.01] of "-1" in 2024-05-01')
    'kappa −0.02 [−0.04, 0.01] of "-1" in 2024-05-01'
    """
    parts = _QUOTED.split(text)
    return "".join(_HYPHEN.sub(MINUS, part) if number % 2 == 0 else part for number, part in enumerate(parts))


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
    digits = 0 if abs(value) >= 10 else 1 if abs(value) >= 1 else 2
    while abs(value) < 100 and digits < MAX_DIGITS and float(f"{abs(value):.{digits}f}") >= 100:
        digits += 1
    return f"{value:.{digits}f}%".replace("-", MINUS)


def format_share(estimate: Estimate) -> str:
    """Write a share with its interval as percentages.

    >>> from types import SimpleNamespace
    >>> format_share(SimpleNamespace(value=0.5, low=0.41, high=0.59))
    '50% [41%, 59%]'
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
    return f"{value:.{digits}f} points [{low:.{digits}f}, {high:.{digits}f}]".replace("-", MINUS)


def format_estimate(estimate: Estimate, digits: int = 2) -> str:
    """Write a number with its interval, or alone if there is none.

    >>> from types import SimpleNamespace
    >>> format_estimate(SimpleNamespace(value=0.5, low=0.414, high=0.589))
    '0.50 [0.41, 0.59]'
    """
    ends = [] if not math.isfinite(estimate.low) else [estimate.low, estimate.high]
    value, *interval = (f"{end:.{digits}f}".replace("-", MINUS) for end in (estimate.value, *ends))
    return f"{value} [{', '.join(interval)}]" if interval else value


def format_p_value(p: float) -> str:
    """Write a p-value; below 0.0001 the exact one says nothing more.

    >>> format_p_value(0.00123), format_p_value(3e-8)
    ('p = 0.0012', 'p < 0.0001')
    """
    return "p < 0.0001" if p < SMALL_P else f"p = {p:.2g}"


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
