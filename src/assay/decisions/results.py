"""Results of a decision between two systems."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.base.marks import NAME, OWN
from assay.data.left_out import LeftOut
from assay.decisions.verdicts import Requirement, check_requirement
from assay.views.blocks import Block
from assay.views.results import Result
from assay.views.values import Interval

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class DecidedMetric(Result):
    """The difference of two systems in one metric; positive if the candidate is better, whichever end is better.

    `unit` is points (of 100) if the metric lies between 0 and 1, else the unit of the metric.
    """

    metric: str = field(metadata=OWN)
    verdict: str = field(metadata=OWN)
    difference: Interval
    baseline_score: float
    candidate_score: float
    unit: str = field(default="points", metadata=OWN)
    lower_is_better: bool = False


@dataclass(frozen=True)
class SliceDifference(Result):
    """The difference on the items of a slice; the interval is corrected for the number of slices."""

    by: str = field(metadata=NAME)
    slice: str = field(metadata=NAME)
    n: int
    difference: Interval


@dataclass(frozen=True)
class Components(Result):
    """Standard deviations of the difference on one item, in its unit: between items, and between repeats of an item.

    `sd_repeats` is for one repeat of both systems; nan if nothing was repeated.
    """

    sd_items: float
    sd_repeats: float


@dataclass(frozen=True)
class PlannedItem(Result):
    """An item of a plan, the probability with which it was drawn to be run, and whether it was drawn."""

    id: str = field(metadata=NAME)
    draw_probability: float
    run: bool


@dataclass(frozen=True)
class Plan(Result):
    """The next batch: how many items to run and how often, the draws, and what the batch is expected to settle.

    `power` is the probability that the verdict is settled after the batch if the difference is the one estimated so
    far. `expected` is the interval that is then expected.
    """

    n_items: int
    n_repeats: int
    n_considered: int
    n_left: int
    power: float
    expected: Interval
    reason: str = field(metadata=OWN)
    items: tuple[PlannedItem, ...] = field(default=(), repr=False)


@dataclass(frozen=True)
class JudgeSupport(Result):
    """The contribution of a judge to the labels of people.

    `labels` is the difference from the labels alone, `judge` that of the judge alone, which is not corrected for its
    errors. `labels_needed` is how many labels would settle the verdict; None if labels on all items would not.
    `spend_on` are the items whose labels would tell most.
    """

    n_labelled: int
    n_judged: int
    tuning: float
    relative_width: float
    labels: Interval
    judge: float
    labels_needed: int | None
    spend_on: tuple[str, ...] = field(default=(), metadata=NAME)


@dataclass(frozen=True)
class Decision(Result):
    """Whether a candidate is better than a baseline, and what it would take to know.

    `verdict` is better (the interval of the difference lies above 0), not-worse (it lies above −margin), worse (it
    lies below 0) or undecided; the first that holds. `difference` is positive if the candidate is better. `items_needed`
    and `repeats_needed` are how many items (with the repeats there are) or repeats (of the items there are) settle a
    difference like this one with 80% power; None if that is impossible or unknown.
    """

    verdict: str = field(metadata=OWN)
    difference: Interval
    baseline: str = field(metadata=NAME)
    candidate: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    baseline_score: float
    candidate_score: float
    margin: float
    alpha: float
    unit: str = field(metadata=OWN)
    n_items: int | None
    n_repeats: int
    items_needed: int | None
    repeats_needed: int | None
    wins: int | None
    losses: int | None
    ties: int | None
    n_groups: int | None = None
    is_paired: bool = True
    is_sequential: bool = False
    lower_is_better: bool = False
    not_run: dict[str, int] = field(default_factory=dict, metadata=NAME)
    slices: tuple[SliceDifference, ...] = ()
    n_slices: int = 0
    metrics: tuple[DecidedMetric, ...] = ()
    components: Components | None = None
    plan: Plan | None = None
    judge: JudgeSupport | None = None
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
    left_out: tuple[LeftOut, ...] = field(default=(), metadata={**NAME, "json": False})

    def check(self, require: str) -> Requirement:
        """Return whether a requirement (better or not-worse) is established, refuted or undecided."""
        return check_requirement(self.verdict, self.difference, require)

    def blocks(self) -> Iterator[Block]:
        """Yield the difference, the counts behind it, slices, the plan, and the verdict."""
        from assay.decisions.view import show_decision

        yield from show_decision(self)

    def _frame(self) -> pl.DataFrame:
        """Return one row per metric."""
        import polars as pl

        from assay.views.results import keep_scalars

        return pl.DataFrame([keep_scalars(row.to_dict()) for row in self.metrics], infer_schema_length=None)
