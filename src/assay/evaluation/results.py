"""What an evaluation returns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay.base.marks import NAME, OWN
from assay.base.wording import count_noun, format_estimate
from assay.evaluation.comparison.baselines import ErrorReduction, ScoredBaseline
from assay.evaluation.comparison.new_sample import NewSample
from assay.evaluation.comparison.pairs import Comparison
from assay.evaluation.human_scores import HumanCorrelation
from assay.evaluation.repeats.power import Power
from assay.evaluation.repeats.variance import Repeats
from assay.evaluation.scoring.classes import ClassTable
from assay.evaluation.scoring.preparation import Score
from assay.evaluation.slices.request import Slices
from assay.views.blocks import Block
from assay.views.results import Result

if TYPE_CHECKING:
    import polars as pl

MAX_SYSTEMS_SHOWN = 3


@dataclass(frozen=True)
class SystemScores(Result):
    """One system: the metric that systems are compared by, its interval, n, and all other metrics."""

    system: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    value: float
    low: float
    high: float
    n: int
    rank: int
    n_missing: int
    metrics: dict[str, Score] = field(metadata=OWN)
    classes: ClassTable | None = field(repr=False)

    def __repr__(self) -> str:
        return f"SystemScores: {self.system}, {self.metric} {format_estimate(self, 3)}, rank {self.rank}, n {self.n:,}"

    def _frame(self) -> pl.DataFrame:
        """Return one row per metric."""
        import polars as pl

        rows = [{"metric": name, **score.to_dict()} for name, score in self.metrics.items()]
        return pl.DataFrame(rows, infer_schema_length=None)


@dataclass(frozen=True)
class Evaluation(Result):
    """The scores of systems on a dataset, with intervals, slices, baselines and comparisons.

    `detectable` is the smallest true difference of two systems that this test set detects with 80% power
    (two-sided, 5%; the median over the pairs, or for one system as if another made errors of its own). `repeats`
    splits the variance where runs were repeated; `power` says how many items a difference needs. `human` is how well
    metrics follow the scores that people gave to the answers.
    """

    systems: list[SystemScores]
    metric: str = field(metadata=OWN)
    n_items: int
    n_systems: int
    labels: list[str] = field(metadata=NAME)
    positive: str | None = field(metadata=NAME)
    missing_predictions: str = field(metadata=OWN)
    resampled: str = field(metadata=OWN)
    detectable: float
    baselines: list[ScoredBaseline]
    error_reduction: list[ErrorReduction]
    comparisons: list[Comparison]
    correction: str = field(metadata=OWN)
    by: Slices
    new_sample: NewSample | None
    notes: tuple[str, ...] = field(metadata=NAME)
    repeats: Repeats | None = None
    power: Power | None = None
    human: list[HumanCorrelation] = field(default_factory=list)

    def __repr__(self) -> str:
        ranked = sorted(self.systems, key=lambda system: system.rank)
        shown = [f"{system.system} {format_estimate(system, 3)}" for system in ranked[:MAX_SYSTEMS_SHOWN]]
        shown += [f"{len(ranked) - len(shown)} more"] if len(ranked) > len(shown) else []
        counts = f"{count_noun(self.n_systems, 'system')} on {count_noun(self.n_items, 'item')}"
        return f"Evaluation: {counts}, {self.metric}: {', '.join(shown)}"

    def blocks(self) -> Iterator[Block]:
        """Yield scores, comparisons and slices, and the verdict."""
        from assay.evaluation.view import show_evaluation

        yield from show_evaluation(self)

    def _frame(self) -> pl.DataFrame:
        """Return one row per system and metric."""
        import polars as pl

        rows = [
            {"system": system.system, "metric": name, **score.to_dict()}
            for system in self.systems
            for name, score in system.metrics.items()
        ]
        return pl.DataFrame(rows, infer_schema_length=None)
