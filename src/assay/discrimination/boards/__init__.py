"""Measures of a leaderboard beyond λ and ranks: agreement, dimensions, prediction, one scale, items, cost."""

from assay.discrimination.boards.adaptive import measure_adaptive_choice
from assay.discrimination.boards.agreement import DatasetAgreement, measure_agreement
from assay.discrimination.boards.checkpoints import CheckpointScores, measure_signal
from assay.discrimination.boards.common_scale import fit_common_scale
from assay.discrimination.boards.cost import CostFront, SystemCost, measure_cost_front
from assay.discrimination.boards.item_saturation import ItemSaturation, measure_item_saturation
from assay.discrimination.boards.logits import LogitTable
from assay.discrimination.boards.matrix_rank import MatrixRank
from assay.discrimination.boards.measures import LeaderboardMeasures, measure_leaderboard

__all__ = [
    "CheckpointScores",
    "CostFront",
    "DatasetAgreement",
    "ItemSaturation",
    "LeaderboardMeasures",
    "LogitTable",
    "MatrixRank",
    "SystemCost",
    "fit_common_scale",
    "measure_adaptive_choice",
    "measure_agreement",
    "measure_cost_front",
    "measure_item_saturation",
    "measure_leaderboard",
    "measure_signal",
]
