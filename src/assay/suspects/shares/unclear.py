"""Items that are bad without a wrong label: with several right answers, or none.

Votes cannot tell them from hard items. How many there are is known only of benchmarks that people have reviewed: on
MMLU-Redux and GSM8K, 14 and 17 of 1,000 items are such where most votes are against the label.
"""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.suspects.shares.levels import divide_levels
from assay.suspects.votes import AnswerVotes

UNCLEAR_SHARE = 0.01  # of all items, where most votes are against the label
MAX_UNCLEAR_SHARE = 0.08  # the same, whatever the votes
MAX_UNCLEAR_CHANCE = 0.8


def spread_unclear(doubt: Array, votes: AnswerVotes) -> tuple[Array, float]:
    """Return the probability that each item is unclear, and how many of all may be.

    Items are taken to be equally often unclear at any margin against the label, so that an item is probably unclear
    where few are hard. Where systems err each by itself, no item is harder than others, and none is unclear.
    """
    from sklearn.isotonic import isotonic_regression

    positive = doubt > 0
    spread = _measure_spread(votes)
    chance = np.zeros(len(doubt))
    if positive.any():
        of_item, lowest = divide_levels(doubt[positive])
        lowest[-1] = 0.0
        width = np.diff(np.append(1.0, lowest)) * -1
        counts = np.bincount(of_item, minlength=len(lowest))
        share = UNCLEAR_SHARE * spread * len(doubt) * width / counts
        share = isotonic_regression(share, sample_weight=counts.astype(float), increasing=False)
        chance[positive] = np.minimum(share, MAX_UNCLEAR_CHANCE)[of_item]
    return chance, MAX_UNCLEAR_SHARE * spread * len(doubt)


def _measure_spread(votes: AnswerVotes) -> float:
    """Return the reliability of the items' numbers of right answers: 0 if systems err independently."""
    right = (votes.codes == votes.gold).astype(np.float32)
    n = len(right)
    total = float(right.sum(axis=0).var())
    if n < 2 or total <= 0:
        return 1.0
    alone = float(right.var(axis=1).sum())
    return float(np.clip(n / (n - 1) * (1 - alone / total), 0.0, 1.0))
