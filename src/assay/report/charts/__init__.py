"""The charts of the page, one file each, in the order people read them."""

from assay.base.registry import Registry
from assay.report.charts.baselines import BASELINES
from assay.report.charts.cues import CUES
from assay.report.charts.divergence import DIVERGENCE
from assay.report.charts.divergence_histogram import DIVERGENCE_HISTOGRAM
from assay.report.charts.fold_sizes import FOLD_SIZES
from assay.report.charts.fold_words import FOLD_WORDS
from assay.report.charts.forecast import FORECAST
from assay.report.charts.label_counts import LABEL_COUNTS
from assay.report.charts.lambdas import LAMBDAS
from assay.report.charts.length_histogram import LENGTH_HISTOGRAM
from assay.report.charts.ranks import RANKS
from assay.report.charts.scatter import SCATTER
from assay.report.charts.scores import SCORES
from assay.report.charts.systems import SYSTEMS
from assay.report.charts.tsi import TSI
from assay.report.charts.words import WORDS
from assay.report.drawing import Drawing

_ALL = (
    LABEL_COUNTS,
    LENGTH_HISTOGRAM,
    WORDS,
    DIVERGENCE,
    SCORES,
    SCATTER,
    FOLD_SIZES,
    FOLD_WORDS,
    DIVERGENCE_HISTOGRAM,
    SYSTEMS,
    TSI,
    CUES,
    BASELINES,
    LAMBDAS,
    RANKS,
    FORECAST,
)
CHARTS: Registry[Drawing] = Registry("chart", {drawing.name: drawing for drawing in _ALL})

__all__ = ["CHARTS"]
