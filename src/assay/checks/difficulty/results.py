"""What the difficulty section measured: which items are obvious, and how systems do on the others."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import NAME, OWN
from assay.statistics import Interval
from assay.views.results import Result
from assay.views.values import Bin


@dataclass(frozen=True)
class CaseCounts(Result):
    """Pairs by case (Peinelt et al.): positive or negative, obvious or not."""

    positive_obvious: int
    positive_non_obvious: int
    negative_obvious: int
    negative_non_obvious: int

    @property
    def total(self) -> int:
        """Return the number of pairs."""
        obvious = self.positive_obvious + self.negative_obvious
        return obvious + self.positive_non_obvious + self.negative_non_obvious


@dataclass(frozen=True)
class PartCases(Result):
    """The cases of one part."""

    part: str = field(metadata=NAME)
    counts: CaseCounts


@dataclass(frozen=True)
class CloserToOther(Result):
    """The share of a label's or a part's texts whose nearest training text has another label."""

    by: Literal["label", "part"]
    name: str = field(metadata=NAME)
    share: float
    n: int


@dataclass(frozen=True)
class SystemOnCases(Result):
    """The accuracy of a system on obvious or on non-obvious items."""

    system: str = field(metadata=NAME)
    case: Literal["obvious", "non-obvious"]
    accuracy: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class DifficultyEvidence(Result):
    """How far the words of an item give its label away."""

    measure: str = field(metadata=OWN)
    n_items: int
    n_undefined: int
    median: float
    histogram: tuple[Bin, ...]
    obvious: Interval | None = None  # pairs
    positive: str | None = field(default=None, metadata=NAME)
    counts: CaseCounts | None = None
    by_part: tuple[PartCases, ...] = ()
    closer_to_other: float | None = None  # single texts
    closer_by: tuple[CloserToOther, ...] = ()
    systems: tuple[SystemOnCases, ...] = ()
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
