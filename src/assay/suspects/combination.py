"""Combine kinds of evidence into one probability per item, and into the expected number of bad items."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.suspects.shares.estimation import ShareEstimate, estimate_share
from assay.views.values import Interval

if TYPE_CHECKING:
    from assay.suspects.judgements import Judgement

FACTS = ("copies", "texts")  # facts of the text; the others are opinions on the label
MAX_UNKNOWN = 0.2  # of values that only order items
SECOND_WEIGHT = 0.5  # of the log odds of further opinions: systems and text models fail on the same items
MAX_SHIFT = 4.0
MIN_PROBABILITY = 1e-4
MAX_SPREAD = 1e-3  # of items with equal probability that their order tells apart
DIGITS = 9  # of equal probabilities


@dataclass(frozen=True)
class Combined:
    """The probability that each item is bad, nan if no evidence covers it, an order for equal ones, and the totals.

    `is_known` is False if the evidence only orders the items: probabilities then stay below those of suspects.
    `has_wrong` is True if some wrong labels explain the data clearly better than none.
    """

    probability: Array = field(repr=False)
    order: Array = field(repr=False)
    expected_bad: Interval
    is_known: bool
    has_wrong: bool


def combine(judgements: Sequence[Judgement]) -> Combined:
    """Combine what kinds of evidence say about every item.

    The opinion whose share of wrong labels is known best counts fully; a further one shifts its log odds by half of its
    own, and both together estimate the share. Copies with other labels are independent causes:
    P = 1 - (1 - P)(1 - P_copy).
    """
    opinions = [judgement for judgement in judgements if judgement.evidence.name not in FACTS]
    facts = [judgement for judgement in judgements if judgement.evidence.name in FACTS]
    opinions.sort(key=lambda opinion: not opinion.estimate.is_known)
    probability, order = opinions[0].probability.copy(), _place(opinions[0].order)
    for opinion in opinions[1:]:
        both = np.isfinite(probability) & np.isfinite(opinion.probability)
        combined = np.where(np.isfinite(probability), probability, opinion.probability)
        combined[both] = _merge(probability[both], opinion.probability[both])
        probability = combined
        order = np.where(np.isfinite(order), order, _place(opinion.order))
    estimate = _join_estimates(opinions)
    n = int(np.isfinite(probability).sum())
    for fact in facts:
        covered = np.isfinite(probability) | (fact.probability > 0)
        probability = np.where(covered, 1 - (1 - np.nan_to_num(probability)) * (1 - fact.probability), np.nan)
    certain = sum(float(fact.probability.sum()) for fact in facts)
    unclear = max(opinion.max_unclear for opinion in opinions)
    value = float(np.nansum(probability))
    low, high = min(n * estimate.share.low, value), max(n * estimate.share.high + certain + unclear, value)
    total = Interval(value, low, min(high, len(probability)), method=estimate.share.method)
    if not estimate.is_known:
        probability = probability * min(1.0, MAX_UNKNOWN / max(float(np.nanmax(probability, initial=0.0)), 1e-9))
        total = replace(total, value=math.nan, low=math.nan, high=math.nan)
    return Combined(probability, order, total, estimate.is_known, estimate.has_wrong or certain >= 1)


def _join_estimates(opinions: Sequence[Judgement]) -> ShareEstimate:
    """Return the share of wrong labels by all opinions, or by the first if it has no likelihood."""
    if opinions[0].log_likelihood is None:
        return opinions[0].estimate
    log_likelihoods = [opinion.log_likelihood for opinion in opinions if opinion.log_likelihood is not None]
    return estimate_share(log_likelihoods, opinions[0].estimate.max_none)


def separate_ties(probability: Array, order: Array) -> Array:
    """Return probabilities that also rise with the order of items that had equal ones; the sum stays the same.

    Groups of equal probability are spread by at most a thousandth, and by no more than half the way to the next group.

    >>> separate_ties(np.array([0.2, 0.2, 0.5, np.nan]), np.array([1.0, 3.0, 0.0, 0.0])).round(5).tolist()
    [0.19975, 0.20025, 0.5, nan]
    """
    known = np.flatnonzero(np.isfinite(probability))
    if not len(known):
        return probability
    values, places = probability[known].round(DIGITS), np.nan_to_num(order[known], neginf=-1e300)
    ranked = np.lexsort((places, values))
    values, places = values[ranked], places[ranked]
    groups = np.flatnonzero(np.diff(values, prepend=-1.0))
    cells = np.flatnonzero((np.diff(values, prepend=-1.0) != 0) | (np.diff(places, prepend=0.0) != 0))
    levels, sizes = values[groups], np.diff(groups, append=len(values))
    gaps = np.minimum(np.diff(levels, prepend=0.0), np.diff(levels, append=1.0))
    spread = np.minimum(MAX_SPREAD, np.maximum(gaps, 0.0) / 2)
    counts = np.diff(cells, append=len(values))
    owners = np.searchsorted(groups, cells, side="right") - 1
    shares = (cells + counts / 2 - groups[owners]) / sizes[owners]
    separated = probability.copy()
    separated[known[ranked]] += np.repeat(spread[owners] * (shares - 0.5), counts)
    return separated


def _place(order: Array) -> Array:
    """Return the place of every item among those with this evidence, from 0 to 1; others stay as they are.

    Orders of different evidence, such as shares of votes and log probabilities, are compared by it.

    >>> _place(np.array([7.0, 5.0, -np.inf, 5.0, 9.0])).tolist()
    [0.625, 0.25, -inf, 0.25, 0.875]
    """
    places, known = order.astype(float), np.isfinite(order)
    _, values, counts = np.unique(places[known], return_inverse=True, return_counts=True)
    places[known] = ((counts.cumsum() - counts / 2) / max(int(known.sum()), 1))[values]
    return places


def _merge(first: Array, second: Array) -> Array:
    """Return probabilities with the log odds of the first plus half of the second, and the sum of the first."""
    mean = np.asarray(second.mean() if len(second) else 0.5)
    shift = np.clip(_to_log_odds(second) - _to_log_odds(mean), -MAX_SHIFT, MAX_SHIFT)
    log_odds = _to_log_odds(first) + SECOND_WEIGHT * shift
    total = first.sum()
    low, high = -10.0, 10.0
    for _ in range(40):
        middle = (low + high) / 2
        is_high = (1 / (1 + np.exp(-(log_odds + middle)))).sum() > total
        low, high = (low, middle) if is_high else (middle, high)
    return np.asarray(1 / (1 + np.exp(-(log_odds + (low + high) / 2))))


def _to_log_odds(probability: Array) -> Array:
    share = np.clip(probability, MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    return np.asarray(np.log(share / (1 - share)))
