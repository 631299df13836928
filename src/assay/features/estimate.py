"""A feature's number, and why it may be missing."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from assay.base.results import Result


@dataclass(frozen=True)
class Estimate(Result):
    """One feature of one part: exact, or from a sample with its interval, or nan with the reason."""

    value: float
    low: float = math.nan
    high: float = math.nan
    n: int = 0
    reason: str | None = None


def undefined(reason: str) -> Estimate:
    """Return an estimate that cannot be had, and why."""
    return Estimate(math.nan, reason=reason)


def mean(values: Iterable[float]) -> float:
    """Return the mean, rounded once, so that it does not depend on the order of the values; nan of none.

    >>> mean([0.1, 0.2, 0.3]) == mean([0.3, 0.1, 0.2])
    True
    """
    numbers = values if hasattr(values, "__len__") else list(values)
    return math.fsum(numbers) / len(numbers) if len(numbers) else math.nan  # type: ignore[arg-type]
