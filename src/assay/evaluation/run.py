"""The whole evaluation: scores, classes, baselines, comparisons and slices."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias, Unpack, cast

import numpy as np
import polars as pl

from assay.base.arrays import Values
from assay.base.entry_points import entry_point, list_strings, replace_settings
from assay.base.errors import UsageError
from assay.data import Dataset
from assay.evaluation.comparison.baselines import compute_error_reductions, score_baselines
from assay.evaluation.comparison.new_sample import compare_with_new_sample
from assay.evaluation.comparison.pairs import Comparison, choose_leaders, compare_systems, count_pairs
from assay.evaluation.comparison.smallest_difference import find_smallest_difference
from assay.evaluation.contrast import contrast_systems, tabulate_items
from assay.evaluation.human_scores import correlate_human_scores, describe_weak_metric
from assay.evaluation.predictions.coverage import treat_missing
from assay.evaluation.predictions.reading import read_predictions
from assay.evaluation.predictions.shards import read_sharded_inputs
from assay.evaluation.predictions.sources import PredictionSource
from assay.evaluation.predictions.types import Predictions
from assay.evaluation.repeats.pass_rates import parse_ks, score_passes
from assay.evaluation.repeats.power import measure_power
from assay.evaluation.repeats.stacking import stack_repeats
from assay.evaluation.repeats.variance import measure_repeats
from assay.evaluation.results import Evaluation, SystemScores
from assay.evaluation.scoring.classes import score_classes
from assay.evaluation.scoring.preparation import PreparedPredictions, Score, prepare_predictions
from assay.evaluation.scoring.selection import choose_metrics, choose_primary_metric
from assay.evaluation.settings import EvaluationArguments, EvaluationSettings
from assay.evaluation.slices.request import compute_slices
from assay.inputs import find_data
from assay.kinds.arguments import DataSource, select_reading
from assay.metrics import Metric
from assay.splits import Folds, read_folds
from assay.tasks.threads import use_one_thread

# Files, folders or frames of predictions, or several of them; systems with their answers.
FoldsSource: TypeAlias = "str | Path | Folds | Sequence[str | Path | Folds]"


@entry_point(EvaluationArguments, metric="metrics")
@use_one_thread()
def evaluate(
    data: DataSource | None,
    predictions: PredictionSource | None = None,
    *,
    folds: FoldsSource | None = None,
    item_scores: PredictionSource | None = None,
    new_sample: PredictionSource | None = None,
    settings: EvaluationSettings = EvaluationSettings(),
    **options: Unpack[EvaluationArguments],
) -> Evaluation:
    """Score the predictions of systems against the gold labels of the data, with intervals and comparisons.

    Parameters
    ----------
    data
        A file, frame or `Dataset`; gold labels, if `predictions` are arrays; None if the predictions have gold labels of
        their own (a column `gold`), or if numbers are item scores.
    predictions
        Files or frames, long or wide; arrays in the order of the data, as a mapping from systems to arrays; or
        `Predictions`. Logs of an evaluation harness contain their own.
    folds
        Folds files or `Folds`, for slices by fold or time and for a new sample.
    item_scores
        Files or frames with scores to rank items by, for wide predictions.
    new_sample
        Predictions of the same systems on a new sample, with gold labels.
    settings
        What to score and how: an `EvaluationSettings`.
    options
        Fields of the settings (`metrics`, `by`, `missing_predictions`, `n_resamples`, …), and arguments of
        `assay.read` for the data (`text`, `label`, `id`, `split`, `time`, `group`, `task`, `choices`, …).

    >>> data = {"text": ["one", "two", "three"], "label": ["a", "b", "b"]}
    >>> evaluate(data, {"x": ["a", "b", "a"]}, metrics="accuracy")
    Evaluation: 1 system on 3 items, accuracy: x 0.667 [0.208, 0.939]
    """
    settings = replace_settings(settings, options)
    reading = select_reading(options)
    names, slices, splits = list_strings(settings.metrics), list_strings(settings.by), _take_folds(folds)
    if settings.out_of_core:
        tasks = {"n_jobs": settings.n_jobs, "backend": settings.backend, "cache": settings.cache}
        data, predictions = read_sharded_inputs(data, predictions, dict(reading), slices, tasks)
        reading = {}
    data, predictions = _take_arrays(data, predictions)
    dataset, human = find_data(data, reading), list_strings(settings.human)
    answers = _take_predictions(dataset, predictions, item_scores, settings.systems, human)
    answers = treat_missing(answers, settings.missing_predictions).sort_rows()
    n_items = len(answers)
    has_groups = answers.groups is not None
    if not splits:  # repeats of a split are runs of their own
        answers = stack_repeats(answers)
    sample = None if new_sample is None else _take_predictions(None, new_sample).sort_rows()
    prepared = prepare_predictions(answers, settings.scoring)
    chosen, primary = choose_metrics(prepared, names), choose_primary_metric(prepared, names)
    correction, confidence = settings.correction, settings.confidence
    pairs: list[Comparison] = []
    scores = _score_systems(prepared, chosen, primary)
    if settings.compare:
        leaders = choose_leaders([row.system for row in sorted(scores, key=lambda row: row.rank)], settings.pairs)
        pairs = compare_systems(
            prepared, primary, correction=correction, n_permutations=settings.n_permutations, leaders=leaders
        )
    trivial = score_baselines(prepared, primary, settings.baseline) if settings.baselines else []
    if settings.pass_at:
        ks = parse_ks(settings.pass_at)
        passes = score_passes(answers, ks, confidence=confidence, random_state=settings.random_state)
        scores = [replace(row, metrics={**row.metrics, **passes[row.system]}) for row in scores]
    correlations = correlate_human_scores(prepared, chosen, names)
    weak = describe_weak_metric(correlations, primary.name, prepared.groups)
    has_outcomes = not prepared.labels.graded
    return Evaluation(
        systems=scores,
        metric=primary.name,
        n_items=n_items,
        n_systems=len(scores),
        labels=[] if prepared.labels.graded else list(prepared.labels.gold_labels),
        positive=prepared.labels.positive,
        missing_predictions=settings.missing_predictions,
        resampled="items" if not has_groups else "groups",
        smallest_difference=find_smallest_difference(
            scores, pairs, confidence=confidence, has_shares=_has_shares(primary, scores)
        ),
        baselines=trivial,
        error_reduction=compute_error_reductions(prepared, primary, trivial),
        comparisons=pairs,
        n_pairs=count_pairs(len(prepared.count_items(primary))) if pairs else 0,
        correction=correction,
        by=compute_slices(prepared, slices, chosen, primary, splits=splits, threshold=settings.threshold),
        new_sample=None if sample is None else compare_with_new_sample(prepared, primary, splits, sample),
        notes=(*answers.notes, *prepared.labels.notes, *weak),
        repeats=measure_repeats(answers) if has_outcomes else None,
        power=measure_power(answers, differences=settings.differences) if has_outcomes else None,
        human=correlations,
        contrast=contrast_systems(prepared, list(settings.contrast)) if settings.contrast else None,
        items=tabulate_items(answers) if has_outcomes and not splits else None,
        left_out=answers.left_out,
    )


def evaluate_arrays(
    gold: Values | None,
    predicted: Values | Mapping[str, Values],
    *,
    groups: Values | None = None,
    ranking_scores: Mapping[str, Values] | None = None,
    probabilities: Mapping[str, Mapping[str, Values]] | None = None,
    **options: Unpack[EvaluationArguments],
) -> Evaluation:
    """Score arrays as scikit-learn takes them: gold labels, and one array or a mapping from systems to arrays.

    Without gold labels (None), the arrays are item scores. Further options are the same as in `evaluate`.

    >>> evaluate_arrays(["a", "b", "b"], {"x": ["a", "b", "a"]}, metrics="accuracy").systems[0].n
    3
    """
    predictions = Predictions.from_arrays(
        gold, predicted, groups=groups, ranking_scores=ranking_scores, probabilities=probabilities
    )
    return evaluate(None, predictions, **options)


def _take_arrays(
    data: DataSource | None, predictions: PredictionSource | None
) -> tuple[DataSource | None, PredictionSource | None]:
    """Turn gold labels and answers that are arrays, as scikit-learn takes them, into predictions with gold labels."""
    answers: list[object] = list(predictions.values()) if isinstance(predictions, Mapping) else [predictions]
    if not answers or not all(map(_is_array, [data, *answers])):
        return data, predictions
    gold: list[Any] = list(cast("Values", data))
    known = {str(label) for each in answers for label in cast("Values", each)}
    if any(isinstance(label, str) for label in gold) and not known & set(map(str, gold)):  # texts, not labels
        return data, predictions
    return None, Predictions.from_arrays(cast("Values", data), cast("Values | Mapping[str, Values]", predictions))


def _is_array(values: object) -> bool:
    """Return whether an object is a list or an array of labels, not of paths or rows."""
    from assay.data.readers.memory import are_paths

    if are_paths(values) or isinstance(values, (str, Mapping)) or getattr(values, "ndim", 1) != 1:
        return False
    if not isinstance(values, (Sequence, np.ndarray, pl.Series)) and not hasattr(values, "to_numpy"):
        return False
    return hasattr(values, "__len__") and all(isinstance(value, (str, int, float, np.generic)) for value in values)  # type: ignore[attr-defined]


def _take_predictions(
    data: Dataset | None,
    predictions: PredictionSource | None,
    item_scores: PredictionSource | None = None,
    systems: str | Sequence[str] | None = None,
    human: Sequence[str] = (),
) -> Predictions:
    systems = None if systems is None else list_strings(systems)
    known = predictions.whole if isinstance(predictions, Predictions) else data
    if data is not None and (known is None or known.fingerprint != data.fingerprint):
        hint = "Read them with this data, or leave it out."
        raise UsageError("These predictions were read with other data.", hint=hint)
    return read_predictions(predictions, data, item_scores, systems=systems, human=human)


def _take_folds(folds: Any) -> list[Folds]:
    if folds is None:
        return []
    several = list(folds) if isinstance(folds, list | tuple) else [folds]
    return [split if isinstance(split, Folds) else read_folds(split) for split in several]


def _score_systems(prepared: PreparedPredictions, metrics: Sequence[Metric], primary: Metric) -> list[SystemScores]:
    scores = {metric.name: prepared.compute_scores(metric) for metric in dict.fromkeys([*metrics, primary])}
    headline = scores[primary.name]
    ranks = _rank_systems(headline, primary)
    missing, empty = prepared.predictions.count_missing(), prepared.predictions.count_empty()
    classes = score_classes(prepared)
    if prepared.predictions.n_repeats > 1:
        scores = {metric: _count_items(prepared, by_system) for metric, by_system in scores.items()}
        headline = scores[primary.name]
    return [
        SystemScores(
            name,
            primary.name,
            score.value,
            score.low,
            score.high,
            score.n,
            ranks[name],
            missing[name],
            {metric: by_system[name] for metric, by_system in scores.items()},
            classes.get(name),
            empty[name],
        )
        for name, score in headline.items()
    ]


def _count_items(prepared: PreparedPredictions, scores: Mapping[str, Score]) -> dict[str, Score]:
    """Let n be the number of items, each of which has several repeats."""
    ids = prepared.predictions.ids.astype(str)
    counts = {name: len(np.unique(ids[items.present])) for name, items in prepared.items.items()}
    return {name: replace(score, n=min(score.n, counts[name])) for name, score in scores.items()}


def _rank_systems(scores: Mapping[str, Score], metric: Metric) -> dict[str, int]:
    """Rank the systems, 1 the best; equal ones share the better rank, undefined ones come last."""
    sign = -1.0 if metric.lower_is_better else 1.0
    values = {name: sign * score.value if math.isfinite(score.value) else -math.inf for name, score in scores.items()}
    ascending = sorted(values.values())
    return {name: 1 + len(values) - bisect_right(ascending, value) for name, value in values.items()}


def _has_shares(metric: Metric, systems: Sequence[SystemScores]) -> bool:
    """Return whether the scores are from 0 to 1, so that their differences are points of 100."""
    if metric.bounds_from_scores:
        return all(0 <= system.value <= 1 for system in systems if math.isfinite(system.value))
    return metric.bounds == (0.0, 1.0)
