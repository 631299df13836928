"""Which metrics to compute, and by which systems are compared."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.errors import AssayError
from assay.evaluation.metrics import (
    METRICS,
    Groups,
    ItemScores,
    Metric,
    PositiveLabel,
    Probabilities,
    RankingScores,
    Relevance,
)
from assay.evaluation.scoring.preparation import PreparedPredictions


def choose_metrics(prepared: PreparedPredictions, names: Sequence[str] | None = None) -> list[Metric]:
    """Return the metrics with these names, or all that apply; `f1` means macro-F1 where no label is positive."""
    if names:
        return list(dict.fromkeys(_find_metric(prepared, name) for name in names))
    return [METRICS[name] for name in _name_usual_metrics(prepared)]


def choose_primary_metric(prepared: PreparedPredictions, names: Sequence[str] | None = None) -> Metric:
    """Return the metric that systems are compared by: the first name, else the one that suits the task."""
    if names:
        return _find_metric(prepared, names[0])
    if _has_item_scores_only(prepared):
        return METRICS["mean-score"]
    return METRICS["spearman"] if prepared.labels.graded else _find_metric(prepared, "f1")


def _find_metric(prepared: PreparedPredictions, name: str) -> Metric:
    metric = METRICS[name.replace("_", "-").lower()]
    if prepared.labels.positive is not None or not {PositiveLabel, Relevance} & set(metric.needs):
        return metric
    if metric.fallback is None:
        hint = "Name it with {positive}."
        raise AssayError(f"{metric.name} needs to know which label is positive", hint=hint)
    return METRICS[metric.fallback]


def _name_usual_metrics(prepared: PreparedPredictions) -> list[str]:
    if _has_item_scores_only(prepared):
        return ["mean-score"]
    if prepared.labels.graded:
        return ["spearman", "pearson", "rmse"]
    positive = prepared.labels.positive is not None
    names = ["accuracy", *(["precision", "recall", "f1"] if positive else []), "macro-f1", "mcc"]
    systems = list(prepared.items.values())
    if any(Probabilities in items for items in systems):
        names += ["log-loss", "brier", "calibration-error"]
    if positive and any(RankingScores in items and Groups in items for items in systems):
        names += ["map", "mrr", "ndcg"]
    return names


def _has_item_scores_only(prepared: PreparedPredictions) -> bool:
    return prepared.predictions.gold is None or all(ItemScores in items for items in prepared.items.values())
