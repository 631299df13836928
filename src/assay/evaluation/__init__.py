"""Predictions in; scores with intervals, slices, baselines and paired comparisons out."""

from assay.evaluation.comparison.baselines import Baseline, compute_error_reduction, score_trivial_baselines
from assay.evaluation.comparison.pairs import Comparison, find_detectable_difference
from assay.evaluation.metrics import METRICS
from assay.evaluation.predictions import Answers, Predictions, Run, read_predictions
from assay.evaluation.results import Evaluation, SystemScores
from assay.evaluation.run import evaluate, evaluate_arrays
from assay.evaluation.scoring.preparation import PreparedPredictions, Score, ScoringSettings, prepare_predictions
from assay.evaluation.slices.request import Slices

__all__ = [
    "METRICS",
    "Answers",
    "Baseline",
    "Comparison",
    "Evaluation",
    "Predictions",
    "PreparedPredictions",
    "Run",
    "Score",
    "ScoringSettings",
    "Slices",
    "SystemScores",
    "compute_error_reduction",
    "evaluate",
    "evaluate_arrays",
    "find_detectable_difference",
    "prepare_predictions",
    "read_predictions",
    "score_trivial_baselines",
]
