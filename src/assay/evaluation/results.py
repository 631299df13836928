"""Results of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import polars as pl

from assay.base.marks import NAME, OWN
from assay.data.left_out import LeftOut
from assay.evaluation.comparison.baselines import ErrorReduction, ScoredBaseline
from assay.evaluation.comparison.new_sample import NewSample
from assay.evaluation.comparison.pairs import Comparison
from assay.evaluation.comparison.smallest_difference import SmallestDifference
from assay.evaluation.contrast import Contrast
from assay.evaluation.human_scores import HumanCorrelation
from assay.evaluation.repeats.power import Power
from assay.evaluation.repeats.variance import Repeats
from assay.evaluation.scoring.classes import ClassTable
from assay.evaluation.scoring.preparation import Score
from assay.evaluation.slices.request import Slices
from assay.views.blocks import Block
from assay.views.results import Result
from assay.wording.numbers import format_interval
from assay.wording.sentences import count_noun

MAX_SYSTEMS_SHOWN = 3


@dataclass(frozen=True)
class SystemScores(Result):
    """One system: the metric that systems are compared by, its interval, n, and all other metrics.

    It was not run on `n_missing` items; `n_empty` of its answers are empty.
    """

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
    n_empty: int = 0

    def __repr__(self) -> str:
        score = format_interval(self, "rounded:3")
        return f"SystemScores: {self.system}, {self.metric} {score}, rank {self.rank}, n {self.n:,}"

    def _frame(self) -> pl.DataFrame:
        """Return one row per metric."""
        rows = [{"metric": name, **score.to_dict()} for name, score in self.metrics.items()]
        return pl.DataFrame(rows, infer_schema_length=None)


@dataclass(frozen=True)
class Evaluation(Result):
    """The scores of systems on a dataset, with intervals, slices, baselines and comparisons.

    p-values of `comparisons` are corrected for `n_pairs`, all pairs of systems, also if only some were compared.
    `smallest_difference` is the smallest true difference of the first two systems that these items detect. `repeats`
    splits the variance if runs were repeated; `power` says how many items a difference needs. `human` is how well
    metrics follow the scores that people gave to the answers. `contrast` lists the items on which two systems differ;
    `items` has one row per item and one column of scores per system.
    """

    systems: list[SystemScores]
    metric: str = field(metadata=OWN)
    n_items: int
    n_systems: int
    labels: list[str] = field(metadata=NAME)
    positive: str | None = field(metadata=NAME)
    missing_predictions: str | None = field(metadata=OWN)
    resampled: str = field(metadata=OWN)
    smallest_difference: SmallestDifference
    baselines: list[ScoredBaseline]
    error_reduction: list[ErrorReduction]
    comparisons: list[Comparison]
    n_pairs: int
    correction: str = field(metadata=OWN)
    by: Slices
    new_sample: NewSample | None
    notes: tuple[str, ...] = field(metadata=NAME)
    repeats: Repeats | None = None
    power: Power | None = None
    human: list[HumanCorrelation] = field(default_factory=list)
    contrast: Contrast | None = None
    items: pl.DataFrame | None = field(default=None, repr=False, compare=False, metadata={"json": False})
    left_out: tuple[LeftOut, ...] = ()  # of the predictions

    def __repr__(self) -> str:
        ranked = sorted(self.systems, key=lambda system: system.rank)
        shown = [f"{system.system} {format_interval(system, 'rounded:3')}" for system in ranked[:MAX_SYSTEMS_SHOWN]]
        shown += [f"{len(ranked) - len(shown)} more"] if len(ranked) > len(shown) else []
        counts = f"{count_noun(self.n_systems, 'system')} on {count_noun(self.n_items, 'item')}"
        return f"Evaluation: {counts}, {self.metric}: {', '.join(shown)}"

    def blocks(self) -> Iterator[Block]:
        """Yield scores, comparisons and slices, and the verdict."""
        from assay.evaluation.view import show_evaluation

        yield from show_evaluation(self)

    def _frame(self) -> pl.DataFrame:
        """Return one row per system and metric."""
        rows = [
            {"system": system.system, "metric": name, **score.to_dict()}
            for system in self.systems
            for name, score in system.metrics.items()
        ]
        return pl.DataFrame(rows, infer_schema_length=None)
