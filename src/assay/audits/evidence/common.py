"""Values that the evidence of several sections shares."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.marks import NAME, OWN
from assay.base.results import Result
from assay.statistics import Interval
from assay.suspects import Review

MAX_IDS = 1_000


@dataclass(frozen=True)
class ItemCount(Result):
    """How many of n items have a property, and the ids of the first ten."""

    count: int
    n: int
    ids: tuple[str, ...] = field(default=(), metadata=NAME)

    @property
    def share(self) -> float:
        """Return the share of the items."""
        return self.count / self.n if self.n else 0.0


@dataclass(frozen=True)
class SuspectItems(Result):
    """Items that are suspected to be bad, or to have a wrong gold label.

    These are the items with a probability of one half or more; where there are fewer than ten, of a quarter or more.
    `expected` is the number of bad items among all `n_judged`, `precision` the expected share among the suspects, and
    `evidence` names what they rest on. `review` compares them with the verdicts of people.
    """

    items: ItemCount
    n_judged: int
    expected: Interval
    precision: float
    evidence: tuple[str, ...] = field(metadata=OWN)
    review: Review | None = None


@dataclass(frozen=True)
class Bin(Result):
    """One bar of a histogram of one label's items."""

    label: str = field(metadata=NAME)
    low: float
    high: float
    count: int
