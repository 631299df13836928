"""McNemar's test of two systems that answered the same items, exact."""

from __future__ import annotations

from dataclasses import dataclass

from assay.base.errors import UsageError
from assay.base.results import Result


@dataclass(frozen=True)
class McNemar(Result):
    """The two-sided exact p, and the items that only one of the two got right."""

    p: float
    only_first: int
    only_second: int


def mcnemar(b: int, c: int) -> McNemar:
    """Test whether b (only the first right) and c (only the second right) are equally likely.

    Exact binomial, two-sided; without any such item p is 1.

    >>> round(mcnemar(10, 2).p, 5)
    0.03857
    """
    from scipy.stats import binomtest

    if b < 0 or c < 0:
        raise UsageError(f"{b} and {c} items; counts cannot be negative.")
    p = float(binomtest(int(b), int(b + c), 0.5).pvalue) if b + c else 1.0
    return McNemar(p, int(b), int(c))
