"""Intervals, tests, agreement, correlations and corrections, on plain arrays."""

from assay.statistics.agreement import cohen_kappa, count_ratings, fleiss_kappa, fleiss_kappas, fleiss_statistics
from assay.statistics.auc import hanley_mcneil, mann_whitney, roc_auc
from assay.statistics.betting import confidence_sequence, log_capital
from assay.statistics.bootstrap import (
    bootstrap_sums,
    bootstrap_weights,
    cell_sums,
    distinct_rows,
    distinct_sums,
    group_sums,
)
from assay.statistics.bootstrap_intervals import bca, percentile
from assay.statistics.corrections import benjamini_hochberg, holm
from assay.statistics.correlations import Correlation, fisher_interval, kendall, pearson, spearman
from assay.statistics.interval import normal_quantile, tails
from assay.statistics.krippendorff import krippendorff_alpha
from assay.statistics.misclassification import rogan_gladen
from assay.statistics.paired import McNemar, mcnemar, paired_permutation
from assay.statistics.paired_proportions import tango, tango_limits
from assay.statistics.prediction_powered import PredictionPowered, count_labels, estimate_powered_mean
from assay.statistics.proportions import (
    effective_wilson,
    modified_wilson,
    newcombe_difference,
    paired_difference_bound,
    wilson,
)
from assay.statistics.reliability import cronbach_alpha, feldt_interval
from assay.statistics.weighted_correlations import (
    correlate_rows,
    weighted_kendall,
    weighted_pearson,
    weighted_spearman,
)
from assay.views.values import Interval

__all__ = [
    "Correlation",
    "Interval",
    "McNemar",
    "PredictionPowered",
    "bca",
    "benjamini_hochberg",
    "bootstrap_sums",
    "bootstrap_weights",
    "cell_sums",
    "cohen_kappa",
    "confidence_sequence",
    "correlate_rows",
    "count_labels",
    "count_ratings",
    "cronbach_alpha",
    "distinct_rows",
    "distinct_sums",
    "effective_wilson",
    "estimate_powered_mean",
    "feldt_interval",
    "fisher_interval",
    "fleiss_kappa",
    "fleiss_kappas",
    "fleiss_statistics",
    "group_sums",
    "hanley_mcneil",
    "holm",
    "kendall",
    "krippendorff_alpha",
    "log_capital",
    "mann_whitney",
    "mcnemar",
    "modified_wilson",
    "newcombe_difference",
    "normal_quantile",
    "paired_difference_bound",
    "paired_permutation",
    "pearson",
    "percentile",
    "roc_auc",
    "rogan_gladen",
    "spearman",
    "tails",
    "tango",
    "tango_limits",
    "weighted_kendall",
    "weighted_pearson",
    "weighted_spearman",
    "wilson",
]
