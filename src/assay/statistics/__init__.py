"""Intervals, tests, correlations and corrections, on plain arrays."""

from assay.statistics.bca import bca
from assay.statistics.benjamini_hochberg import benjamini_hochberg
from assay.statistics.bootstrap import bootstrap_sums, bootstrap_weights
from assay.statistics.cells import cell_sums
from assay.statistics.distinct import distinct_sums
from assay.statistics.effective import effective_wilson
from assay.statistics.holm import holm
from assay.statistics.interval import Interval
from assay.statistics.kendall import kendall
from assay.statistics.mcnemar import McNemar, mcnemar
from assay.statistics.modified_wilson import modified_wilson
from assay.statistics.percentile import percentile
from assay.statistics.permutation import Permutation, paired_permutation
from assay.statistics.spearman import Correlation, spearman
from assay.statistics.wilson import wilson

__all__ = [
    "Correlation",
    "Interval",
    "McNemar",
    "Permutation",
    "bca",
    "benjamini_hochberg",
    "bootstrap_sums",
    "bootstrap_weights",
    "cell_sums",
    "distinct_sums",
    "effective_wilson",
    "holm",
    "kendall",
    "mcnemar",
    "modified_wilson",
    "paired_permutation",
    "percentile",
    "spearman",
    "wilson",
]
