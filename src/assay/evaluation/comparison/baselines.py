"""Error reduction: how many of a baseline's errors a system avoids (Søgaard et al. 2021)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import unknown_name
from assay.base.marks import NAME, OWN
from assay.data import Dataset
from assay.evaluation.predictions.types import Answers, Predictions, to_labels
from assay.evaluation.scoring.preparation import PreparedPredictions, ScoringSettings, prepare_predictions
from assay.kinds import BaselineAnswers, kind_of
from assay.metrics import AnsweredItems, Metric
from assay.views.results import Result
from assay.wording.numbers import Estimate

IDENTITY = "identity"  # the usual name of a system that copies its input


@dataclass(frozen=True)
class ScoredBaseline(Result):
    """The score of a system without understanding, and the source of its label shares."""

    baseline: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    value: float
    based_on: str = field(metadata=OWN)
    low: float = math.nan
    high: float = math.nan
    n: int | None = None
    shortcut: str = field(default="", metadata=OWN)


@dataclass(frozen=True)
class ErrorReduction(Result):
    """r = (p_s − p_b) / (1 − p_b) of a system over a baseline; the interval is the score's, the baseline held fixed."""

    system: str = field(metadata=NAME)
    baseline: str = field(metadata=NAME)
    metric: str = field(metadata=OWN)
    value: float
    low: float
    high: float
    n: int
    reason: str | None = field(default=None, metadata=OWN)


def score_baselines(prepared: PreparedPredictions, metric: Metric, system: str | None = None) -> list[ScoredBaseline]:
    """Return the baselines of a metric: multinomial random and majority for labels, a system for item scores.

    The random one guesses labels by their shares in the training part, or else in gold; its score follows from its
    expected counts. `system` is a system to measure against; one called identity is recognised.
    """
    baselines = []
    if "labels" in metric.needs:
        shares, based_on = _find_label_shares(prepared)
        baselines.append(ScoredBaseline("random", metric.name, _score_guesser(prepared, metric, shares), based_on))
        majority = (shares == shares.max()).astype(float)
        majority[np.argmax(majority) + 1 :] = 0.0  # of equal labels the first by name
        baselines.append(ScoredBaseline("majority", metric.name, _score_guesser(prepared, metric, majority), based_on))
    baselines += score_kind_baselines(prepared, metric)
    name = _find_baseline_system(prepared, system)
    if name is not None:
        value = prepared.select([name]).compute_scores(metric)[name].value
        baselines.append(ScoredBaseline(name, metric.name, value, "the system's own predictions"))
    return baselines


def score_kind_baselines(prepared: PreparedPredictions, metric: Metric) -> list[ScoredBaseline]:
    """Score the trivial baselines of the kind of task on the evaluated items, with intervals."""
    predictions = prepared.predictions
    if prepared.kind is None or predictions.data is None or predictions.whole is None:
        return []
    places = {identity: row for row, identity in enumerate(predictions.whole.ids.to_list())}
    rows = np.array([places[identity] for identity in predictions.ids.tolist()])
    answers = list(prepared.kind.learning.answer_baselines(predictions.whole, rows, prepared.settings.random_state))
    if not answers:
        return []
    return _score_answers(answers, predictions, metric, prepared.settings)


def score_trivial_baselines(data: Dataset, metric: str | None = None, random_state: int = 0) -> list[ScoredBaseline]:
    """Score the trivial baselines of a kind of task on the test part with gold (else dev, else all), without any system.

    >>> from assay.kinds import read
    >>> quiz = read({"question": ["a?", "b?"], "choices": [["x", "yes"], ["no", "z"]], "answer": ["B", "B"]})
    >>> [(row.baseline, row.value) for row in score_trivial_baselines(quiz)]
    [('longest-option', 0.5), ('overlap', 0.0)]
    """
    kind = kind_of(data)
    gold = kind.gold.get_gold(data)
    if gold is None:
        return []
    known = gold.is_not_null().to_numpy()
    rows = _choose_tested_rows(data, np.flatnonzero(known))
    answers = list(kind.learning.answer_baselines(data, rows, random_state)) if len(rows) else []
    if not answers:
        return []
    items = data.take(rows)
    groups = None if items.groups is None else to_labels(items.groups.to_list())
    predictions = Predictions(
        to_labels(items.ids.to_list()), to_labels(gold.gather(rows).to_list()), {}, groups, data=items, whole=data
    )
    name = metric or kind.scoring.choose_metrics(items)[0]
    return _score_answers(
        answers, predictions, kind.scoring.find_metric(name), ScoringSettings(random_state=random_state)
    )


