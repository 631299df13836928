"""Turn a ranking of doubtful items into probabilities that they are bad, by how often items like them occur.

Every kind of evidence gives each item a preferred label with a confidence. Where the preferred label is not the gold
label, either the gold label is wrong or the evidence is. How often evidence of this confidence disagrees is counted on
the user's own data. How many items are bad is not known there; it comes from a prior, or, where disagreement does not
fall any further as confidence rises, from that floor: labels that are wrong at random disagree at any confidence.
Where it is known how often evidence of this quality disagrees with right labels by chance, only what exceeds that can
be bad.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np

from assay.base.arrays import Array

MAX_BINS = 20
MIN_BIN_ITEMS = 30
MAX_PROBABILITY = 0.97
MAX_AGREEING_PROBABILITY = 0.5
CONFIDENCE_RANKS = (0.0, 0.15, 0.4, 0.6, 0.75, 0.9, 1.0)  # of items, from the most confident to the least
PRIOR_SD = 0.5  # of the logarithm of these shares, from one benchmark to another
LOW_SD, HIGH_SD = 1.0, 0.8  # the same for the ends of the number of bad items: few benchmarks were ever checked
FLOOR_SD = 0.15  # of the logarithm of a share measured as the floor of disagreement
CONFIDENT_SHARE, NEXT_SHARE = 0.1, 0.15  # of the items, between which the floor is measured
MIN_WRONG_SHARE = 0.5  # of the systems that would be right, on items that are bad
TRUSTED_DISAGREEMENT, WEAK_DISAGREEMENT = 0.1, 0.2  # of the most confident items: up to which, and from which not

_STEPS = np.linspace(-2.4, 2.4, 25)
_WEIGHTS = np.exp(-(_STEPS**2) / 2) / np.exp(-(_STEPS**2) / 2).sum()


@dataclass(frozen=True)
class Prior:
    """How many bad items to expect before looking at the data.

    `shares` of the items at `CONFIDENCE_RANKS` have a gold label that is visibly wrong; `near_ties` of all items are
    bad per unit of confidence on either side of a tie; `decay` is the factor by which errors of the evidence itself
    fall from one level of confidence to the next.
    """

    shares: tuple[float, ...]
    near_ties: float
    decay: float


# Read off MMLU-Redux and GSM8K-Platinum (votes) and the IMDB verdicts of Northcutt et al. (2021): docs/suspects.md.
VOTES = Prior((0.003, 0.004, 0.009, 0.019, 0.034, 0.053, 0.06), near_ties=0.024, decay=0.15)
MODEL = Prior((0.005, 0.0065, 0.016, 0.032, 0.05, 0.05, 0.05), near_ties=0.0, decay=0.3)


def scale_prior(prior: Prior, factor: float) -> Prior:
    """Return a prior of as many times the bad items."""
    return replace(prior, shares=tuple(factor * share for share in prior.shares), near_ties=factor * prior.near_ties)


@dataclass(frozen=True)
class Chance:
    """What evidence of the same quality would say of right labels: drawn confidences, positive where they disagree.

    `drawn_wrong` is the share of all systems that are wrong on these items, `wrong` that on the real ones.
    """

    confidence: Array = field(repr=False)
    drawn_wrong: Array = field(repr=False)
    wrong: Array = field(repr=False)


@dataclass(frozen=True)
class Calibrated:
    """The probability that each item is bad, and how many are: expected, and for every quantile of the prior."""

    probabilities: Array = field(repr=False)
    expected: float
    low: float
    high: float
    floor: float


def calibrate(
    confidence: Array,
    disagrees: Array,
    order: Array,
    prior: Prior,
    *,
    use_floor: bool = True,
    chance: Chance | None = None,
) -> Calibrated:
    """Return the probability that each item is bad; it never falls as `order` rises.

    `confidence` is that of the preferred label, from 0 to 1; `disagrees` marks items whose gold label is another. Of
    the items of one confidence, P(bad) is the number expected to be bad divided by the number that disagrees, at most
    one, averaged over the uncertainty of the prior. Without `use_floor` the prior decides alone. With `chance`,
    no more items are bad than it leaves unexplained.

    >>> confidence = np.repeat([1.0, 0.2], [950, 50])
    >>> disagrees = np.arange(1000) % 50 == 0
    >>> result = calibrate(confidence, disagrees, disagrees * confidence, VOTES)
    >>> result.probabilities[:2].round(2).tolist()
    [0.92, 0.0]
    """
    from sklearn.isotonic import isotonic_regression

    n = len(confidence)
    if not n:
        return Calibrated(np.zeros(0), 0.0, 0.0, 0.0, 0.0)
    levels = _Levels.count(confidence, disagrees)
    if chance is not None:
        levels = levels.limit(chance, disagrees)
    floor = levels.measure_floor(prior.decay) if use_floor else 0.0
    chances = np.stack([levels.estimate_chances(prior, floor, step, PRIOR_SD * step) for step in _STEPS])
    raw = np.einsum("s,sdb->db", _WEIGHTS, chances)[disagrees.astype(np.int64), levels.of_item]
    rows = np.argsort(order, kind="stable")
    probabilities = np.empty(n)
    probabilities[rows] = isotonic_regression(raw[rows])
    shifts = np.where(_STEPS < 0, LOW_SD, HIGH_SD) * _STEPS
    wide = np.stack([levels.estimate_chances(prior, floor, *pair) for pair in zip(_STEPS, shifts, strict=True)])
    totals = wide[:, 1] @ levels.n_disagreeing + wide[:, 0] @ (levels.n - levels.n_disagreeing)
    low, high = _find_quantiles(totals)
    return Calibrated(probabilities, float(probabilities.sum()), low, high, floor)


@dataclass(frozen=True)
class _Levels:
    """Items grouped by confidence, the most confident first; equal confidence is never divided."""

    of_item: Array
    n: Array
    n_disagreeing: Array
    rank: Array  # of the middle of the level, from 0 to 1
    width: Array  # of the level in units of confidence
    disagreement: Array  # share that disagrees; never falls from one level to the next
    lowest: Array  # confidence of the level
    limit_bad: Array | None = None  # most disagreeing items that can be bad, in this level and those before

    @classmethod
    def count(cls, confidence: Array, disagrees: Array) -> _Levels:
        from sklearn.isotonic import isotonic_regression

        order = np.argsort(-confidence, kind="stable")
        starts, lowest = _divide(confidence[order])
        of_item = np.empty(len(order), np.int64)
        of_item[order] = np.repeat(np.arange(len(starts)), np.diff([*starts, len(order)]))
        n = np.bincount(of_item, minlength=len(starts)).astype(float)
        n_disagreeing = np.bincount(of_item[disagrees], minlength=len(starts)).astype(float)
        lowest[-1] = 0.0
        width = np.append(1.0, lowest[:-1]) - lowest
        share = isotonic_regression((n_disagreeing + 0.25) / (n + 0.5), sample_weight=n)
        return cls(of_item, n, n_disagreeing, (np.cumsum(n) - n / 2) / len(order), width, share, lowest)

    def limit(self, chance: Chance, disagrees: Array) -> _Levels:
        """Return the levels with the number of disagreeing items that chance does not explain.

        This is the larger of two: how many more items disagree than by chance, and how many must be bad because more
        systems are wrong on them. A bad item is taken to be wrong for at least half of the systems that would be right.
        """
        is_drawn = chance.confidence > 0
        levels = np.searchsorted(-self.lowest, -chance.confidence[is_drawn])
        n_drawn = self._sum_from_top(levels, np.ones(len(levels)))
        drawn_wrong = self._sum_from_top(levels, chance.drawn_wrong[is_drawn]) / np.maximum(n_drawn, 1)
        wrong = self._sum_from_top(self.of_item[disagrees], chance.wrong[disagrees])
        n = np.cumsum(self.n_disagreeing)
        more = n - n_drawn * self.n.sum() / max(len(is_drawn), 1)
        worse = (wrong - drawn_wrong * n) / np.maximum(MIN_WRONG_SHARE * (1 - drawn_wrong), 1e-9)
        return replace(self, limit_bad=np.clip(np.maximum(more, worse), 0.0, n))

    def _sum_from_top(self, levels: Array, values: Array) -> Array:
        return np.cumsum(np.bincount(levels, values, len(self.n)))

    def measure_floor(self, decay: float) -> float:
        """Return the share of labels wrong at random: what is left of disagreement as confidence rises.

        Of the most confident tenth of the items and the next 15%, errors of the evidence are assumed to differ by the
        factor `decay`, label errors not at all. Evidence that is often wrong if it is most confident says less.
        """
        ends = np.cumsum(self.n)
        first = int(np.searchsorted(ends, CONFIDENT_SHARE * ends[-1]))
        last = min(len(ends) - 1, int(np.searchsorted(ends, ends[first] + NEXT_SHARE * ends[-1])))
        if last <= first:
            return 0.0
        top, below = slice(0, first + 1), slice(first + 1, last + 1)
        confident = np.average(self.disagreement[top], weights=self.n[top])
        following = np.average(self.disagreement[below], weights=self.n[below])
        trust = np.interp(confident, [TRUSTED_DISAGREEMENT, WEAK_DISAGREEMENT], [1.0, 0.0])
        return max(0.0, float(trust * (confident - decay * following) / (1 - decay)))

    def estimate_chances(self, prior: Prior, floor: float, step: float, shift: float) -> Array:
        """Return P(bad) of agreeing and of disagreeing items of each level, `shift` above the logarithm of the prior.

        The floor is `step` of its own deviations higher.
        """
        factor = np.exp(shift)
        shares = np.interp(self.rank, CONFIDENCE_RANKS, prior.shares) * factor
        wrong = self.n * np.maximum(shares, floor * np.exp(FLOOR_SD * step))
        near_ties = prior.near_ties * self.n.sum() * self.width * factor
        disagreeing = np.maximum(wrong, near_ties) / (self.disagreement * self.n)
        agreeing = near_ties / np.maximum((1 - self.disagreement) * self.n, 1e-9)
        chances = np.stack([np.minimum(agreeing, MAX_AGREEING_PROBABILITY), np.minimum(disagreeing, MAX_PROBABILITY)])
        return chances if self.limit_bad is None else chances * self._share_limit(chances[1] * self.n_disagreeing)

    def _share_limit(self, n_bad: Array) -> Array:
        """Return by what to multiply the bad items of each level, the most confident first, to keep the limit."""
        assert self.limit_bad is not None
        factors, used = np.ones(len(n_bad)), 0.0
        for level, wanted in enumerate(n_bad.tolist()):
            if wanted > 0:
                factors[level] = np.clip((self.limit_bad[level] - used) / wanted, 0.0, 1.0)
                used += wanted * factors[level]
            elif level:
                factors[level] = factors[level - 1]
        return factors


def _divide(confidence: Array) -> tuple[list[int], Array]:
    """Return where levels start in confidences sorted downwards, and the lowest confidence of each level."""
    n = len(confidence)
    size = max(MIN_BIN_ITEMS, n / MAX_BINS)
    starts = [0]
    while True:
        end = min(n, int(starts[-1] + size))
        if end < n:  # not between equal values
            end = int(np.searchsorted(-confidence, -confidence[end - 1], side="right"))
        if n - end < size / 2:
            break
        starts.append(end)
    return starts, confidence[np.append(np.array(starts[1:], np.int64), n) - 1].copy()


def _find_quantiles(totals: Array) -> tuple[float, float]:
    """Return the ends of the 95% interval of the number of bad items over the prior, with counting error."""
    ends = np.cumsum(_WEIGHTS) - _WEIGHTS / 2
    low, high = np.interp([0.025, 0.975], ends, totals)
    return max(0.0, float(low - 1.96 * np.sqrt(low))), float(high + 1.96 * np.sqrt(high))
