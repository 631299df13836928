"""The settings of an evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.evaluation.repeats.power import DIFFERENCES
from assay.evaluation.scoring.preparation import ScoringSettings
from assay.evaluation.scoring.workers import Workers
from assay.kinds.arguments import ReadingArguments


@dataclass(frozen=True)
class EvaluationSettings:
    """Settings of an evaluation: what to score, and how.

    Parameters
    ----------
    metrics
        Names of metrics; the first compares the systems. Without names, all that apply.
    by
        Slices: fold, difficulty, time, part, label, length, or a column of the data.
    systems
        Evaluate only these systems.
    human
        Columns of long predictions with scores that people gave to the answers; every metric is correlated with them.
    positive
        The positive label.
    missing_predictions
        By default an empty answer is wrong, and an item that a system was not run on does not count for it. skip
        leaves out empty answers too, wrong counts both as wrong, and error refuses both.
    pass_at
        Numbers of samples k, such as (1, 10): pass@k, pass^k and majority@k of repeated runs.
    differences
        Differences of two systems, for which `power.plans` says how many items they need.
    baseline
        A system; the result says how far each system reduces its errors.
    baselines
        Whether to score the trivial baselines of the task, some of which are small models.
    compare
        Whether to compare the systems pair by pair.
    pairs
        all, or auto: of more than 50 systems, the 50 best are compared with each other, and the best with every one.
    contrast
        Two systems whose different items are listed.
    correction
        Correction of p-values over all pairs: holm or bh.
    interval
        auto, wilson, bca or percentile; intervals are over items, or over groups if there are groups.
    confidence
        Confidence of the intervals.
    n_resamples, n_permutations
        Bootstrap resamples of intervals, and random swaps of the paired tests.
    tokenizer
        How texts become words.
    threshold
        Where to cut into obvious and non-obvious pairs: dataset or split (medians), or a number.
    out_of_core, cache
        Read data and predictions, which are files, folders or globs of shards, a shard at a time and without texts;
        `cache` is a folder where shards that were read are kept.
    n_jobs, backend
        Processes for large evaluations; the results do not depend on them.
    random_state
        Random seed.
    """

    metrics: str | Sequence[str] | None = None
    by: str | Sequence[str] = ()
    systems: str | Sequence[str] | None = None
    human: str | Sequence[str] = ()
    positive: str | None = None
    missing_predictions: str | None = None
    pass_at: str | Sequence[int] = ()
    differences: Sequence[float] = DIFFERENCES
    baseline: str | None = None
    baselines: bool = True
    compare: bool = True
    pairs: str = "auto"
    contrast: Sequence[str] = ()
    correction: str = "holm"
    interval: str = "auto"
    confidence: float = 0.95
    n_resamples: int = 1000
    n_permutations: int = 10_000
    tokenizer: str = "words"
    threshold: str | float = "dataset"
    out_of_core: bool = False
    cache: str | Path | None = None
    n_jobs: int = 1
    backend: str | None = None
    random_state: int = 0

    @property
    def scoring(self) -> ScoringSettings:
        """Return the settings that scores depend on."""
        return ScoringSettings(
            self.positive,
            self.missing_predictions,
            self.interval,
            self.confidence,
            self.n_resamples,
            self.random_state,
            self.tokenizer,
            Workers(self.n_jobs, self.backend),
        )


class EvaluationArguments(ReadingArguments, total=False):
    """The fields of `EvaluationSettings`, and the arguments of `assay.read`."""

    metrics: str | Sequence[str] | None
    by: str | Sequence[str]
    systems: str | Sequence[str] | None
    human: str | Sequence[str]
    positive: str | None
    missing_predictions: str | None
    pass_at: str | Sequence[int]
    differences: Sequence[float]
    baseline: str | None
    baselines: bool
    compare: bool
    pairs: str
    contrast: Sequence[str]
    correction: str
    interval: str
    confidence: float
    n_resamples: int
    n_permutations: int
    tokenizer: str
    threshold: str | float
    out_of_core: bool
    cache: str | Path | None
    n_jobs: int
    backend: str | None
    random_state: int
