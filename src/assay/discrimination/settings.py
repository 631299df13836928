"""The settings of an analysis of discrimination."""

from __future__ import annotations

from dataclasses import dataclass, field

from assay.base.marks import OWN
from assay.views.results import Result


@dataclass(frozen=True)
class DiscriminationSettings(Result):
    """The systems to measure, how outcomes become ranks, and how items are resampled.

    `top` keeps the k best systems of each dataset, or of the benchmark (`top_by`); `over` is the sampled unit of rank
    intervals: items, datasets or both. Whole groups of items are sampled if there are groups, unless `clustered`
    is False. Scores of several scales or directions have no mean: they are ranked by win rate.
    """

    top: int | None = None
    top_by: str = field(default="dataset", metadata=OWN)
    aggregate: str = field(default="mean", metadata=OWN)
    over: str | None = field(default=None, metadata=OWN)
    resampling: str = field(default="bootstrap", metadata=OWN)
    share: float = 0.8
    n_resamples: int = 1000
    clustered: bool | None = None
    random_state: int = 0
