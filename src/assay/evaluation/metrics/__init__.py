"""Every metric: sums of numbers that each item brings, and what follows from the sums."""

from dataclasses import replace

from assay.base.registry import Registry
from assay.evaluation.metrics.base import Items, Metric
from assay.evaluation.metrics.classes import PER_CLASS
from assay.evaluation.metrics.classification import (
    ACCURACY,
    F1,
    MACRO_F1,
    MACRO_PRECISION,
    MACRO_RECALL,
    MCC,
    MICRO_F1,
    PRECISION,
    RECALL,
    WEIGHTED_F1,
    WEIGHTED_PRECISION,
    WEIGHTED_RECALL,
)
from assay.evaluation.metrics.graded import PEARSON, RMSE, SPEARMAN
from assay.evaluation.metrics.outcome import MEAN_SCORE
from assay.evaluation.metrics.probability import BRIER, CALIBRATION_ERROR, LOG_LOSS
from assay.evaluation.metrics.ranking import MAP, MRR, NDCG

_EVERY = [ACCURACY, PRECISION, RECALL, F1, MACRO_PRECISION, MACRO_RECALL, MACRO_F1, MICRO_F1, WEIGHTED_PRECISION]
_EVERY += [WEIGHTED_RECALL, WEIGHTED_F1, MCC, LOG_LOSS, BRIER, CALIBRATION_ERROR, SPEARMAN, PEARSON, RMSE]
_EVERY += [MAP, MRR, NDCG, MEAN_SCORE]

_TOLD = {
    "accuracy": "The share of items whose label is right.",
    "precision": "The share of the predicted positives that are positive.",
    "recall": "The share of the positives that are predicted.",
    "f1": "The harmonic mean of precision and recall of the positive class.",
    "macro-precision": "Precision averaged over the classes, each alike.",
    "macro-recall": "Recall averaged over the classes, each alike.",
    "macro-f1": "F1 averaged over the classes, each alike.",
    "micro-f1": "F1 of all classes counted together.",
    "weighted-precision": "Precision averaged over the classes by their share of gold.",
    "weighted-recall": "Recall averaged over the classes by their share of gold.",
    "weighted-f1": "F1 averaged over the classes by their share of gold.",
    "mcc": "Matthews' correlation of gold and predicted classes.",
    "log-loss": "The mean negative logarithm of the probability given to gold.",
    "brier": "The mean squared distance of probabilities to the truth.",
    "calibration-error": "The mean distance of confidence and accuracy, over tenths of confidence.",
    "spearman": "The rank correlation of gold and predicted grades.",
    "pearson": "The linear correlation of gold and predicted grades.",
    "rmse": "The root of the mean squared error of grades.",
    "map": "Mean average precision of the top 10 of each group (paper 002).",
    "mrr": "The mean of one over the rank of a group's first hit, within the top 10.",
    "ndcg": "Discounted gain of the top 10 of each group, as a share of the best.",
    "mean-score": "The mean of item scores.",
}

METRICS: Registry[Metric] = Registry(
    "metric", {metric.name: replace(metric, description=_TOLD[metric.name]) for metric in _EVERY}
)

__all__ = ["METRICS", "PER_CLASS", "Items", "Metric"]
