"""Metrics of ranked groups: how high the positive items of a question are ranked.

The top 10 by score count, equal scores keep file order, undefined scores come last; a group without a positive item
among them scores 0, and all groups count (as in the official SemEval scorer; Peinelt et al. 2019).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np

from assay.base.arrays import Array
from assay.metrics.items import AnsweredItems
from assay.metrics.metric import METRICS, combine_ratio, register_metric

MAX_RANK = 10
Gain = Callable[[Array, int], float]


def compute_average_precision(relevant: Array, n_relevant: int) -> float:  # noqa: ARG001, only the hits found count
    """Return the mean precision at the hits found in a ranked group, 0 without any.

    >>> compute_average_precision(np.array([True, False, True]), 2)
    0.8333333333333333
    """
    ranks = np.flatnonzero(relevant) + 1
    return float((np.arange(1, len(ranks) + 1) / ranks).mean()) if len(ranks) else 0.0


def compute_reciprocal_rank(relevant: Array, n_relevant: int) -> float:  # noqa: ARG001
    """Return one over the rank of the first hit, 0 without any."""
    ranks = np.flatnonzero(relevant) + 1
    return float(1 / ranks[0]) if len(ranks) else 0.0


def compute_discounted_gain(relevant: Array, n_relevant: int) -> float:
    """Return the discounted gain as a share of that of the best order."""
    discounts = 1 / np.log2(np.arange(2, MAX_RANK + 2))
    best = discounts[: min(n_relevant, MAX_RANK)].sum()
    return float(discounts[: len(relevant)][relevant].sum() / best) if best else 0.0


def collect_gains(items: AnsweredItems, compute_gain: Gain) -> Array:
    """Return each group's gain and a one, at its first item: sums over whole groups are the same wherever.

    A gain follows from which of a group's top items are relevant, and how many are in all.
    """
    rows = np.flatnonzero(items.present)
    table = np.zeros((len(items), 2))
    scores = np.where(np.isnan(items.ranking_scores), -np.inf, items.ranking_scores)[rows]
    order = rows[np.lexsort((rows, -scores, items.groups[rows]))]
    starts = np.flatnonzero(np.diff(items.groups[order])) + 1
    relevant = np.asarray(items.gold == items.positive)
    for group in np.split(order, starts) if len(order) else []:
        table[group.min()] = compute_gain(relevant[group[:MAX_RANK]], int(relevant[group].sum())), 1.0
    return table


for name, gain, description in (
    (
        "map",
        compute_average_precision,
        "Mean average precision of the top 10 of each group (Peinelt et al. 2019).",
    ),
    ("mrr", compute_reciprocal_rank, "The mean of one over the rank of a group's first hit, within the top 10."),
    (
        "ndcg",
        compute_discounted_gain,
        "Discounted gain of the top 10 of each group, as a share of the best possible.",
    ),
):
    register_metric(
        name,
        needs=("ranking scores", "groups", "positive label"),
        description=description,
        combine=combine_ratio,
        over_groups=True,
    )(partial(collect_gains, compute_gain=gain))


def compute_mean_average_precision(relevant: Array, scores: Array, groups: Array) -> float:
    """Return the mean average precision of items ranked by score within groups.

    >>> compute_mean_average_precision(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.7]), np.array(["q", "q", "q"]))
    1.0
    """
    codes = np.unique(np.asarray(groups).astype(str), return_inverse=True)[1]
    gold = np.asarray(relevant, dtype=bool).astype(int)
    ranked = np.asarray(scores, dtype=float)
    present = np.ones(len(codes), dtype=bool)
    return METRICS["map"].score(AnsweredItems(present, gold, positive=1, ranking_scores=ranked, groups=codes))
