"""Predictions in; scores with intervals, slices, baselines and paired comparisons out."""

from assay.evaluation.baselines import error_reduction
from assay.evaluation.comparing import Comparison, detectable_difference
from assay.evaluation.evaluating import Evaluation, SystemScores, evaluate
from assay.evaluation.metrics import METRICS
from assay.evaluation.predictions import Answers, Predictions
from assay.evaluation.reading import read_predictions
from assay.evaluation.scoring import Score

__all__ = [
    "METRICS",
    "Answers",
    "Comparison",
    "Evaluation",
    "Predictions",
    "Score",
    "SystemScores",
    "detectable_difference",
    "error_reduction",
    "evaluate",
    "read_predictions",
]
