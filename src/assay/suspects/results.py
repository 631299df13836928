"""Results of a search for bad items."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from assay.base.marks import NAME, OWN
from assay.suspects.reviews import Review
from assay.views.blocks import Block
from assay.views.results import Result
from assay.views.values import Interval, ItemCount

if TYPE_CHECKING:
    import polars as pl

UNKNOWN = Interval(math.nan, math.nan, math.nan)
MIN_SUSPICION = 0.5  # of the items that are called suspects
LOW_SUSPICION = 0.25  # the same if there would be few
MIN_SUSPECTS = 10


@dataclass(frozen=True)
class ExpectedPrecision(Result):
    """The expected share of bad items among the `k` most suspicious ones."""

    k: int
    expected: float


@dataclass(frozen=True)
class LabelEvidence(Result):
    """One kind of evidence: on how many items it was used, on how many it speaks against the gold label, and how.

    `wrong_share` is the share of gold labels that are wrong by this evidence alone, nan if it cannot tell.
    """

    name: str = field(metadata=OWN)
    n_items: int
    n_against: int
    detail: str = field(metadata=NAME)
    wrong_share: Interval = UNKNOWN


@dataclass(frozen=True)
class SuspectItem(Result):
    """An item with the probability that its gold label or the item itself is bad."""

    id: str = field(metadata=NAME)
    label: str | None = field(metadata=NAME)
    suggested: str | None = field(metadata=NAME)
    suspicion: float
    reasons: str = field(metadata=NAME)


@dataclass(frozen=True)
class Suspects(Result):
    """All items, the most suspicious first, and how many of them are expected to be bad.

    `items` has one row per item (id, label, suggested, suspicion, reasons) and is not part of the JSON, which holds the
    first 500 rows as `items_top`. `suspicion` is null if no evidence covers the item; `n_judged` items have one. If
    `order_only`, the data do not say how many labels are wrong: suspicion only orders the items, at most 0.2, and
    `expected_bad` is nan.
    `suspected` are the items with a probability of one half or more (if there are fewer than ten, of a quarter or more),
    and `precision` is the expected share of bad items among them; there are none if all labels may well be right.
    `review` compares them with people's verdicts.
    """

    expected_bad: Interval
    n_items: int
    n_judged: int
    precision_at: list[ExpectedPrecision]
    evidence: list[LabelEvidence]
    notes: list[str] = field(metadata=NAME)
    items_top: list[SuspectItem] = field(repr=False)
    suspected: ItemCount
    precision: float
    order_only: bool = False
    review: Review | None = None
    items: pl.DataFrame | None = field(default=None, repr=False, compare=False, metadata={"json": False})

    @property
    def bad_share(self) -> Interval:
        """The expected share of bad items among those that were judged."""
        n, bad = max(self.n_judged, 1), self.expected_bad
        return replace(bad, value=bad.value / n, low=bad.low / n, high=bad.high / n)

    @property
    def sources(self) -> list[str]:
        """The names of the kinds of evidence that were used."""
        return [row.name for row in self.evidence if row.n_items]

    def blocks(self) -> Iterator[Block]:
        """Yield the suspects, the evidence against them, and the verdict."""
        from assay.suspects.view import show_suspects

        yield from show_suspects(self)

    def choose(self) -> pl.DataFrame:
        """Return the items that would be suspects if labels are wrong, the most suspicious first."""
        return choose_suspects(self.to_frame())

    def _frame(self) -> pl.DataFrame:
        """Return one row per item, the most suspicious first."""
        import polars as pl

        if self.items is not None:
            return self.items
        return pl.DataFrame([item.to_dict() for item in self.items_top], infer_schema_length=None)


def choose_suspects(items: pl.DataFrame) -> pl.DataFrame:
    """Return the items that are more probably bad than not; if there are few, those with a chance of one in four."""
    import polars as pl

    chosen = items.filter(pl.col("suspicion") >= MIN_SUSPICION)
    return chosen if len(chosen) >= MIN_SUSPECTS else items.filter(pl.col("suspicion") >= LOW_SUSPICION)
