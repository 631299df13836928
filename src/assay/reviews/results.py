"""Results of the plan of a review, and of an estimate from it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assay.base.marks import NAME
from assay.suspects.results import SuspectItem
from assay.views.blocks import Block
from assay.views.results import Result
from assay.views.values import Interval

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class ReviewStratum(Result):
    """Items that are drawn with the same probability: how many, how many are drawn, reviewed, and bad among these."""

    batch: int
    draw_probability: float
    n_items: int
    n_drawn: int
    n_reviewed: int = 0
    n_bad: float = 0.0


@dataclass(frozen=True)
class DrawnItem(Result):
    """An item to review."""

    id: str = field(metadata=NAME)
    draw_probability: float
    label: str | None = field(metadata=NAME)
    suggested: str | None = field(metadata=NAME)
    reasons: str = field(metadata=NAME)


@dataclass(frozen=True)
class ReviewPlan(Result):
    """Items to review, drawn without replacement with known probabilities.

    `items` is the table to fill in, with the texts of the items, and is not part of the JSON; `drawn` has the same rows
    without texts.
    """

    n_items: int
    n_drawn: int
    n_judged: int
    strata: list[ReviewStratum]
    drawn: list[DrawnItem] = field(repr=False)
    notes: list[str] = field(metadata=NAME)
    items: pl.DataFrame | None = field(default=None, repr=False, compare=False, metadata={"json": False})

    def blocks(self) -> Iterator[Block]:
        """Yield the strata and how to go on."""
        from assay.reviews.view import show_plan

        yield from show_plan(self)

    def _frame(self) -> pl.DataFrame:
        """Return the table to fill in."""
        import polars as pl

        if self.items is not None:
            return self.items
        return pl.DataFrame([item.to_dict() for item in self.drawn], infer_schema_length=None)


@dataclass(frozen=True)
class CorrectedSystem(Result):
    """A system's score with the gold labels as they are, on good items only, and with corrected labels.

    The intervals of `good` and `corrected` are about what a review of all items would give; `score` is computed on all
    items and has no error of this kind. `rank` is by the corrected score, `rank_before` by the score; `rank_changes`
    says whether `rank_before` lies outside `rank_low` to `rank_high`, which hold for all systems together.
    """

    system: str = field(metadata=NAME)
    score: Interval
    good: Interval
    corrected: Interval
    rank: int
    rank_low: int
    rank_high: int
    rank_before: int
    rank_changes: bool


@dataclass(frozen=True)
class ReviewAgreement(Result):
    """How far two reviewers agree on the items that both reviewed: the share of equal verdicts, and Cohen's kappa."""

    reviewers: tuple[str, str] = field(metadata=NAME)
    n: int
    agreement: Interval
    kappa: Interval


@dataclass(frozen=True)
class GroupRate(Result):
    """How many of the reviewed items of a group are bad, how many the suspicion leads to expect, and the factor used."""

    group: str = field(metadata=NAME)
    n_reviewed: int
    n_bad: float
    expected: float
    factor: float


@dataclass(frozen=True)
class ReviewEstimate(Result):
    """The number of bad items among all, from a review of some, with systems' scores corrected for them.

    The intervals hold even if the suspicion is wrong, because every item has a known probability to be drawn.
    `suspects` are the most suspicious items that nobody reviewed, with the suspicion fitted to the verdicts.
    `n_skipped` items have no verdict although later ones do, `n_left` are not reviewed yet. `plan` continues the review
    and is not part of the JSON.
    """

    bad: Interval
    n_items: int
    n_drawn: int
    n_reviewed: int
    n_bad: float
    n_skipped: int
    n_left: int
    n_batches: int
    n_relabelled: int
    anytime: bool
    metric: str = field(metadata=NAME)
    systems: list[CorrectedSystem]
    suspects: list[SuspectItem] = field(repr=False)
    groups: list[GroupRate]
    strata: list[ReviewStratum]
    agreement: list[ReviewAgreement]
    notes: list[str] = field(metadata=NAME)
    plan: pl.DataFrame | None = field(default=None, repr=False, compare=False, metadata={"json": False})

    _table = "systems"

    @property
    def bad_share(self) -> Interval:
        """The share of bad items."""
        n, bad = max(self.n_items, 1), self.bad
        return replace(bad, value=bad.value / n, low=bad.low / n, high=bad.high / n)

    def blocks(self) -> Iterator[Block]:
        """Yield the number of bad items, the systems, the strata, and the verdict."""
        from assay.reviews.view import show_estimate

        yield from show_estimate(self)
