"""Metrics of ranked groups: how high the positive items of a question are ranked.

The top 10 by score count, equal scores keep file order, undefined scores come last; a group without a positive item
among them scores 0, and all groups count (as in the official SemEval scorer; Peinelt et al. 2019).
"""

from __future__ import annotations

from abc import abstractmethod

import numpy as np

from assay.base.arrays import Array
from assay.evaluation.metrics.forms import Groups, RankingScores, Relevance
from assay.evaluation.metrics.items import ScoredItems
from assay.evaluation.metrics.metric import METRICS, Metric, divide

MAX_RANK = 10


class RankingMetric(Metric):
    """The mean over groups of a gain of the ranked items."""

    needs = (RankingScores, Groups, Relevance)
    over_groups = True

    @abstractmethod
    def compute_gain(self, relevant: Array, n_relevant: int) -> float:
        """Return the gain of one group from which of its top items are relevant, and how many there are in all."""

    def collect_statistics(self, items: ScoredItems) -> Array:
        """Return each group's gain and a one, at its first item: sums over whole groups are the same wherever."""
        groups, rows = items[Groups].codes, np.flatnonzero(items.present)
        table = np.zeros((len(items), 2))
        scores = np.where(np.isnan(items[RankingScores].values), -np.inf, items[RankingScores].values)[rows]
        order = rows[np.lexsort((rows, -scores, groups[rows]))]
        starts = np.flatnonzero(np.diff(groups[order])) + 1
        relevant = items[Relevance].relevant
        for group in np.split(order, starts) if len(order) else []:
            table[group.min()] = self.compute_gain(relevant[group[:MAX_RANK]], int(relevant[group].sum())), 1.0
        return table

    def compute_value(self, sums: Array) -> Array:
        """Divide the sum of the gains by the number of groups."""
        return divide(sums[..., 0], sums[..., 1])


@METRICS.add("map")
class MeanAveragePrecision(RankingMetric):
    """Mean average precision of the top 10 of each group (Peinelt et al. 2019)."""

    def compute_gain(self, relevant: Array, n_relevant: int) -> float:  # noqa: ARG002, only the hits found count
        """Return the mean precision at the hits found, 0 without any.

        >>> METRICS["map"].compute_gain(np.array([True, False, True]), 2)
        0.8333333333333333
        """
        ranks = np.flatnonzero(relevant) + 1
        return float((np.arange(1, len(ranks) + 1) / ranks).mean()) if len(ranks) else 0.0


@METRICS.add("mrr")
class MeanReciprocalRank(RankingMetric):
    """The mean of one over the rank of a group's first hit, within the top 10."""

    def compute_gain(self, relevant: Array, n_relevant: int) -> float:  # noqa: ARG002
        """Return one over the rank of the first hit, 0 without any."""
        ranks = np.flatnonzero(relevant) + 1
        return float(1 / ranks[0]) if len(ranks) else 0.0


@METRICS.add("ndcg")
class DiscountedGain(RankingMetric):
    """Discounted gain of the top 10 of each group, as a share of the best possible."""

    def compute_gain(self, relevant: Array, n_relevant: int) -> float:
        """Return the discounted gain as a share of that of the best order."""
        discounts = 1 / np.log2(np.arange(2, MAX_RANK + 2))
        best = discounts[: min(n_relevant, MAX_RANK)].sum()
        return float(discounts[: len(relevant)][relevant].sum() / best) if best else 0.0


def compute_mean_average_precision(relevant: Array, scores: Array, groups: Array) -> float:
    """Return the mean average precision of items ranked by score within groups.

    >>> compute_mean_average_precision(np.array([1, 0, 1]), np.array([0.9, 0.5, 0.7]), np.array(["q", "q", "q"]))
    1.0
    """
    codes = np.unique(np.asarray(groups).astype(str), return_inverse=True)[1]
    forms = Relevance(np.asarray(relevant, dtype=bool)), RankingScores(np.asarray(scores, dtype=float)), Groups(codes)
    return METRICS["map"].score(ScoredItems.of(*forms, present=np.ones(len(codes), dtype=bool)))
