"""Which split best estimates the score on a new sample (Søgaard et al. 2021, Table 2)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.base.marks import NAME, OWN
from assay.evaluation.comparison.baselines import compute_error_reduction, score_baselines
from assay.evaluation.predictions.types import Predictions
from assay.evaluation.scoring.preparation import PreparedPredictions, prepare_predictions
from assay.evaluation.slices.folds import FoldTable, SystemFolds, assign_folds, score_folds
from assay.metrics import Metric
from assay.splits import Folds
from assay.views.results import Result
from assay.wording.numbers import Estimate


@dataclass(frozen=True)
class SplitEstimate(Result):
    """The score of a system under a split (the mean over its folds), and its score on the new sample."""

    split: str = field(metadata=NAME)
    system: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    estimate: float
    new_sample: float
    n_new_sample: int
    error_reduction_estimate: float
    error_reduction_new_sample: float


@dataclass(frozen=True)
class SplitError(Result):
    """The mean squared error of a split's estimates over the systems: of the metric, and of error reductions."""

    split: str = field(metadata=NAME)
    mse: float
    mse_error_reduction: float
    n_systems: int


@dataclass(frozen=True)
class NewSample(Result):
    """The error of every split against a new sample, and the estimates behind it."""

    _table: ClassVar[str] = "splits"
    splits: list[SplitError]
    estimates: list[SplitEstimate]


def compare_with_new_sample(
    prepared: PreparedPredictions, metric: Metric, splits: Sequence[Folds], sample: Predictions
) -> NewSample:
    """Compare every split's estimates with the scores of the same systems on a new sample.

    Error reductions are over the multinomial random baseline of each fold and of the sample, as in the paper.
    """
    folds = {(system.split, system.system): system for system in assign_folds(prepared, splits)}
    new = _prepare_sample(sample, prepared)
    scores = {sample.find_run(name).system: score for name, score in new.compute_scores(metric).items()}
    estimates = []
    for table in score_folds(prepared, metric, splits):
        system = folds[table.split, table.system]
        name = prepared.predictions.find_run(system.folds[0].run).system
        if name in scores:
            score = scores[name]
            reductions = _reduce_over_folds(prepared, metric, table, system), _reduce_errors(new, metric, score)
            values = (table.mean, score.value, score.n, *reductions)
            estimates.append(SplitEstimate(table.split, name, metric.name, *values))
    return NewSample([_average_errors(split, estimates) for split in _list_splits(estimates)], estimates)


def _prepare_sample(sample: Predictions, prepared: PreparedPredictions) -> PreparedPredictions:
    """Turn the answers on the new sample into arrays; its positive label is the same as for the other answers."""
    known = {prepared.predictions.find_run(name).system: None for name in prepared.items}
    if not known.keys() & {sample.find_run(name).system for name in sample.systems}:
        raise AssayError(f"The new sample has none of the systems {join_names(known)}.")
    try:
        return prepare_predictions(sample, replace(prepared.settings, positive=prepared.labels.positive))
    except AssayError as error:
        raise AssayError(error.fact, place=error.place or "the new sample", hint=error.hint) from error


def _list_splits(estimates: Sequence[SplitEstimate]) -> list[str]:
    return list(dict.fromkeys(estimate.split for estimate in estimates))


def _reduce_over_folds(prepared: PreparedPredictions, metric: Metric, table: FoldTable, system: SystemFolds) -> float:
    if "labels" not in metric.needs:
        return math.nan
    parts = [prepared.select([fold.run]).take(fold.mask) for fold in system.folds]
    return float(np.mean([_reduce_errors(part, metric, fold) for part, fold in zip(parts, table.folds, strict=True)]))


def _reduce_errors(prepared: PreparedPredictions, metric: Metric, score: Estimate) -> float:
    baselines = score_baselines(prepared, metric)
    return compute_error_reduction(score, baselines[0].value)[0] if baselines else math.nan


def _average_errors(split: str, estimates: Sequence[SplitEstimate]) -> SplitError:
    rows = [row for row in estimates if row.split == split]
    errors = [(row.estimate - row.new_sample) ** 2 for row in rows]
    reduction_errors = [(row.error_reduction_estimate - row.error_reduction_new_sample) ** 2 for row in rows]
    return SplitError(split, float(np.mean(errors)), float(np.mean(reduction_errors)), len(rows))
