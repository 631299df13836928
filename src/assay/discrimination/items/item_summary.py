"""The items of one dataset in a few numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from assay.base.marks import NAME, OWN
from assay.discrimination.items.item_analysis import analyse_items
from assay.discrimination.items.item_response import fit_item_response
from assay.discrimination.items.negative_discrimination import find_negative_discrimination
from assay.discrimination.items.reliability import count_items_needed, measure_reliability
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.settings import DiscriminationSettings
from assay.statistics import Interval
from assay.views.results import Result

MAX_ITEM_RESPONSE_CELLS = 400_000  # larger tables are fitted only by a call of `fit_item_response`
MIN_ITEM_RESPONSE_SYSTEMS = 5


@dataclass(frozen=True)
class ItemResponseGain(Result):
    """Held-out gain of the item response model in nats per cell, and of the model on shuffled answers."""

    gain: float
    gain_shuffled: float
    converged: bool


@dataclass(frozen=True)
class ItemSummary(Result):
    """Uninformative items (`share_dead`), items with negative discrimination (`backwards`) and reliability.

    `all_right`, `all_wrong` and `all_same` are the ids of the items with which every system has full marks, none, or
    the same other outcome, of the `n_complete` items that every system answered. With `has_right_answers` an outcome is
    right or wrong; other metrics, such as ROUGE, say how good an answer is. `mean_difficulty` is the mean share of
    right answers. `outcome` names what an item is scored by, which may be another metric. `items_needed_first_two` is
    the number of items needed to separate the two best systems, nan if these have the same score, or differ by the same
    amount on every item.
    """

    benchmark: str = field(metadata=NAME)
    dataset: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    n_items: int
    n_all_right: int
    n_all_wrong: int
    n_all_same: int
    all_right: tuple[str | int, ...] = field(metadata=NAME, repr=False)
    all_wrong: tuple[str | int, ...] = field(metadata=NAME, repr=False)
    all_same: tuple[str | int, ...] = field(metadata=NAME, repr=False)
    share_dead: float
    mean_difficulty: float
    mean_discrimination: float
    n_backwards: int
    backwards: tuple[str | int, ...] = field(metadata=NAME)
    reliability: Interval
    reliability_method: str = field(metadata=OWN)
    standard_error_of_measurement: float
    smallest_real_gap: float
    items_needed_first_two: int | float
    item_response: ItemResponseGain | None
    n_complete: int | None = None
    has_right_answers: bool = True
    outcome: str = field(default="", metadata=OWN)

    @property
    def n_judged(self) -> int:
        """The items that every system answered."""
        return self.n_items if self.n_complete is None else self.n_complete


def summarise_items(outcomes: Outcomes, settings: DiscriminationSettings) -> ItemSummary:
    """Analyse the items of one dataset: uninformative items, negative discrimination, reliability, ability model."""
    analysis = analyse_items(outcomes.table)
    negative = find_negative_discrimination(outcomes.table, random_state=settings.random_state)
    reliability = measure_reliability(outcomes.table)
    all_right, all_wrong = analysis.all_right, analysis.all_wrong
    if outcomes.lower_is_better:  # no error at all is right
        all_right, all_wrong = all_wrong, all_right
    return ItemSummary(
        benchmark=outcomes.benchmark,
        dataset=outcomes.dataset,
        metric=outcomes.metric,
        n_items=analysis.n_items,
        n_all_right=int(all_right.sum()),
        n_all_wrong=int(all_wrong.sum()),
        n_all_same=analysis.n_all_same,
        all_right=outcomes.name_items(np.flatnonzero(all_right)),
        all_wrong=outcomes.name_items(np.flatnonzero(all_wrong)),
        all_same=outcomes.name_items(np.flatnonzero(analysis.all_same)),
        share_dead=analysis.share_uninformative,
        mean_difficulty=analysis.mean_difficulty,
        mean_discrimination=analysis.mean_discrimination,
        n_backwards=negative.n_negative,
        backwards=outcomes.name_items(negative.items),
        reliability=reliability.alpha,
        reliability_method=reliability.method,
        standard_error_of_measurement=reliability.standard_error,
        smallest_real_gap=reliability.smallest_real_gap,
        items_needed_first_two=_separate_first_two(outcomes),
        item_response=_measure_gain(outcomes, settings),
        n_complete=analysis.n_complete,
        outcome=outcomes.item_metric or outcomes.metric,
        has_right_answers=bool(np.isin(outcomes.table[np.isfinite(outcomes.table)], (0.0, 1.0)).all()),
    )


def _separate_first_two(outcomes: Outcomes) -> float:
    measurement = outcomes.measure()
    if len(measurement.systems) < 2:
        return float("nan")
    best = np.argsort(-measurement.signed_scores(), kind="stable")[:2]
    first, second = outcomes.take([measurement.systems[row] for row in best]).table
    n_items = count_items_needed(first, second)
    return n_items if math.isfinite(n_items) else math.nan  # as JSON has it


def _measure_gain(outcomes: Outcomes, settings: DiscriminationSettings) -> ItemResponseGain | None:
    table = outcomes.table
    is_binary = np.isin(table[np.isfinite(table)], (0.0, 1.0)).all()
    if len(table) < MIN_ITEM_RESPONSE_SYSTEMS or table.size > MAX_ITEM_RESPONSE_CELLS or not is_binary:
        return None
    fit = fit_item_response(table, random_state=settings.random_state, chances=outcomes.chances)
    return ItemResponseGain(fit.gain, fit.gain_shuffled, fit.converged)
