"""The whole evaluation: scores, classes, baselines, comparisons and slices."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from assay.base.errors import UsageError
from assay.data import Dataset
from assay.evaluation.comparison.baselines import compute_error_reductions, score_baselines
from assay.evaluation.comparison.new_sample import compare_with_new_sample
from assay.evaluation.comparison.pairs import Comparison, compare_systems, find_detectable_difference
from assay.evaluation.human_scores import correlate_human_scores, describe_weak_metric
from assay.evaluation.predictions import Predictions, read_predictions
from assay.evaluation.predictions.shards import read_sharded_inputs
from assay.evaluation.repeats.pass_rates import parse_ks, score_passes
from assay.evaluation.repeats.power import DIFFERENCES, measure_power
from assay.evaluation.repeats.stacking import stack_repeats
from assay.evaluation.repeats.variance import measure_repeats
from assay.evaluation.results import Evaluation, SystemScores
from assay.evaluation.scoring.classes import score_classes
from assay.evaluation.scoring.preparation import PreparedPredictions, Score, ScoringSettings, prepare_predictions
from assay.evaluation.scoring.selection import choose_metrics, choose_primary_metric
from assay.evaluation.scoring.workers import Workers, use_one_thread
from assay.evaluation.slices.request import compute_slices
from assay.inputs import take_data
from assay.metrics import Metric
from assay.splits import Folds, read_folds


@use_one_thread()
def evaluate(
    data: Any,
    predictions: Any = None,
    *,
    task: str | None = None,
    text: str | Sequence[str] | None = None,
    label: str | Sequence[str] | None = None,
    id: str | None = None,  # noqa: A002, the name of the role
    split: str | None = None,
    time: str | None = None,
    group: str | None = None,
    log_task: str | None = None,
    metrics: str | Sequence[str] | None = None,
    by: str | Sequence[str] = (),
    folds: Any = None,
    systems: Sequence[str] | None = None,
    item_scores: Any = None,
    human: str | Sequence[str] = (),
    positive: str | None = None,
    missing_predictions: str = "skip",
    pass_at: str | Sequence[int] = (),
    differences: Sequence[float] = DIFFERENCES,
    baseline: str | None = None,
    baselines: bool = True,
    compare: bool = True,
    correction: str = "holm",
    new_sample: Any = None,
    interval: str = "auto",
    confidence: float = 0.95,
    n_resamples: int = 1000,
    n_permutations: int = 10_000,
    tokenizer: str = "words",
    threshold: str | float = "dataset",
    out_of_core: bool = False,
    cache: str | Path | None = None,
    n_jobs: int = 1,
    backend: str | None = None,
    random_state: int = 0,
) -> Evaluation:
    """Score the predictions of systems against the gold labels of the data, with intervals and comparisons.

    Parameters
    ----------
    data
        A file, frame or `Dataset`; None if the predictions have gold labels of their own (a column `gold`), or
        where numbers are item scores.
    predictions
        Files or frames, long or wide; arrays in the order of the data, as a mapping from systems to arrays; or
        `Predictions`. Logs of an evaluation harness bring their own.
    task, text, label, id, split, time, group
        The kind of task and columns of the data, if they are not recognised by name.
    log_task
        A task of logs that have several, or a pattern such as `mmlu_*`.
    metrics
        Names of metrics; the first compares the systems. Without names, all that apply.
    by
        Slices: fold, difficulty, time, part, label, length, or a column of the data.
    folds
        Folds files or `Folds`, for slices by fold or time and for a new sample.
    systems
        Evaluate only these systems.
    item_scores
        Files or frames of scores that rank items, next to wide predictions.
    human
        Columns of long predictions with scores that people gave to the answers; every metric is correlated with them.
    positive
        The positive label.
    missing_predictions
        Items that a system did not answer: skip, count as wrong, or raise an error.
    pass_at
        Numbers of samples k, such as (1, 10): pass@k, pass^k and majority@k of repeated runs.
    differences
        Differences of two systems, for which `power.plans` says how many items they need.
    baseline
        A system whose errors are to be reduced.
    baselines
        Whether to score the trivial baselines of the task, some of which are small models.
    compare
        Whether to compare all pairs of systems.
    correction
        Correction of p-values over all pairs: holm or bh.
    new_sample
        Predictions, with gold labels, of the same systems on a new sample.
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

    >>> data = {"text": ["one", "two", "three"], "label": ["a", "b", "b"]}
    >>> evaluate(data, {"x": ["a", "b", "a"]}, metrics="accuracy")
    Evaluation: 1 system on 3 items, accuracy: x 0.667 [0.208, 0.939]
    """
    settings = ScoringSettings(
        positive,
        missing_predictions,
        interval,
        confidence,
        n_resamples,
        random_state,
        tokenizer,
        Workers(n_jobs, backend),
    )
    roles = {"task": task, "text": text, "label": label, "id": id, "split": split, "time": time, "group": group}
    names, slices, splits = _to_list(metrics), _to_list(by), _take_folds(folds)
    if out_of_core:
        tasks = {"n_jobs": n_jobs, "backend": backend, "cache": cache}
        data, predictions = read_sharded_inputs(data, predictions, roles | {"log_task": log_task}, slices, tasks)
        roles, log_task = {}, None
    dataset = take_data(data, log_task=log_task, **roles)
    answers = _take_predictions(dataset, predictions, item_scores, systems, _to_list(human)).sort_rows()
    n_items = len(answers)
    has_groups = answers.groups is not None
    if not splits:  # repeats of a split are runs of their own
        answers = stack_repeats(answers)
    sample = None if new_sample is None else _take_predictions(None, new_sample).sort_rows()
    prepared = prepare_predictions(answers, settings)
    chosen, primary = choose_metrics(prepared, names), choose_primary_metric(prepared, names)
    pairs = compare_systems(prepared, primary, correction=correction, n_permutations=n_permutations) if compare else []
    trivial = score_baselines(prepared, primary, baseline) if baselines else []
    scores = _score_systems(prepared, chosen, primary)
    if pass_at:
        passes = score_passes(answers, parse_ks(pass_at), confidence=confidence, random_state=random_state)
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
        missing_predictions=missing_predictions,
        resampled="items" if not has_groups else "groups",
        detectable=_find_detectable(pairs, scores, confidence),
        baselines=trivial,
        error_reduction=compute_error_reductions(prepared, primary, trivial),
        comparisons=pairs,
        correction=correction,
        by=compute_slices(prepared, slices, chosen, primary, splits=splits, threshold=threshold),
        new_sample=None if sample is None else compare_with_new_sample(prepared, primary, splits, sample),
        notes=(*answers.notes, *prepared.labels.notes, *weak),
        repeats=measure_repeats(answers) if has_outcomes else None,
        power=measure_power(answers, differences=differences) if has_outcomes else None,
        human=correlations,
    )


def evaluate_arrays(
    gold: Any,
    predicted: Any,
    *,
    groups: Any = None,
    ranking_scores: Mapping[str, Any] | None = None,
    probabilities: Mapping[str, Mapping[str, Any]] | None = None,
    **options: Any,
) -> Evaluation:
    """Score arrays as scikit-learn takes them: gold labels, and one array or a mapping from systems to arrays.

    Without gold labels (None), the arrays are item scores. Further options are those of `evaluate`.

    >>> evaluate_arrays(["a", "b", "b"], {"x": ["a", "b", "a"]}, metrics="accuracy").systems[0].n
    3
    """
    predictions = Predictions.from_arrays(
        gold, predicted, groups=groups, ranking_scores=ranking_scores, probabilities=probabilities
    )
    return evaluate(None, predictions, **options)


def _take_predictions(
    data: Dataset | None,
    predictions: Any,
    item_scores: Any = None,
    systems: Sequence[str] | None = None,
    human: Sequence[str] = (),
) -> Predictions:
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


def _to_list(names: str | Sequence[str] | None) -> list[str]:
    return [] if names is None else [names] if isinstance(names, str) else list(names)


def _score_systems(prepared: PreparedPredictions, metrics: Sequence[Metric], primary: Metric) -> list[SystemScores]:
    scores = {metric.name: prepared.compute_scores(metric) for metric in dict.fromkeys([*metrics, primary])}
    headline = scores[primary.name]
    ranks = _rank_systems(headline, primary)
    missing = prepared.predictions.count_missing()
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
    return {name: 1 + sum(other > value for other in values.values()) for name, value in values.items()}


def _find_detectable(pairs: Sequence[Comparison], systems: Sequence[SystemScores], confidence: float) -> float:
    from scipy.special import ndtri

    if pairs:
        differences = [pair.detectable for pair in pairs if math.isfinite(pair.detectable) and pair.detectable > 0]
        return float(np.median(differences)) if differences else math.nan
    error = (systems[0].high - systems[0].low) / 2 / float(ndtri((1 + confidence) / 2)) if systems else math.nan
    return find_detectable_difference(error * math.sqrt(2))
