"""Combine kinds of evidence into one probability per item, and into the expected number of bad items."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from assay.base.arrays import Array
from assay.views.values import Interval

if TYPE_CHECKING:
    from assay.suspects.judgements import Judgement

CERTAIN = ("copies", "texts")  # facts of the text; the others are opinions on the label
SECOND_WEIGHT = 0.5  # of the log odds of further opinions: systems and text models fail on the same items
MAX_SHIFT = 4.0
MIN_PROBABILITY = 1e-4


def combine(judgements: Sequence[Judgement]) -> tuple[Array, Array]:
    """Return the probability that each item is bad, nan if no evidence covers it, and an order for equal ones.

    The first opinion counts fully; a further one shifts its log odds by half of its own, and the number of bad items is
    the geometric mean of what the two expect. Facts of the text are independent causes: P = 1 - (1 - P)(1 - P_fact).
    """
    opinions = [judgement for judgement in judgements if judgement.evidence.name not in CERTAIN]
    facts = [judgement for judgement in judgements if judgement.evidence.name in CERTAIN]
    probability, order = opinions[0].probability.copy(), opinions[0].order.astype(float)
    for opinion in opinions[1:]:
        both = np.isfinite(probability) & np.isfinite(opinion.probability)
        combined = np.where(np.isfinite(probability), probability, opinion.probability)
        combined[both] = _merge(probability[both], opinion.probability[both])
        probability = combined
        order = np.where(np.isfinite(order), order, opinion.order)
    for fact in facts:
        known = np.nan_to_num(probability)
        covered = np.isfinite(probability) | (fact.probability > 0)
        probability = np.where(covered, 1 - (1 - known) * (1 - fact.probability), np.nan)
    return probability, order


def _merge(first: Array, second: Array) -> Array:
    """Return probabilities whose log odds are those of the first and half of the second.

    Their sum is the geometric mean of the two sums.
    """
    mean = np.asarray(second.mean() if len(second) else 0.5)
    shift = np.clip(_to_log_odds(second) - _to_log_odds(mean), -MAX_SHIFT, MAX_SHIFT)
    log_odds = _to_log_odds(first) + SECOND_WEIGHT * shift
    total = np.sqrt(first.sum() * second.sum())
    low, high = -10.0, 10.0
    for _ in range(40):
        middle = (low + high) / 2
        is_high = (1 / (1 + np.exp(-(log_odds + middle)))).sum() > total
        low, high = (low, middle) if is_high else (middle, high)
    return np.asarray(1 / (1 + np.exp(-(log_odds + (low + high) / 2))))


def estimate_total(probability: Array, judgements: Sequence[Judgement]) -> Interval:
    """Return the expected number of bad items; its interval is that of the first opinion, in proportion."""
    first = judgements[0]
    value = float(np.nansum(probability))
    n = int(np.isfinite(probability).sum())
    return Interval(value, min(value * first.low, n), min(value * first.high, n), method="mixture")


def _to_log_odds(probability: Array) -> Array:
    share = np.clip(probability, MIN_PROBABILITY, 1 - MIN_PROBABILITY)
    return np.asarray(np.log(share / (1 - share)))
