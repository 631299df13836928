"""Metrics of ranked groups: how high the positive items of a question stand.

The top 10 by score count, equal scores keep file order, undefined scores come last; a group without a positive
item among them scores 0, and all groups count (paper 002, as the official SemEval scorer does).
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.base import Items, Metric, ratio

TOP = 10


def average_precision(relevant: Array, n_relevant: int) -> float:  # noqa: ARG001, the shape of all gains
    """Return the mean precision at the hits found, 0 without any.

    >>> average_precision(np.array([True, False, True]), 2)
    0.8333333333333333
    """
    ranks = np.flatnonzero(relevant) + 1
    return float((np.arange(1, len(ranks) + 1) / ranks).mean()) if len(ranks) else 0.0


def reciprocal_rank(relevant: Array, n_relevant: int) -> float:  # noqa: ARG001
    """Return one over the rank of the first hit, 0 without any."""
    ranks = np.flatnonzero(relevant) + 1
    return float(1 / ranks[0]) if len(ranks) else 0.0


def ndcg(relevant: Array, n_relevant: int) -> float:
    """Return the discounted gain, as a share of the best that could be had."""
    discounts = 1 / np.log2(np.arange(2, TOP + 2))
    best = discounts[: min(n_relevant, TOP)].sum()
    return float(discounts[: len(relevant)][relevant].sum() / best) if best else 0.0


def _gains(gain: Callable[[Array, int], float]) -> Callable[[Items], Array]:
    def statistics(items: Items) -> Array:
        assert items.scores is not None
        assert items.groups is not None
        table = np.zeros((len(items.present), 2))
        rows = np.flatnonzero(items.present)
        scores = np.where(np.isnan(items.scores), -np.inf, items.scores)[rows]
        order = rows[np.lexsort((rows, -scores, items.groups[rows]))]
        bounds = np.flatnonzero(np.diff(items.groups[order])) + 1
        positive = np.asarray(items.gold == items.positive)
        for group in np.split(order, bounds) if len(order) else []:
            # A group's gain stands at one of its items: sums over whole groups are the same wherever.
            table[group.min()] = gain(positive[group[:TOP]], int(positive[group].sum())), 1.0
        return table

    return statistics


def _metric(name: str, gain: Callable[[Array, int], float]) -> Metric:
    needs = ("scores", "groups", "positive")
    return Metric(name, needs, _gains(gain), lambda sums: ratio(sums[..., 0], sums[..., 1]), over_groups=True)


MAP = _metric("map", average_precision)
MRR = _metric("mrr", reciprocal_rank)
NDCG = _metric("ndcg", ndcg)
