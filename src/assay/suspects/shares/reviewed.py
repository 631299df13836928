"""How often items with such evidence are bad on benchmarks that people have reviewed.

On MMLU-Redux, GSM8K and IMDB, with few systems, many, or one model, nearly the same number of items is bad and
contradicted: 21 to 29 of 1,000 where the evidence is against the label, 12 to 22 where it is strongly against it. These
are wrong labels, and items with several right answers or none, which votes cannot tell from hard ones. Few items
with such evidence are therefore mostly bad ones, and many are mostly hard ones.
"""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.suspects import learned
from assay.suspects.shares.levels import divide_levels
from assay.suspects.votes import AnswerVotes

MAX_CHANCE = 0.95
PSEUDO_ITEMS = 1.0  # good items added to every level
DEVIATION = 0.5  # of the logarithm of the share of bad items, between benchmarks
_DEVIATES = np.array([-1.5, -0.9, -0.4, 0.0, 0.4, 0.9, 1.5])  # of nearly equal weight


def spread_reviewed(doubt: Array) -> Array:
    """Return the probability that each item is bad, if as many are as on reviewed benchmarks at every level of doubt.

    `doubt` is the share of the evidence against the label less that for it, from -1 to 1. The probability never falls
    as doubt rises.

    >>> easy, hard = (np.repeat([0.9, -1.0], [n, 1000 - n]) for n in (15, 200))
    >>> [round(float(spread_reviewed(doubt)[0]), 2) for doubt in (easy, hard)]
    [0.94, 0.17]
    """
    from sklearn.isotonic import isotonic_regression

    start = learned.REVIEWED_DOUBTS[0]
    judged = np.nan_to_num(doubt, nan=-1.0) >= start
    chance = np.zeros(len(doubt))
    if not judged.any():
        return chance
    of_item, lowest = divide_levels(doubt[judged])
    lowest[-1] = start
    counts = np.bincount(of_item, minlength=len(lowest)).astype(float)
    n_bad = np.diff(np.interp(lowest, learned.REVIEWED_DOUBTS, learned.REVIEWED_BAD), prepend=0.0) * len(doubt)
    share = isotonic_regression(n_bad / (counts + PSEUDO_ITEMS), sample_weight=counts, increasing=False)
    shares = share[:, None] * np.exp(DEVIATION * _DEVIATES - DEVIATION**2 / 2)
    chance[judged] = np.minimum(shares, MAX_CHANCE).mean(axis=1)[of_item]
    return chance


def measure_spread(votes: AnswerVotes) -> float:
    """Return the reliability of the items' numbers of right answers: 0 if systems err independently.

    Then no item is harder than others, and none is unclear.
    """
    right = (votes.codes == votes.gold).astype(np.float32)
    n = len(right)
    total = float(right.sum(axis=0).var())
    if n < 2 or total <= 0:
        return 1.0
    alone = float(right.var(axis=1).sum())
    return float(np.clip(n / (n - 1) * (1 - alone / total), 0.0, 1.0))
