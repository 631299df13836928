"""The measures of Xiao et al. (2022): performance variance, scaled variance and hit rate, with intervals."""

from assay.discrimination.lambdas.hit_rate import HitRate, measure_hit_rate
from assay.discrimination.lambdas.performance_variance import measure_performance_variance
from assay.discrimination.lambdas.scaled_variance import measure_scaled_variance
from assay.discrimination.lambdas.verdicts import MIN_LAMBDA_SVA, MIN_LAMBDA_VAR, compare_with_reference, judge_dataset

__all__ = [
    "MIN_LAMBDA_SVA",
    "MIN_LAMBDA_VAR",
    "HitRate",
    "compare_with_reference",
    "judge_dataset",
    "measure_hit_rate",
    "measure_performance_variance",
    "measure_scaled_variance",
]
