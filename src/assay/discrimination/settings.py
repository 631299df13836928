"""The settings of an analysis of discrimination."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from assay.base.marks import OWN
from assay.discrimination.scales import choose_direction
from assay.kinds.arguments import ReadingArguments
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


@dataclass(frozen=True)
class ScoreScale:
    """The best possible score, of everything or of single datasets and metrics, and which end of a scale is better.

    Which end is better follows from the names of metrics; `lower_is_better` says it for all (True, False) or for those
    that it names, `higher_is_better` for others.
    """

    upper: float | None = None
    uppers: Mapping[str, float] | None = None
    lower_is_better: bool | str | Sequence[str] | None = None
    higher_is_better: str | Sequence[str] = ()

    def find_upper(self, dataset: str, metric: str) -> float | None:
        """Return the best possible value of a measurement, if one is given."""
        uppers = self.uppers or {}
        return uppers.get(dataset, uppers.get(metric, self.upper))

    def is_lower_better(self, dataset: str, metric: str) -> bool:
        """Return True if lower scores of a measurement are better."""
        return choose_direction(metric, dataset, self.lower_is_better, self.higher_is_better)


@dataclass(frozen=True)
class VoteColumns:
    """The columns of a table of votes, if they are not recognised by name."""

    winner: str | None = None
    prompt: str | None = None
    category: str | None = None


class DiscriminationArguments(ReadingArguments, total=False):
    """The fields of `DiscriminationSettings`, `ScoreScale` and `VoteColumns`, and the arguments of `assay.read`."""

    top: int | None
    top_by: str
    aggregate: str
    over: str | None
    resampling: str
    share: float
    n_resamples: int
    clustered: bool | None
    random_state: int
    upper: float | None
    uppers: Mapping[str, float] | None
    lower_is_better: bool | str | Sequence[str] | None
    higher_is_better: str | Sequence[str]
    winner: str | None
    prompt: str | None
    category: str | None
