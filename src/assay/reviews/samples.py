"""Reviewed items as a random sample: how many items each of them stands for, and totals with intervals."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from assay.base.arrays import Array
from assay.reviews.weighted_counts import Totals, find_limits


@dataclass(frozen=True)
class ReviewSample:
    """The reviewed items of one or several batches, each a random sample by strata of the items not drawn before.

    `strata` is the stratum of each reviewed item; `sizes`, `counts` and `batches` are the items, the reviewed items and
    the batch of each stratum.
    """

    strata: Array
    sizes: Array
    counts: Array
    batches: Array

    @cached_property
    def n_unseen(self) -> Array:
        """The number of items not reviewed for which each reviewed item stands, by stratum."""
        return np.asarray(self.sizes / self.counts - 1)

    @cached_property
    def batch_weights(self) -> Array:
        """The weight of each batch: the inverse variance if bad items were spread evenly. They add up to one.

        Every batch gives an unbiased estimate: what earlier ones found, and what it says about the rest. They depend on
        each other only through what is known when the batch is drawn, so their variances add up.
        """
        variances = np.bincount(self.batches, self.sizes * self.n_unseen)
        if (variances <= 0).any():  # a batch that covers all items that were left decides alone
            return np.asarray(np.arange(len(variances)) == np.flatnonzero(variances <= 0)[0], dtype=float)
        return np.asarray((1 / variances) / (1 / variances).sum())

    @cached_property
    def stratum_weights(self) -> Array:
        """The weight in the total of what one reviewed item says about the items not reviewed, by stratum."""
        return np.asarray(self.batch_weights[self.batches] * self.n_unseen)

    @cached_property
    def known_weights(self) -> Array:
        """The weight in the total of a reviewed item itself: that of its own batch and the later ones."""
        later = np.cumsum(self.batch_weights[::-1])[::-1]
        return np.asarray(later[self.batches][self.strata])

    def estimate(self, values: Array, usual: Array, confidence: float = 0.95, eligible: Array | None = None) -> Totals:
        """Estimate the totals over all items of columns of values from 0 upwards, reviewed items × columns.

        `usual` is the value that is expected of an item with a value above 0 as long as none was found: the upper limit
        allows for one more such item, whose value is the root mean square of this and of those that were found.
        `eligible` is the number of items not reviewed that may have a value above 0 (strata × columns): one item that
        was found stands for no more than these.
        """
        weights, n_strata = self.batch_weights[self.batches][:, None], len(self.sizes)
        n_unseen = self.n_unseen[:, None]
        n_hidden = n_unseen if eligible is None else np.minimum(n_unseen, eligible)
        # Of a count in a sample of n: n p (1 - p), where p is estimated by k / (n + 1).
        sums = _sum_by_stratum(values, self.strata, n_strata)
        largest = np.maximum(np.maximum(usual, values.max(axis=0, initial=0.0)), 1e-300)
        spread = 1 - sums / largest / (self.counts[:, None] + 1)
        squares = _sum_by_stratum(values**2, self.strata, n_strata)
        further = np.sqrt((usual**2 + squares.sum(axis=0)) / (1 + (values > 0).sum(axis=0)))
        variance = (weights**2 * n_unseen * (n_unseen + 1) * squares * np.clip(spread, 0, 1)).sum(axis=0)
        known, unseen = self.known_weights @ values, self.stratum_weights @ sums
        low, high = find_limits(
            unseen,
            variance,
            (weights * n_hidden).max(axis=0) * further,
            (weights**2 * n_hidden * (n_hidden + 1)).max(axis=0) * further**2,
            confidence,
        )
        # All of them may have been found if chance finds as many often enough.
        surprise = np.where(values > 0, np.log1p(self.n_unseen)[self.strata][:, None], 0.0).sum(axis=0)
        low = np.where(surprise <= -np.log(1 - confidence), 0.0, low)
        return Totals(known + unseen, known + low, known + high)

    def estimate_signed(
        self,
        values: Array,
        usual: tuple[Array, Array],
        confidence: float = 0.95,
        eligible: tuple[Array | None, Array | None] = (None, None),
    ) -> Totals:
        """Estimate totals of values of both signs, which vary independently of each other.

        `usual` and `eligible` have entries for values above 0 and for values below.
        """
        gains = self.estimate(np.maximum(values, 0), usual[0], confidence, eligible[0])
        losses = self.estimate(np.maximum(-values, 0), usual[1], confidence, eligible[1])
        value = gains.value - losses.value
        below = np.hypot(gains.value - gains.low, losses.high - losses.value)
        above = np.hypot(gains.high - gains.value, losses.value - losses.low)
        return Totals(value, value - below, value + above)


def _sum_by_stratum(values: Array, strata: Array, n_strata: int) -> Array:
    sums = np.zeros((n_strata, values.shape[1]))
    np.add.at(sums, strata, values)
    return sums
