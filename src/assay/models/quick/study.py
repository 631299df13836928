"""Study the quick models of a kind of task: scores, gains over models that see less, and what harder splits cost."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.inputs import take_data
from assay.kinds import kind_of
from assay.metrics import METRICS, Metric
from assay.models.drops import combine_errors, compute_error_reduction
from assay.models.quick.cross_validation import QuickFit, QuickPredictions, cross_validate_quick
from assay.models.quick.results import QuickGain, QuickScore, QuickStress, QuickStudy
from assay.models.split_drawing import CHALLENGING_SPLITS, N_DRAWS, N_SPLITS, RANDOM, STANDARD, TEST_SIZE
from assay.statistics import Interval, bootstrap_sums, bootstrap_weights, percentile

if TYPE_CHECKING:
    from assay.kinds.arguments import DataSource
    from assay.text import Corpus

N_RESAMPLES = 1000
N_STRESS_RESAMPLES = 200
MIN_HELD_OUT = 20


def study_quick_models(
    data: DataSource,
    *,
    splits: Sequence[str] = CHALLENGING_SPLITS,
    n_splits: int = N_SPLITS,
    n_draws: int = N_DRAWS,
    test_size: float = TEST_SIZE,
    corpus: Corpus | None = None,
    vectors: object = None,
    random_state: int = 0,
) -> QuickStudy:
    """Train the quick models of a kind of task under random folds, the data's own parts and harder splits.

    `data` is a `Dataset` or anything `read` takes, of a kind without classes of texts: multiple choice, graded,
    tagging, multilabel or preference. `corpus` and `vectors` belong to the items with a gold answer.

    >>> texts = ["good " * (n % 12) + "film" for n in range(60)]
    >>> study = study_quick_models({"text": texts, "score": [n % 12 / 4 for n in range(60)]}, splits=(), n_splits=3)
    >>> study.metric, study.find_score("length").value > 0.7
    ('r2', True)
    """
    predictions = cross_validate_quick(
        take_data(data),
        splits=splits,
        n_splits=n_splits,
        n_draws=n_draws,
        test_size=test_size,
        corpus=corpus,
        vectors=vectors,
        random_state=random_state,
    )
    return summarise_predictions(predictions, random_state)


def summarise_predictions(predictions: QuickPredictions, random_state: int = 0) -> QuickStudy:
    """Return scores with intervals, gains and stress of what quick models answered."""
    data, kind = predictions.data, predictions.kind
    metric = kind.learning.get_model_metric(data)
    chances = kind.gold.get_chances(data)
    scores = [
        *_score_splits(predictions, metric, random_state),
        *_score_other_metrics(predictions, metric, random_state),
        *_score_registered_metrics(predictions, metric, random_state),
    ]
    return QuickStudy(
        title=kind.title,
        item_noun=kind.item_noun,
        metric=metric.name,
        chance=math.nan if chances is None or not len(chances) else float(chances.mean()),
        n_items=len(data),
        scores=tuple(scores),
        gains=tuple(_measure_gains(predictions, metric, random_state)),
        stress=tuple(measure_stress(predictions, metric, random_state)),
        notes=tuple(predictions.notes),
    )


def _score_splits(predictions: QuickPredictions, metric: Metric, random_state: int) -> Iterator[QuickScore]:
    """Yield the score of every model under every split by the measure that models are compared by."""
    for split in predictions.splits:
        for model in predictions.models:
            if predictions.select(split, model.name):
                interval, n = _bound_score(predictions, split, model.name, metric, random_state)
                ends = (interval.value, interval.low, interval.high, n)
                yield QuickScore(split, model.name, model.sees, model.shortcut, metric.name, *ends)


def _score_other_metrics(predictions: QuickPredictions, metric: Metric, random_state: int) -> Iterator[QuickScore]:
    """Yield the scores by the kind's other measures, such as those of unseen words, on random folds and own parts."""
    data, kind = predictions.data, predictions.kind
    named = kind.scoring.choose_metrics(kind.learning.attach_training(data, data))
    others = [other for other in kind.scoring.own_metrics if other.name in named and other.name != metric.name]
    for other in others:
        if other.find_missing_package() is not None:
            continue
        for split in (RANDOM, STANDARD):
            for model in predictions.models:
                if predictions.select(split, model.name):
                    interval, n = _bound_score(predictions, split, model.name, other, random_state)
                    ends = (interval.value, interval.low, interval.high, n)
                    yield QuickScore(split, model.name, model.sees, model.shortcut, other.name, *ends)


def _score_registered_metrics(predictions: QuickPredictions, metric: Metric, random_state: int) -> Iterator[QuickScore]:
    """Yield the scores by metrics of `assay.evaluation`, such as Spearman's correlation, under random folds."""
    from assay.evaluation.predictions.types import Answers, Predictions, to_labels
    from assay.evaluation.scoring.preparation import ScoringSettings, prepare_predictions

    data, kind = predictions.data, predictions.kind
    own = {each.name for each in kind.scoring.own_metrics} | {metric.name}
    names = [name for name in kind.scoring.choose_metrics(data) if name not in own]
    gold = kind.gold.get_gold(data)
    if not names or gold is None:
        return
    systems = {
        model.name: Answers(to_labels(predictions.list_answers(model.name)))
        for model in predictions.models
        if model.shortcut != "constant"
    }
    groups = None if data.groups is None else to_labels(data.groups.to_list())
    gold_labels = to_labels(gold.to_list())
    answers = Predictions(to_labels(data.ids.to_list()), gold_labels, systems, groups, data=data, whole=data)
    prepared = prepare_predictions(answers, ScoringSettings(missing_predictions="wrong", random_state=random_state))
    known = {model.name: model for model in predictions.models}
    for name in names:
        for system, score in prepared.compute_scores(METRICS[name]).items():
            model = known[system]
            ends = (score.value, score.low, score.high, score.n)
            yield QuickScore(RANDOM, system, model.sees, model.shortcut, name, *ends)


