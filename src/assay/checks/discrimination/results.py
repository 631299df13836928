"""What the discrimination section measured: λ, ranks, and what the items say about systems."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

from assay.base.marks import NAME, OWN
from assay.discrimination.items import OutcomeCell, SharedFailures
from assay.evaluation.repeats.variance import Repeats
from assay.statistics import Interval
from assay.suspects import Suspects
from assay.views.results import Result
from assay.views.values import ItemCount


@dataclass(frozen=True)
class DatasetRow(Result):
    """How well one measurement (benchmark, dataset, metric) tells systems apart, and what to do with it."""

    benchmark: str = field(metadata=NAME)
    dataset: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    n_systems: int
    n_items: int | None
    lambda_var: Interval
    lambda_sva: Interval
    lambda_hit: Interval
    upper: float
    headroom: float
    n_within_one: int
    verdict: str = field(metadata=OWN)
    verdict_basis: str = field(metadata=OWN)
    proposal: str | None = field(default=None, metadata=OWN)
    reason: str | None = field(default=None, metadata=OWN)
    lambda_hit_null: float = math.nan  # of equal systems
    p_equal: float = math.nan  # of the test that all systems are equal
    scale: str = field(default="percent", metadata=OWN)


@dataclass(frozen=True)
class RankedSystem(Result):
    """The score of a system and the ranks it may have: simultaneously over all rivals, and for each rival alone."""

    benchmark: str = field(metadata=NAME)
    system: str = field(metadata=NAME)
    score: float
    rank_low: int | None
    rank_high: int | None
    tie_group: int | None
    marginal_low: int | None = None
    marginal_high: int | None = None


@dataclass(frozen=True)
class ItemSummary(Result):
    """What the items of a dataset say about the systems."""

    dataset: str = field(metadata=NAME)
    n_items: int
    n_all_right: int
    n_all_wrong: int
    reliability: Interval | None
    reliability_method: str = field(metadata=OWN)
    items_needed_first_two: float


@dataclass(frozen=True)
class SystemAgreement(Result):
    """Cohen's kappa of a system with the gold labels."""

    system: str = field(metadata=NAME)
    kappa: Interval
    n: int


@dataclass(frozen=True)
class LabelCount(Result):
    """How many of some items have a gold label."""

    label: str = field(metadata=NAME)
    count: int


@dataclass(frozen=True)
class NegativeItems(Result):
    """Items with negative discrimination: the better a system is on the others, the more often it is wrong here."""

    items: ItemCount
    n_systems: int
    labels: tuple[LabelCount, ...]


@dataclass(frozen=True)
class BelowBaseline(Result):
    """A system that is right less often than the most frequent gold label."""

    system: str = field(metadata=NAME)
    accuracy: Interval
    baseline: float
    n: int


@dataclass(frozen=True)
class MetricWinner(Result):
    """The system that comes first by a metric."""

    metric: str = field(metadata=OWN)
    system: str = field(metadata=NAME)
    value: float


@dataclass(frozen=True)
class PairedDifference(Result):
    """How many points one system scores above another on the same items, with a 95% interval.

    `p` is corrected over all pairs.
    """

    first: str = field(metadata=NAME)
    second: str = field(metadata=NAME)
    difference: float
    low: float
    high: float
    p: float


@dataclass(frozen=True)
class DiscriminationEvidence(Result):
    """How well this test set still tells good systems from better ones."""

    basis: Literal["scores", "predictions", "quick models"]
    n_systems: int
    datasets: tuple[DatasetRow, ...]
    systems: tuple[RankedSystem, ...]
    items: tuple[ItemSummary, ...] = ()
    agreement: tuple[SystemAgreement, ...] = ()
    negative: NegativeItems | None = None
    suspects: Suspects | None = None
    n_test: int | None = None
    metric: str | None = field(default=None, metadata=OWN)
    below_baseline: tuple[BelowBaseline, ...] = ()
    winners: tuple[MetricWinner, ...] = ()
    detectable: float | None = None  # smallest difference that the first two systems need
    gap_first_two: float | None = None
    has_shares: bool = True  # outcomes are from 0 to 1, so that differences of scores are points of 100
    repeats: Repeats | None = None  # variance between items and between the repeats of a run
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
    differences: tuple[PairedDifference, ...] = ()  # of the best systems, the better one first
    failures: tuple[SharedFailures, ...] = ()
    outcome_map: tuple[OutcomeCell, ...] = ()
