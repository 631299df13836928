"""Predictions in; scores with intervals, slices, baselines and paired comparisons out."""

from assay.evaluation.comparison.baselines import Baseline, compute_error_reduction, score_trivial_baselines
from assay.evaluation.comparison.pairs import Comparison, find_detectable_difference
from assay.evaluation.human_scores import HumanCorrelation, correlate_human_scores
from assay.evaluation.metrics import METRICS
from assay.evaluation.predictions import Answers, Predictions, Run, read_predictions
from assay.evaluation.repeats.pass_rates import estimate_pass, estimate_pass_all
from assay.evaluation.repeats.power import ItemPlan, Power, measure_power, plan_items
from assay.evaluation.repeats.stacking import stack_repeats
from assay.evaluation.repeats.variance import Repeats, SystemRepeats, measure_repeats
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
    "HumanCorrelation",
    "ItemPlan",
    "Power",
    "Predictions",
    "PreparedPredictions",
    "Repeats",
    "Run",
    "Score",
    "ScoringSettings",
    "Slices",
    "SystemRepeats",
    "SystemScores",
    "compute_error_reduction",
    "correlate_human_scores",
    "estimate_pass",
    "estimate_pass_all",
    "evaluate",
    "evaluate_arrays",
    "find_detectable_difference",
    "measure_power",
    "measure_repeats",
    "plan_items",
    "prepare_predictions",
    "read_predictions",
    "score_trivial_baselines",
    "stack_repeats",
]