def _bound_score(
    predictions: QuickPredictions, split: str, model: str, metric: Metric, random_state: int
) -> tuple[Interval, int]:
    """Return the score over all held-out items with its bootstrap interval over groups, and how many items there are."""
    rows, table = predictions.collect_split(split, model, metric)
    sums = bootstrap_sums(table, N_RESAMPLES, random_state, predictions.units[rows])
    value = float(metric.compute_value(table.sum(axis=0)))
    return percentile(metric.compute_value(sums), value=value), len(np.unique(rows))


def _measure_gains(predictions: QuickPredictions, metric: Metric, random_state: int) -> Iterator[QuickGain]:
    """Yield what the whole model scores more than each model that sees less, on the same items."""
    whole = predictions.models[0]
    rows, table = predictions.collect_split(RANDOM, whole.name, metric)
    units = predictions.units[rows]
    for model in predictions.models[1:]:
        other = predictions.collect_split(RANDOM, model.name, metric)[1]
        both = bootstrap_sums(np.hstack([table, other]), N_RESAMPLES, random_state, units)
        first, second = (metric.compute_value(sums) for sums in np.split(both, 2, axis=1))
        value = float(metric.compute_value(table.sum(axis=0))) - float(metric.compute_value(other.sum(axis=0)))
        interval = percentile(first - second, value=value)
        ends = (value, interval.low, interval.high, len(rows))
        yield QuickGain(whole.name, model.name, model.sees, metric.name, *ends)


def measure_stress(predictions: QuickPredictions, metric: Metric, random_state: int = 0) -> list[QuickStress]:
    """Compare every harder split with random folds, for the whole model and on the same items."""
    whole = predictions.models[0].name
    constant = next((model.name for model in predictions.models if model.shortcut == "constant"), None)
    rows, table = predictions.collect_split(RANDOM, whole, metric)
    random = np.zeros((len(predictions.data), table.shape[1]))
    random[rows] = table
    stress = []
    for split in predictions.splits:
        draws = [fit for fit in predictions.select(split, whole) if len(fit.rows) >= MIN_HELD_OUT]
        if split not in (RANDOM, STANDARD) and draws:
            floors = (
                {} if constant is None else {fit.rows.tobytes(): fit for fit in predictions.select(split, constant)}
            )
            stress.append(_measure_split(predictions, metric, random, draws, floors, random_state))
    return stress


def _measure_split(
    predictions: QuickPredictions,
    metric: Metric,
    random: Array,
    draws: list[QuickFit],
    floors: dict[bytes, QuickFit],
    random_state: int,
) -> QuickStress:
    tables = [predictions.collect(fit, metric) for fit in draws]
    scores = np.array([_compute(metric, table.sum(axis=0)) for table in tables])
    baseline = np.array([_compute(metric, random[fit.rows].sum(axis=0)) for fit in draws])
    floor = np.array([_score_floor(predictions, metric, fit, floors) for fit in draws])
    drops = baseline - scores
    by_items = _measure_item_error(predictions, metric, random, draws, tables, random_state)
    by_draws = float(np.nanstd(drops, ddof=1)) / math.sqrt(len(draws)) if len(draws) > 1 else 0.0
    held_out = np.concatenate([fit.rows for fit in draws])
    n_units = len(np.unique(predictions.units[held_out]))
    standard_error, degrees = combine_errors(by_draws, by_items, len(draws), n_units)
    return QuickStress(
        split=draws[0].split,
        model=draws[0].model,
        metric=metric.name,
        n_draws=len(draws),
        n_items=len(np.unique(held_out)),
        score=_average(scores),
        random_score=_average(baseline),
        error_reduction=_average(_reduce_errors(scores, floor)),
        random_error_reduction=_average(_reduce_errors(baseline, floor)),
        drop=_average(drops),
        standard_error=standard_error,
        degrees=degrees,
    )


def _measure_item_error(
    predictions: QuickPredictions,
    metric: Metric,
    random: Array,
    draws: list[QuickFit],
    tables: list[Array],
    random_state: int,
) -> float:
    """Return the standard deviation of the mean drop over resamples of whole groups."""
    units = predictions.units
    weights = bootstrap_weights(len(units), N_STRESS_RESAMPLES, random_state, units).astype(float)
    drops = [
        metric.compute_value(weights[:, fit.rows] @ random[fit.rows])
        - metric.compute_value(weights[:, fit.rows] @ table)
        for fit, table in zip(draws, tables, strict=True)
    ]
    means = np.mean(drops, axis=0)
    return float(np.nanstd(means, ddof=1)) if np.isfinite(means).sum() > 1 else math.nan


def _score_floor(predictions: QuickPredictions, metric: Metric, fit: QuickFit, floors: dict[bytes, QuickFit]) -> float:
    """Return what the constant answer scores on the same items, or else a blind guess."""
    constant = floors.get(fit.rows.tobytes())
    if constant is not None:
        return _compute(metric, predictions.collect(constant, metric).sum(axis=0))
    chances = kind_of(predictions.data).gold.get_chances(predictions.data)
    return math.nan if chances is None else float(chances[fit.rows].mean())


def _reduce_errors(scores: Array, floor: Array) -> Array:
    return np.array([compute_error_reduction(*pair) for pair in zip(scores.tolist(), floor.tolist(), strict=True)])


def _compute(metric: Metric, sums: Array) -> float:
    return float(metric.compute_value(sums))


def _average(values: Array) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else math.nan
