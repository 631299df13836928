"""Every metric: sums of numbers that each item brings, and what follows from the sums."""

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
from assay.registry import Registry

_EVERY = [ACCURACY, PRECISION, RECALL, F1, MACRO_PRECISION, MACRO_RECALL, MACRO_F1, MICRO_F1, WEIGHTED_PRECISION]
_EVERY += [WEIGHTED_RECALL, WEIGHTED_F1, MCC, LOG_LOSS, BRIER, CALIBRATION_ERROR, SPEARMAN, PEARSON, RMSE]
_EVERY += [MAP, MRR, NDCG, MEAN_SCORE]

METRICS: Registry[Metric] = Registry("metric", {metric.name: metric for metric in _EVERY})

__all__ = ["METRICS", "PER_CLASS", "Items", "Metric"]
