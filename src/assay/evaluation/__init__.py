"""Predictions in; scores with intervals, slices, baselines and paired comparisons out."""

from assay.base.lazy import name_function
from assay.evaluation.comparison.baselines import ScoredBaseline, compute_error_reduction, score_trivial_baselines
from assay.evaluation.comparison.pairs import Comparison
from assay.evaluation.comparison.smallest_difference import SmallestDifference
from assay.evaluation.first_place import MetricWinner, find_winners, order_comparisons
from assay.evaluation.predictions.reading import read_predictions
from assay.evaluation.predictions.types import Answers, Predictions, Run
from assay.evaluation.repeats.pass_rates import estimate_pass
from assay.evaluation.repeats.power import plan_items
from assay.evaluation.repeats.variance import Repeats
from assay.evaluation.results import Evaluation
from assay.evaluation.run import evaluate, evaluate_arrays
from assay.evaluation.scoring.preparation import PreparedPredictions, Score, ScoringSettings, prepare_predictions
from assay.evaluation.settings import EvaluationSettings
from assay.evaluation.slices.request import Slices

__all__ = [
    "Answers",
    "Comparison",
    "Evaluation",
    "EvaluationSettings",
    "MetricWinner",
    "Predictions",
    "PreparedPredictions",
    "Repeats",
    "Run",
    "Score",
    "ScoredBaseline",
    "ScoringSettings",
    "Slices",
    "SmallestDifference",
    "compute_error_reduction",
    "estimate_pass",
    "evaluate",
    "evaluate_arrays",
    "find_winners",
    "order_comparisons",
    "plan_items",
    "prepare_predictions",
    "read_predictions",
    "score_trivial_baselines",
]

name_function(__name__, "evaluate")
