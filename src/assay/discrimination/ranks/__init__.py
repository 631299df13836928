"""Which ranks are real: rank intervals, tie groups, critical differences and the stability of the first place."""

from assay.discrimination.ranks.aggregation import AGGREGATIONS
from assay.discrimination.ranks.critical_difference import CriticalDifference, compare_mean_ranks
from assay.discrimination.ranks.ranking import Ranking, rank_systems
from assay.discrimination.ranks.stability import FirstPlaceStability, measure_stability
from assay.discrimination.ranks.system_ranks import BenchmarkRanking, SystemRank, rank_by_outcomes, rank_by_scores
from assay.discrimination.ranks.top_systems import TOP_RULES, select_top_systems

__all__ = [
    "AGGREGATIONS",
    "TOP_RULES",
    "BenchmarkRanking",
    "CriticalDifference",
    "FirstPlaceStability",
    "Ranking",
    "SystemRank",
    "compare_mean_ranks",
    "measure_stability",
    "rank_by_outcomes",
    "rank_by_scores",
    "rank_systems",
    "select_top_systems",
]
