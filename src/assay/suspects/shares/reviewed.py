"""How often items with such evidence are bad on benchmarks that people have reviewed.

On MMLU-Redux, GSM8K and IMDB, with few systems, many, or one model, nearly the same number of items is bad and
contradicted: 21 to 28 of 1,000 where the evidence is against the label, 9 to 21 where it is strongly against it. These
are wrong labels, and items with several right answers or none, which votes cannot tell from hard ones. Few items
with such evidence are therefore mostly bad ones, and many are mostly hard ones.
"""

from __future__ import annotations

import numpy as np

from assay.base.arrays import Array
from assay.suspects import learned
from assay.suspects.shares.levels import smooth_ratios
from assay.suspects.votes import AnswerVotes

MAX_CHANCE = 0.95
PSEUDO_ITEMS = 1.0  # good items, added to every level
CAUTION = 0.85  # of the number of bad items: items are called suspects if it is estimated high rather than low
DEVIATION = 0.5  # of the logarithm of the share of bad items, between benchmarks
_DEVIATES = np.array([-1.5, -0.9, -0.4, 0.0, 0.4, 0.9, 1.5])  # of nearly equal weight


def spread_reviewed(doubt: Array) -> Array:
    """Return the probability that each item is bad, if as many are as on reviewed benchmarks at every level of doubt.

    `doubt` is the share of the evidence against the label less that for it, from -1 to 1. The probability never falls
    as doubt rises. Items between two levels count for both, so that it changes little if doubt does.

    >>> easy, hard = (np.repeat([0.9, -1.0], [n, 1000 - n]) for n in (15, 200))
    >>> [round(float(spread_reviewed(doubt)[0]), 2) for doubt in (easy, hard)]
    [0.84, 0.1]
    """
    places = np.array(learned.REVIEWED_DOUBTS[::-1])
    judged = np.flatnonzero(np.nan_to_num(doubt, nan=-1.0) >= places[-1])
    above = np.clip(np.searchsorted(-places, -doubt[judged]) - 1, 0, len(places) - 2)
    part = np.clip((places[above] - doubt[judged]) / (places[above] - places[above + 1]), 0.0, 1.0)
    counts = np.bincount(above, 1 - part, len(places)) + np.bincount(above + 1, part, len(places))
    between = np.diff(learned.REVIEWED_BAD[::-1]) / 2
    n_bad = np.append(learned.REVIEWED_BAD[-1], between) + np.append(between, 0.0)
    shares = smooth_ratios(CAUTION * len(doubt) * n_bad, counts, 0.0, PSEUDO_ITEMS)[:, None]
    chances = np.minimum(shares * np.exp(DEVIATION * _DEVIATES - DEVIATION**2 / 2), MAX_CHANCE).mean(axis=1)
    chance = np.zeros(len(doubt))
    chance[judged] = (1 - part) * chances[above] + part * chances[above + 1]
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
