"""The whole evaluation: scores, classes, baselines, comparisons and whatever slices are asked for."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.base.results import Result
from assay.evaluation.baselines import Baseline, ErrorReduction, baselines, error_reductions
from assay.evaluation.by_difficulty import by_difficulty
from assay.evaluation.by_fold import by_fold
from assay.evaluation.by_time import by_time
from assay.evaluation.class_scores import Classes, classes_of
from assay.evaluation.comparing import Comparison, compare_systems, detectable_difference
from assay.evaluation.metrics import Metric
from assay.evaluation.new_sample import against_new_sample
from assay.evaluation.predictions import Predictions
from assay.evaluation.scoring import Score, Scored, Settings, chosen_metrics, prepared, primary_metric
from assay.evaluation.slices import by_slices, slice_metrics, slice_names

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class SystemScores(Result):
    """One system: the metric that systems are compared by, its interval, n, and all the others."""

    system: str
    metric: str
    value: float
    low: float
    high: float
    n: int
    rank: int
    n_missing: int
    metrics: dict[str, Score]
    classes: Classes | None = field(repr=False)


@dataclass(frozen=True)
class Evaluation(Result):
    """How systems do on a dataset, how sure that is, and whether they differ.

    `detectable` is the smallest true difference of two systems that this test set finds with 80 % power
    (two-sided, 5 %; the median over the pairs, or for one system as if another made errors of its own).
    """

    systems: list[SystemScores]
    metric: str
    n_items: int
    n_systems: int
    labels: list[str]
    positive: str | None
    missing_predictions: str
    resampled: str
    detectable: float
    baselines: list[Baseline]
    error_reduction: list[ErrorReduction]
    comparisons: list[Comparison]
    correction: str
    by: dict[str, Any]
    new_sample: dict[str, Any] | None
    notes: tuple[str, ...]

    def _frame(self) -> pl.DataFrame:
        """Return one row a system and metric."""
        import polars as pl

        rows = [
            {"system": system.system, "metric": name, **score.to_dict()}
            for system in self.systems
            for name, score in system.metrics.items()
        ]
        return pl.DataFrame(rows, infer_schema_length=None)


def evaluate(
    gold: Any,
    predicted: Any = None,
    *,
    groups: Any = None,
    scores: Mapping[str, Any] | None = None,
    probabilities: Mapping[str, Mapping[str, Any]] | None = None,
    metrics: Sequence[str] | None = None,
    by: Sequence[str] = (),
    folds: Sequence[Any] = (),
    positive: str | None = None,
    missing: str = "skip",
    baseline: str | None = None,
    compare: bool = True,
    correction: str = "holm",
    new_sample: Predictions | None = None,
    interval: str = "auto",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    n_permutations: int = 10_000,
    tokenizer: str = "words",
    threshold: str | float = "dataset",
    random_state: int = 0,
) -> Evaluation:
    """Score systems against gold: arrays as scikit-learn has them, or `Predictions` read from files.

    Without gold (None), the arrays are item scores. Intervals are over items, or over groups where there are
    groups. `by` takes fold, difficulty, time, part, label, length or a column of the data.

    >>> evaluate(["a", "b", "b"], {"x": ["a", "b", "a"]}, metrics=["accuracy"]).systems[0].n
    3
    """
    given = gold
    if not isinstance(given, Predictions):
        given = Predictions.from_arrays(gold, predicted, groups=groups, scores=scores, probabilities=probabilities)
    scored = prepared(given, Settings(positive, missing, interval, confidence, n_resamples, random_state))
    chosen, primary = chosen_metrics(scored, metrics), primary_metric(scored, metrics)
    pairs = compare_systems(scored, primary, correction=correction, n_permutations=n_permutations) if compare else []
    found = baselines(scored, primary, baseline)
    systems = _systems(scored, chosen, primary)
    sliced = {name: _sliced(scored, name, chosen, primary, folds, tokenizer, threshold) for name in by}
    return Evaluation(
        systems=systems,
        metric=primary.name,
        n_items=len(given),
        n_systems=len(systems),
        labels=list(scored.scale.labels[: scored.scale.n_gold]) if not scored.scale.graded else [],
        positive=scored.scale.positive,
        missing_predictions=missing,
        resampled="items" if given.groups is None else "groups",
        detectable=_detectable(pairs, systems, confidence),
        baselines=found,
        error_reduction=error_reductions(scored, primary, found),
        comparisons=pairs,
        correction=correction,
        by=sliced,
        new_sample=_new_sample(scored, primary, folds, new_sample, tokenizer),
        notes=(*given.notes, *scored.scale.notes),
    )


def _systems(scored: Scored, metrics: Sequence[Metric], primary: Metric) -> list[SystemScores]:
    scores = {metric.name: scored.scores(metric) for metric in [*metrics, primary]}
    headline = scores[primary.name]
    ranks = _ranks(headline, primary)
    missing = scored.predictions.missing()
    classes = classes_of(scored)
    found = []
    for name, score in headline.items():
        told = {metric.name: scores[metric.name][name] for metric in [*metrics, primary]}
        ends = (score.value, score.low, score.high, score.n)
        found.append(SystemScores(name, primary.name, *ends, ranks[name], missing[name], told, classes.get(name)))
    return found


def _ranks(scores: Mapping[str, Score], metric: Metric) -> dict[str, int]:
    """Rank the systems, 1 the best; equal ones share the better rank, undefined ones come last."""
    sign = -1.0 if metric.lower_is_better else 1.0
    values = {name: sign * score.value if math.isfinite(score.value) else -math.inf for name, score in scores.items()}
    return {name: 1 + sum(other > value for other in values.values()) for name, value in values.items()}


def _detectable(pairs: Sequence[Comparison], systems: Sequence[SystemScores], confidence: float) -> float:
    from scipy.special import ndtri

    if pairs:
        found = [pair.detectable for pair in pairs if math.isfinite(pair.detectable) and pair.detectable > 0]
        return float(np.median(found)) if found else math.nan
    error = (systems[0].high - systems[0].low) / 2 / float(ndtri((1 + confidence) / 2)) if systems else math.nan
    return detectable_difference(error * math.sqrt(2))


def _sliced(
    scored: Scored,
    by: str,
    metrics: Sequence[Metric],
    primary: Metric,
    folds: Sequence[Any],
    tokenizer: str,
    threshold: str | float,
) -> Any:
    if by == "fold":
        return by_fold(scored, primary, folds, tokenizer)
    if by == "difficulty":
        seed = scored.settings.random_state
        return by_difficulty(scored, tokenizer=tokenizer, threshold=threshold, random_state=seed)
    if by == "time":
        return by_time(scored, primary, folds)
    return by_slices(scored, slice_metrics(by, metrics), slice_names(scored, by, tokenizer))


def _new_sample(
    scored: Scored, metric: Metric, folds: Sequence[Any], sample: Predictions | None, tokenizer: str
) -> dict[str, Any] | None:
    if sample is None:
        return None
    tables = by_fold(scored, metric, folds, tokenizer)
    splits, estimates = against_new_sample(scored, metric, tables, folds, sample)
    return {"splits": splits, "estimates": estimates}
