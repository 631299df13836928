"""Which ranks are real: rank intervals, tie groups, critical differences and the stability of the first place."""

from assay.discrimination.ranks.aggregation import AGGREGATIONS
from assay.discrimination.ranks.critical_difference import CriticalDifference
from assay.discrimination.ranks.ranking import Ranking, rank_systems
from assay.discrimination.ranks.stability import FirstPlaceStability
from assay.discrimination.ranks.system_ranks import BenchmarkRanking, SystemRank, rank_by_outcomes, rank_by_scores
from assay.discrimination.ranks.top_systems import select_top_systems

__all__ = [
    "AGGREGATIONS",
    "BenchmarkRanking",
    "CriticalDifference",
    "FirstPlaceStability",
    "Ranking",
    "SystemRank",
    "rank_by_outcomes",
    "rank_by_scores",
    "rank_systems",
    "select_top_systems",
]
