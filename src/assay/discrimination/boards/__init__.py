"""Measures of a leaderboard beyond λ and ranks: agreement, dimensions, prediction, one scale, items, cost."""

from assay.discrimination.boards.adaptive import AdaptiveChoice, measure_adaptive_choice
from assay.discrimination.boards.agreement import DatasetAgreement, measure_agreement
from assay.discrimination.boards.checkpoints import (
    CheckpointScores,
    SignalToNoise,
    measure_decision_accuracy,
    measure_signal,
)
from assay.discrimination.boards.common_scale import CommonScale, fit_common_scale
from assay.discrimination.boards.completion import Completion, measure_completion
from assay.discrimination.boards.cost import CostFront, SystemCost, measure_cost_front
from assay.discrimination.boards.item_saturation import ItemSaturation, measure_item_saturation
from assay.discrimination.boards.logits import LogitTable, tabulate_logits
from assay.discrimination.boards.matrix_rank import MatrixRank, measure_matrix_rank
from assay.discrimination.boards.measures import LeaderboardMeasures, measure_leaderboard

__all__ = [
    "AdaptiveChoice",
    "CheckpointScores",
    "CommonScale",
    "Completion",
    "CostFront",
    "DatasetAgreement",
    "ItemSaturation",
    "LeaderboardMeasures",
    "LogitTable",
    "MatrixRank",
    "SignalToNoise",
    "SystemCost",
    "fit_common_scale",
    "measure_adaptive_choice",
    "measure_agreement",
    "measure_completion",
    "measure_cost_front",
    "measure_decision_accuracy",
    "measure_item_saturation",
    "measure_leaderboard",
    "measure_matrix_rank",
    "measure_signal",
    "tabulate_logits",
]
