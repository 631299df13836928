"""Which metrics to compute, and by which systems are compared."""

from __future__ import annotations

from collections.abc import Sequence

from assay.base.errors import AssayError
from assay.evaluation.scoring.preparation import PreparedPredictions
from assay.metrics import METRICS, Metric, find_metric


def choose_metrics(prepared: PreparedPredictions, names: Sequence[str] | None = None) -> list[Metric]:
    """Return the metrics with these names, or all that apply; `f1` means macro-F1 if no label is positive."""
    if names:
        return list(dict.fromkeys(_find_metric(prepared, name) for name in names))
    return [_find_metric(prepared, name) for name in _name_usual_metrics(prepared)]


def choose_primary_metric(prepared: PreparedPredictions, names: Sequence[str] | None = None) -> Metric:
    """Return the metric that systems are compared by: the first name, else the one that suits the task."""
    if names:
        return _find_metric(prepared, names[0])
    if _has_item_scores_only(prepared):
        return METRICS["mean-score"]
    own = _name_kind_metrics(prepared)
    if own:
        return _choose_able(prepared, own)
    return METRICS["spearman"] if prepared.labels.graded else _find_metric(prepared, "f1")


def _find_metric(prepared: PreparedPredictions, name: str) -> Metric:
    name = name.replace("_", "-").lower()
    metric = find_metric(name) if prepared.kind is None else prepared.kind.scoring.find_metric(name)
    if prepared.labels.positive is not None or "positive label" not in metric.needs:
        return metric
    if not metric.fallback:
        hint = "Name it with {positive}."
        raise AssayError(f"{metric.name} needs to know which label is positive", hint=hint)
    return METRICS[metric.fallback]


def _name_usual_metrics(prepared: PreparedPredictions) -> list[str]:
    if _has_item_scores_only(prepared):
        return ["mean-score"]
    own = _name_kind_metrics(prepared)
    if own:
        return own
    if prepared.labels.graded:
        return ["spearman", "pearson", "rmse"]
    positive = prepared.labels.positive is not None
    names = ["accuracy", *(["precision", "recall", "f1"] if positive else []), "macro-f1", "mcc"]
    systems = list(prepared.items.values())
    if any(items.has("probabilities") for items in systems):
        names += ["log-loss", "brier", "calibration-error"]
    if positive and any(items.has("ranking scores") and items.has("groups") for items in systems):
        names += ["map", "mrr", "ndcg"]
    return names


def _name_kind_metrics(prepared: PreparedPredictions) -> list[str]:
    """Return the metrics of a kind that has its own, the one that systems are compared by first."""
    kind, data = prepared.kind, prepared.predictions.data
    return (
        []
        if kind is None or data is None or not kind.scoring.has_own_metrics
        else list(kind.scoring.choose_metrics(data))
    )


def _choose_able(prepared: PreparedPredictions, names: Sequence[str]) -> Metric:
    """Return the first metric that can be computed for some system; the first of all if none can."""
    metrics = [_find_metric(prepared, name) for name in names]
    able = (metric for metric in metrics if any(metric.find_lack(items) is None for items in prepared.items.values()))
    return next(able, metrics[0])


def _has_item_scores_only(prepared: PreparedPredictions) -> bool:
    return prepared.predictions.gold is None or all(items.has("item scores") for items in prepared.items.values())
