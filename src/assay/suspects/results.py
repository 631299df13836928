"""What a search for bad items returns."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.base.marks import NAME, OWN
from assay.suspects.reviews import Review
from assay.views.results import Result

if TYPE_CHECKING:
    import polars as pl

MIN_SUSPICION = 0.5  # of the items that are called suspects
LOW_SUSPICION = 0.25  # the same where there would be few
MIN_SUSPECTS = 10


@dataclass(frozen=True)
class ExpectedBad(Result):
    """How many items are expected to be bad, with a 95% interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class ExpectedPrecision(Result):
    """The expected share of bad items among the `k` most suspicious ones."""

    k: int
    expected: float


@dataclass(frozen=True)
class Evidence(Result):
    """One kind of evidence: on how many items it was used, on how many it speaks against the gold label, and how.

    `floor` is the share of gold labels that is wrong at random, measured on the data; 0 if the prior decided.
    """

    name: str = field(metadata=OWN)
    n_items: int
    n_against: int
    detail: str = field(metadata=NAME)
    floor: float = 0.0


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
    first 500 rows as `items_top`. `suspicion` is null if no evidence covers the item; `n_judged` items have one.
    `review` compares the suspects with people's verdicts, if there are any.
    """

    expected_bad: ExpectedBad
    n_items: int
    n_judged: int
    precision_at: list[ExpectedPrecision]
    evidence: list[Evidence]
    notes: list[str] = field(metadata=NAME)
    items_top: list[SuspectItem] = field(repr=False)
    review: Review | None = None
    items: pl.DataFrame | None = field(default=None, repr=False, compare=False, metadata={"json": False})

    def choose(self) -> pl.DataFrame:
        """Return the suspects: items more probably bad than not; if there are few, those with a chance of one in four."""
        import polars as pl

        items = self.to_frame()
        chosen = items.filter(pl.col("suspicion") >= MIN_SUSPICION)
        return chosen if len(chosen) >= MIN_SUSPECTS else items.filter(pl.col("suspicion") >= LOW_SUSPICION)

    def _frame(self) -> pl.DataFrame:
        """Return one row per item, the most suspicious first."""
        import polars as pl

        if self.items is not None:
            return self.items
        return pl.DataFrame([item.to_dict() for item in self.items_top], infer_schema_length=None)
