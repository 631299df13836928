"""Values that many results share: an estimate with its interval, a count of items, a bar of a histogram."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.marks import NAME, OWN
from assay.views.results import Result

MAX_IDS = 1_000


@dataclass(frozen=True)
class Interval(Result):
    """An estimate and its two-sided confidence interval; nan if undefined."""

    value: float
    low: float
    high: float
    confidence: float = 0.95
    method: str = field(default="", metadata=OWN)


@dataclass(frozen=True)
class ItemCount(Result):
    """How many of n items have a property, and the ids of the first of them."""

    count: int
    n: int
    ids: tuple[str, ...] = field(default=(), metadata=NAME)

    @property
    def share(self) -> float:
        """Return the share of the items."""
        return self.count / self.n if self.n else 0.0


@dataclass(frozen=True)
class Bin(Result):
    """One bar of a histogram of one label's items."""

    label: str = field(metadata=NAME)
    low: float
    high: float
    count: int
