"""Systems and items against the gold labels: agreement, systems below a constant answer, negative discrimination."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array
from assay.base.marks import NAME
from assay.discrimination.items.item_analysis import analyse_items
from assay.discrimination.items.negative_discrimination import find_negative_discrimination
from assay.discrimination.outcomes import Outcomes
from assay.evaluation import Predictions
from assay.kinds import kind_of
from assay.statistics import Interval, cohen_kappa, wilson
from assay.views.results import Result
from assay.views.values import MAX_IDS, ItemCount

REVERSED_KAPPA = -0.1  # a system whose kappa is below contradicts the gold labels


@dataclass(frozen=True)
class SystemAgreement(Result):
    """Cohen's kappa of a system with the gold labels."""

    system: str = field(metadata=NAME)
    kappa: Interval
    n: int

    @property
    def is_reversed(self) -> bool:
        """Whether the system agrees with the gold labels clearly less than chance would."""
        return self.kappa.high < REVERSED_KAPPA


@dataclass(frozen=True)
class BelowBaseline(Result):
    """A system that is right less often than the most frequent gold label."""

    system: str = field(metadata=NAME)
    accuracy: Interval
    baseline: float
    n: int


@dataclass(frozen=True)
class NegativeItems(Result):
    """Items with negative discrimination: the better a system is on the others, the more often it is wrong here.

    `labels` counts their gold labels.
    """

    items: ItemCount
    n_systems: int
    labels: dict[str, int] = field(metadata=NAME)


def measure_gold_agreement(predictions: Predictions) -> tuple[SystemAgreement, ...]:
    """Return how far each system agrees with the gold labels beyond chance; empty if there are no labels."""
    if predictions.gold is None or not _has_labels(predictions):
        return ()
    rows = []
    for name, answers in predictions.systems.items():
        if answers.predicted is not None and answers.answered.any():
            answered = answers.answered
            agreement = cohen_kappa(answers.predicted[answered], predictions.gold[answered])
            rows.append(SystemAgreement(name, agreement, int(answered.sum())))
    return tuple(rows)


def find_below_baseline(predictions: Predictions) -> tuple[BelowBaseline, ...]:
    """Find systems whose accuracy is below the share of the most frequent gold label (Wilson, Bonferroni).

    Which label is the most frequent one is known from the same items, so their intervals must not meet.
    """
    if predictions.gold is None or not _has_labels(predictions):
        return ()
    names, counts = np.unique([str(label) for label in predictions.gold if label is not None], return_counts=True)
    if len(names) < 2:
        return ()
    baseline = float(counts.max() / counts.sum())
    confidence = 1 - 0.05 / len(predictions.names)
    lowest = wilson(int(counts.max()), int(counts.sum())).low
    rows = []
    for name, outcome in zip(predictions.names, predictions.outcomes(), strict=True):
        right = outcome[np.isfinite(outcome)]
        if len(right) and right.min() >= 0 and right.max() <= 1:  # the mean of repeats is between them
            accuracy = wilson(float(right.sum()), len(right), confidence)
            if accuracy.high < lowest:
                rows.append(BelowBaseline(name, accuracy, baseline, len(right)))
    return tuple(rows)


def tabulate_items(
    predictions: Predictions, outcomes: Outcomes, agreement: tuple[SystemAgreement, ...]
) -> tuple[pl.DataFrame, NegativeItems]:
    """Return difficulty and discrimination of every item, and those with negative discrimination.

    Single systems that contradict the gold labels do not judge items.
    """
    analysis = analyse_items(outcomes.table)
    negative = find_negative_discrimination(outcomes.table[_choose_judges(predictions, agreement)])
    is_negative = np.zeros(len(predictions), bool)
    is_negative[negative.items] = True
    ids = pl.Series("id", predictions.ids.tolist(), dtype=pl.String)
    table = pl.DataFrame(
        {
            "id": ids,
            "item_difficulty": analysis.difficulty,
            "item_discrimination": analysis.discrimination,
            "n_systems_right": np.nansum(outcomes.table, axis=0),
            "n_systems": np.isfinite(outcomes.table).sum(axis=0),
            "negative_discrimination": is_negative,
        }
    ).with_columns(pl.col(pl.Float64).fill_nan(None))
    count = ItemCount(negative.n_negative, negative.n_tested, tuple(ids.gather(negative.items[:MAX_IDS]).to_list()))
    return table, NegativeItems(count, negative.n_systems, _count_gold(predictions, negative.items))


def _has_labels(predictions: Predictions) -> bool:
    return predictions.data is None or kind_of(predictions.data).gold.has_labels


def _count_gold(predictions: Predictions, rows: Array) -> dict[str, int]:
    """Count the gold labels of some items."""
    if predictions.gold is None or not _has_labels(predictions):
        return {}
    names, counts = np.unique(predictions.gold[rows].astype(str), return_counts=True)
    return dict(zip(names.tolist(), counts.tolist(), strict=True))


def _choose_judges(predictions: Predictions, agreement: tuple[SystemAgreement, ...]) -> Array:
    """Mark the systems to judge items by: all but single ones whose own answers contradict the gold labels."""
    contradicting = {row.system for row in agreement if row.is_reversed}
    sound = np.array([name not in contradicting for name in predictions.names], dtype=bool)
    return sound if sound.mean() > 0.5 else np.ones(len(sound), dtype=bool)
