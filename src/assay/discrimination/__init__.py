"""Whether a benchmark separates systems: λ_var, λ_sva and λ_hit (Xiao et al. 2022), ranks, items and subsets."""

from assay.base.lazy import name_function
from assay.discrimination.analysis import Discrimination, discriminate_outcomes, discriminate_scores
from assay.discrimination.boards.adaptive import measure_adaptive_choice
from assay.discrimination.boards.agreement import DatasetAgreement, measure_agreement
from assay.discrimination.boards.checkpoints import measure_signal
from assay.discrimination.boards.common_scale import fit_common_scale
from assay.discrimination.boards.cost import CostFront, SystemCost, measure_cost_front
from assay.discrimination.boards.item_saturation import ItemSaturation, measure_item_saturation
from assay.discrimination.boards.matrix_rank import MatrixRank
from assay.discrimination.boards.measures import LeaderboardMeasures, measure_leaderboard
from assay.discrimination.datasets import DatasetDiscrimination
from assay.discrimination.items.differential_functioning import (
    DifferentialFunctioning,
    measure_differential_functioning,
)
from assay.discrimination.items.guessing import GuessingEstimates, estimate_guessing
from assay.discrimination.items.item_analysis import analyse_items
from assay.discrimination.items.item_response import fit_item_response
from assay.discrimination.items.item_summary import ItemSummary
from assay.discrimination.items.negative_discrimination import find_negative_discrimination
from assay.discrimination.items.reliability import Reliability, count_items_needed, measure_reliability
from assay.discrimination.lambdas.hit_rate import measure_hit_rate
from assay.discrimination.lambdas.performance_variance import measure_performance_variance
from assay.discrimination.lambdas.scaled_variance import measure_scaled_variance
from assay.discrimination.log_tables import build_log_outcomes, build_log_scores
from assay.discrimination.measurements import Measurement
from assay.discrimination.outcomes import Outcomes, build_outcomes
from assay.discrimination.ranks.aggregation import AGGREGATIONS
from assay.discrimination.ranks.ranking import Ranking, rank_systems
from assay.discrimination.ranks.system_ranks import SystemRank
from assay.discrimination.saturation import Saturation
from assay.discrimination.score_tables import ScoreTable, read_scores
from assay.discrimination.settings import DiscriminationSettings
from assay.discrimination.sources import discriminate
from assay.discrimination.subsets.proposals import propose_actions
from assay.discrimination.subsets.redundancy import Redundancy

__all__ = [
    "AGGREGATIONS",
    "CostFront",
    "DatasetAgreement",
    "DatasetDiscrimination",
    "DifferentialFunctioning",
    "Discrimination",
    "DiscriminationSettings",
    "GuessingEstimates",
    "ItemSaturation",
    "ItemSummary",
    "LeaderboardMeasures",
    "MatrixRank",
    "Measurement",
    "Outcomes",
    "Ranking",
    "Redundancy",
    "Reliability",
    "Saturation",
    "ScoreTable",
    "SystemCost",
    "SystemRank",
    "analyse_items",
    "build_log_outcomes",
    "build_log_scores",
    "build_outcomes",
    "count_items_needed",
    "discriminate",
    "discriminate_outcomes",
    "discriminate_scores",
    "estimate_guessing",
    "find_negative_discrimination",
    "fit_common_scale",
    "fit_item_response",
    "measure_adaptive_choice",
    "measure_agreement",
    "measure_cost_front",
    "measure_differential_functioning",
    "measure_hit_rate",
    "measure_item_saturation",
    "measure_leaderboard",
    "measure_performance_variance",
    "measure_reliability",
    "measure_scaled_variance",
    "measure_signal",
    "propose_actions",
    "rank_systems",
    "read_scores",
]

name_function(__name__, "discriminate")
