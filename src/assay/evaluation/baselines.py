"""Error reduction: how much of what a baseline gets wrong does a system get right (paper 004)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import unknown_name
from assay.base.results import Result
from assay.evaluation.metrics import Items, Metric
from assay.evaluation.scoring import Scored

IDENTITY = "identity"


@dataclass(frozen=True)
class Baseline(Result):
    """What a system without understanding scores, and where it took its label shares from."""

    baseline: str
    metric: str
    value: float
    based_on: str


@dataclass(frozen=True)
class ErrorReduction(Result):
    """r = (p_s − p_b) / (1 − p_b) of a system over a baseline; the interval is the score's, the baseline held fixed."""

    system: str
    baseline: str
    metric: str
    value: float
    low: float
    high: float
    n: int
    reason: str | None = None


def baselines(scored: Scored, metric: Metric, named: str | None = None) -> list[Baseline]:
    """Return the baselines of a metric: multinomial random and majority for labels, a system for item scores.

    The random one guesses labels by their shares in the training part, or else in gold; its score follows
    from its expected counts. `named` is a system to measure against; one called identity is recognised.
    """
    found = []
    if "predicted" in metric.needs:
        shares, based_on = _label_shares(scored)
        found.append(Baseline("random", metric.name, _expected(scored, metric, shares), based_on))
        most = (shares == shares.max()).astype(float)
        most[np.argmax(most) + 1 :] = 0.0  # of equal labels the first by name
        found.append(Baseline("majority", metric.name, _expected(scored, metric, most), based_on))
    system = _baseline_system(scored, named)
    if system is not None:
        value = scored.only([system]).scores(metric)[system].value
        found.append(Baseline(system, metric.name, value, "the system's own predictions"))
    return found


def error_reduction(score: Any, baseline: float) -> tuple[float, float, float]:
    """Return (p_s − p_b) / (1 − p_b) of a score and of its ends; undefined for a perfect baseline.

    >>> from assay.statistics import Interval
    >>> error_reduction(Interval(0.9, 0.8, 1.0), 0.5)
    (0.8, 0.6000000000000001, 1.0)
    """
    if not math.isfinite(baseline) or baseline >= 1:
        return math.nan, math.nan, math.nan
    value, low, high = ((p - baseline) / (1 - baseline) for p in (score.value, score.low, score.high))
    return value, low, high


def error_reductions(scored: Scored, metric: Metric, found: Sequence[Baseline]) -> list[ErrorReduction]:
    """Return the error reduction of every system over every baseline, where 1 is the best the metric can be."""
    scores = scored.scores(metric)
    rows = []
    for baseline in found:
        for name, score in scores.items():
            reason = None if _reaches_one(metric, scores.values()) else f"{metric.name} is not on a scale up to 1"
            value, low, high = (math.nan,) * 3 if reason else error_reduction(score, baseline.value)
            rows.append(ErrorReduction(name, baseline.baseline, metric.name, value, low, high, score.n, reason))
    return rows


def _reaches_one(metric: Metric, scores: Any) -> bool:
    if metric.name == "mean-score":
        return all(not score.value > 1 for score in scores)
    return metric.bounds is not None and metric.bounds[1] == 1.0


def _label_shares(scored: Scored) -> tuple[Array, str]:
    labels = scored.scale.labels[: scored.scale.n_gold]
    gold, based_on = scored.predictions.gold, "gold"
    whole = scored.predictions.whole
    if whole is not None and whole.parts is not None and whole.labels is not None:
        train = whole.labels.filter(whole.parts == "train").drop_nulls()
        if len(train):
            gold, based_on = train.to_numpy(), "train"
    assert gold is not None
    counts = np.array([np.sum(gold == label) for label in labels], dtype=float)
    return counts / counts.sum() if counts.sum() else counts, based_on


def _expected(scored: Scored, metric: Metric, shares: Array) -> float:
    """Score a guesser by its expected counts: those of always saying a label, mixed by the labels' shares."""
    some = next(iter(scored.items.values()))
    everything = np.ones(len(some.present), dtype=bool)
    sums = [share * _constant(metric, some, label, everything) for label, share in enumerate(shares) if share > 0]
    return float(metric.value(np.sum(sums, axis=0))) if sums else math.nan


def _constant(metric: Metric, items: Items, label: int, everything: Array) -> Array:
    guesses = replace(items, present=everything, predicted=np.full(len(everything), label))
    total: Array = metric.statistics(guesses).sum(axis=0, dtype=np.float64)
    return total


def _baseline_system(scored: Scored, named: str | None) -> str | None:
    if named is not None:
        if named not in scored.items:
            raise unknown_name("system", named, scored.items)
        return named
    return next((name for name in scored.items if name.lower() == IDENTITY), None)
