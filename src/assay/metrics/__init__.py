"""Metrics: statistics that each item brings, and the value that follows from their sums.

Metrics for every kind of task are in `metrics/common`; a kind of task adds its own with the same decorator.
"""

from assay.metrics.items import AnsweredItems
from assay.metrics.metric import (
    METRICS,
    Metric,
    combine_f1,
    combine_ratio,
    divide,
    find_metric,
    register_metric,
)

__all__ = [
    "METRICS",
    "AnsweredItems",
    "Metric",
    "combine_f1",
    "combine_ratio",
    "divide",
    "find_metric",
    "register_metric",
]
