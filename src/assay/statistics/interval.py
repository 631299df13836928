"""A number with the range it may lie in."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.errors import UsageError
from assay.base.marks import OWN
from assay.base.results import Result


@dataclass(frozen=True)
class Interval(Result):
    """An estimate and its two-sided confidence interval; nan where undefined."""

    value: float
    low: float
    high: float
    confidence: float = 0.95
    method: str = field(default="", metadata=OWN)


def tails(confidence: float) -> tuple[float, float]:
    """Return the lower and upper tail of a two-sided interval.

    >>> [round(tail, 3) for tail in tails(0.95)]
    [0.025, 0.975]
    """
    if not 0 < confidence < 1:
        raise UsageError(f"confidence is {confidence}; it must lie between 0 and 1, such as 0.95.")
    return (1 - confidence) / 2, (1 + confidence) / 2
