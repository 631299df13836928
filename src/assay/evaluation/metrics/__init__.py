"""Every metric: statistics that each item brings, and the value that follows from their sums.

A metric is a class in a module of this folder, registered by `@METRICS.add("name")`.
"""

from assay.base.lazy import import_modules
from assay.evaluation.metrics.forms import (
    Groups,
    ItemScores,
    Labels,
    Numbers,
    PositiveLabel,
    Probabilities,
    RankingScores,
    Relevance,
)
from assay.evaluation.metrics.items import FORMS, AnswerForm, ScoredItems, Task
from assay.evaluation.metrics.kind_measures import KindAnswers, KindMetric, find_kind_metric
from assay.evaluation.metrics.metric import METRICS, ItemMetric, Metric, divide, stack_columns

import_modules(__name__, __path__)

__all__ = [
    "FORMS",
    "METRICS",
    "AnswerForm",
    "Groups",
    "ItemMetric",
    "ItemScores",
    "KindAnswers",
    "KindMetric",
    "Labels",
    "Metric",
    "Numbers",
    "PositiveLabel",
    "Probabilities",
    "RankingScores",
    "Relevance",
    "ScoredItems",
    "Task",
    "divide",
    "find_kind_metric",
    "stack_columns",
]
