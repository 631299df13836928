"""A section of an audit: what one room says of the data, or why it says nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from assay.base.results import Result

if TYPE_CHECKING:
    import polars as pl

    from assay.audits.case import Case


@dataclass(frozen=True)
class Section(Result):
    """Plain values of one room (`charts` among them), or the reason why there are none."""

    name: str
    status: str
    reason: str | None = None
    result: dict[str, Any] = field(default_factory=dict, repr=False)


@dataclass(frozen=True)
class Measured:
    """What a section's function returns: plain values, and a frame with `id` and one row an item, if it has any."""

    result: dict[str, Any]
    items: pl.DataFrame | None = None


@dataclass(frozen=True)
class Measure:
    """A kind of section: its name, its share of the usual running time, and the function that measures.

    `full` is its share in a full audit, where it trains neural models.
    """

    name: str
    weight: float
    measure: Callable[[Case], Measured] = field(repr=False)
    full: float | None = None

    def share(self, *, quick: bool) -> float:
        """Return how long the section takes, beside the others."""
        return self.weight if quick or self.full is None else self.full
