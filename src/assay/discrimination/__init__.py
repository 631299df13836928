"""Whether a benchmark separates systems: λ_var, λ_sva and λ_hit (Xiao et al. 2022), ranks, items and subsets."""

from assay.base.lazy import name_function
from assay.discrimination.analysis import Discrimination, discriminate_outcomes, discriminate_scores
from assay.discrimination.boards import (
    CostFront,
    DatasetAgreement,
    ItemSaturation,
    LeaderboardMeasures,
    MatrixRank,
    SystemCost,
    fit_common_scale,
    measure_adaptive_choice,
    measure_agreement,
    measure_cost_front,
    measure_item_saturation,
    measure_leaderboard,
    measure_signal,
)
from assay.discrimination.datasets import DatasetDiscrimination
from assay.discrimination.items import (
    ItemSummary,
    Reliability,
    analyse_items,
    count_items_needed,
    find_negative_discrimination,
    fit_item_response,
    measure_reliability,
)
from assay.discrimination.lambdas import (
    MIN_LAMBDA_SVA,
    MIN_LAMBDA_VAR,
    measure_hit_rate,
    measure_performance_variance,
    measure_scaled_variance,
)
from assay.discrimination.log_tables import build_log_outcomes, build_log_scores
from assay.discrimination.measurements import Measurement
from assay.discrimination.outcomes import Outcomes, build_outcomes
from assay.discrimination.ranks import AGGREGATIONS, Ranking, SystemRank, rank_systems
from assay.discrimination.saturation import Saturation
from assay.discrimination.score_tables import ScoreTable, read_scores
from assay.discrimination.settings import DiscriminationSettings
from assay.discrimination.sources import discriminate
from assay.discrimination.subsets import Redundancy, propose_actions

__all__ = [
    "AGGREGATIONS",
    "MIN_LAMBDA_SVA",
    "MIN_LAMBDA_VAR",
    "CostFront",
    "DatasetAgreement",
    "DatasetDiscrimination",
    "Discrimination",
    "DiscriminationSettings",
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
    "find_negative_discrimination",
    "fit_common_scale",
    "fit_item_response",
    "measure_adaptive_choice",
    "measure_agreement",
    "measure_cost_front",
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