def _choose_tested_rows(data: Dataset, known: Array) -> Array:
    """Return the items with gold of the test part; if it has none, those of dev; without such parts all."""
    if data.parts is None or len(data.part_names) < 2:
        return known
    parts = data.parts.gather(known).to_list()
    part = next((name for name in ("test", "dev") if name in parts), None)
    return known if part is None else known[[name == part for name in parts]]


def _score_answers(
    answers: Sequence[BaselineAnswers], predictions: Predictions, metric: Metric, settings: ScoringSettings
) -> list[ScoredBaseline]:
    systems = {each.name: Answers(to_labels(each.answers)) for each in answers}
    settings = replace(settings, missing_predictions="wrong")
    scores = prepare_predictions(replace(predictions, systems=systems, runs={}), settings).compute_scores(metric)
    named = {each.name: each for each in answers}
    return [
        ScoredBaseline(
            name,
            metric.name,
            score.value,
            named[name].based_on,
            score.low,
            score.high,
            score.n,
            named[name].shortcut,
        )
        for name, score in scores.items()
    ]


def compute_error_reduction(score: Estimate, baseline: float) -> tuple[float, float, float]:
    """Return (p_s − p_b) / (1 − p_b) of a score and of the ends of its interval; undefined for a perfect baseline.

    >>> from assay.statistics import Interval
    >>> compute_error_reduction(Interval(0.9, 0.8, 1.0), 0.5)
    (0.8, 0.6000000000000001, 1.0)
    """
    if not math.isfinite(baseline) or baseline >= 1:
        return math.nan, math.nan, math.nan
    value, low, high = ((p - baseline) / (1 - baseline) for p in (score.value, score.low, score.high))
    return value, low, high


def compute_error_reductions(
    prepared: PreparedPredictions, metric: Metric, baselines: Sequence[ScoredBaseline]
) -> list[ErrorReduction]:
    """Return the error reduction of every system over every baseline, where 1 is the best value of the metric."""
    if not baselines:
        return []
    scores = prepared.compute_scores(metric)
    at_most_one = metric.is_at_most_one(score.value for score in scores.values())
    reason = None if at_most_one else f"{metric.name} is not on a scale up to 1"
    rows = []
    for baseline in baselines:
        for name, score in scores.items():
            interval = (math.nan,) * 3 if reason else compute_error_reduction(score, baseline.value)
            rows.append(ErrorReduction(name, baseline.baseline, metric.name, *interval, score.n, reason))
    return rows


def _find_label_shares(prepared: PreparedPredictions) -> tuple[Array, str]:
    gold, based_on = prepared.predictions.gold, "gold"
    whole = prepared.predictions.whole
    if whole is not None and whole.parts is not None and whole.labels is not None:
        train = whole.labels.filter(whole.parts == "train").drop_nulls()
        if len(train):
            gold, based_on = train.to_numpy(), "train"
    assert gold is not None
    counts = np.array([np.sum(gold == label) for label in prepared.labels.gold_labels], dtype=float)
    return counts / counts.sum() if counts.sum() else counts, based_on


def _score_guesser(prepared: PreparedPredictions, metric: Metric, shares: Array) -> float:
    """Score a guesser by its expected counts: those of always giving one label, mixed by the labels' shares."""
    items = next(iter(prepared.items.values()))
    sums = [share * _sum_constant_answer(metric, items, code) for code, share in enumerate(shares) if share > 0]
    return float(metric.compute_value(np.sum(sums, axis=0))) if sums else math.nan


def _sum_constant_answer(metric: Metric, items: AnsweredItems, code: int) -> Array:
    answers = replace(items, predicted=np.full(len(items), code), present=np.ones(len(items), dtype=bool))
    return np.asarray(metric.collect_statistics(answers).sum(axis=0, dtype=np.float64))


def _find_baseline_system(prepared: PreparedPredictions, system: str | None) -> str | None:
    if system is None:
        return next((name for name in prepared.items if name.lower() == IDENTITY), None)
    if system not in prepared.items:
        raise unknown_name("system", system, prepared.items)
    return system
