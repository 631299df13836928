"""Can this benchmark still tell systems apart: λ_var, λ_sva, λ_hit, ranks, items, what to keep (paper 000)."""

from assay.discrimination.aggregation import AGGREGATIONS
from assay.discrimination.backwards import Backwards, backwards_items
from assay.discrimination.critical_difference import CriticalDifference, critical_difference
from assay.discrimination.discriminate import Demands, Discrimination, discriminate_outcomes, discriminate_scores
from assay.discrimination.hit_rate import HitRate, hit_rate
from assay.discrimination.irt import ItemResponse, item_response
from assay.discrimination.items import Items, item_analysis
from assay.discrimination.keep import Keep, keep_datasets, keep_items
from assay.discrimination.measurement import Measurement
from assay.discrimination.outcomes import Outcomes, from_predictions
from assay.discrimination.performance_variance import PerformanceVariance, performance_variance
from assay.discrimination.ranks import Ranks, ranks
from assay.discrimination.redundancy import Redundancy, redundancy
from assay.discrimination.reliability import Reliability, items_needed, reliability
from assay.discrimination.resampling import RESAMPLINGS
from assay.discrimination.saturation import Saturation, saturation
from assay.discrimination.scaled_variance import ScaledVariance, scaled_variance
from assay.discrimination.scores import Scores, read_scores
from assay.discrimination.stability import Stability, stability_of_first
from assay.discrimination.top import TOPS, top_systems
from assay.discrimination.verdict import verdict

__all__ = [
    "AGGREGATIONS",
    "RESAMPLINGS",
    "TOPS",
    "Backwards",
    "CriticalDifference",
    "Demands",
    "Discrimination",
    "HitRate",
    "ItemResponse",
    "Items",
    "Keep",
    "Measurement",
    "Outcomes",
    "PerformanceVariance",
    "Ranks",
    "Redundancy",
    "Reliability",
    "Saturation",
    "ScaledVariance",
    "Scores",
    "Stability",
    "backwards_items",
    "critical_difference",
    "discriminate_outcomes",
    "discriminate_scores",
    "from_predictions",
    "hit_rate",
    "item_analysis",
    "item_response",
    "items_needed",
    "keep_datasets",
    "keep_items",
    "performance_variance",
    "ranks",
    "read_scores",
    "redundancy",
    "reliability",
    "saturation",
    "scaled_variance",
    "stability_of_first",
    "top_systems",
    "verdict",
]
