"""How many items or repeats settle a difference."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.decisions.results import Components
from assay.statistics import normal_quantile

POWER = 0.8
MIXTURE_COST = 1.5  # of a capital divided over many bets, compared with one bet that fits, as a logarithm
LARGEST_BET, LARGEST_BET_COST = 0.9, 2.2  # the share of the capital that is bet, and the cost if no other bet fits
MAX_REPEATS = 100


def split_components(first: Array, second: Array) -> Components:
    """Split the variance of the difference of two systems, each repeats × items with nan for runs that are missing.

    >>> tables = np.array([[1.0, 0, 1, 0], [1, 0, 0, 0]]), np.array([[1.0, 1, 1, 0], [1, 1, 1, 0]])
    >>> result = split_components(*tables)
    >>> round(result.sd_items, 3), round(result.sd_repeats, 3)
    (0.408, 0.354)
    """
    parts = [_split_repeats(table) for table in (first, second)]
    differences = parts[1][0] - parts[0][0]
    differences = differences[np.isfinite(differences)]
    spread = float(differences.var(ddof=1)) if len(differences) > 1 else math.nan
    within, shares = [part[1] for part in parts], [part[2] for part in parts]
    known = [variance for variance in within if math.isfinite(variance)]
    if not known:
        return Components(math.sqrt(spread), math.nan)
    noise = sum(variance * share for variance, share in zip(within, shares, strict=True) if math.isfinite(variance))
    total = sum(known) * 2 / len(known)  # of a system without repeats as of the other
    return Components(math.sqrt(max(spread - noise, 0.0)), math.sqrt(total))


def _split_repeats(table: Array) -> tuple[Array, float, float]:
    """Return the means of items, the variance between repeats, and the mean of 1 / repeats."""
    counts = np.isfinite(table).sum(axis=0)
    means = np.divide(np.nansum(table, axis=0), counts, out=np.full(counts.shape, np.nan), where=counts > 0)
    freedom = int(np.maximum(counts - 1, 0).sum())
    squares = float(np.nansum((table - means) ** 2))
    share = float((1 / counts[counts > 0]).mean()) if (counts > 0).any() else math.nan
    return means, squares / freedom if freedom else math.nan, share


def find_effect(value: float, margin: float) -> float:
    """Return the distance that settles a verdict soonest: that to 0, or that to −margin."""
    return max(abs(value), value + margin)


@dataclass(frozen=True)
class Design:
    """The interval that decides on a difference: of confidence 1 − alpha, or a confidence sequence."""

    alpha: float
    is_sequential: bool = False

    @property
    def factor(self) -> float:
        """Return the effect that is found with 80% power, in standard errors.

        >>> round(Design(0.05).factor, 2), round(Design(0.05, is_sequential=True).factor, 2)
        (2.8, 4.17)
        """
        z = normal_quantile(2 * POWER - 1)
        return z + (math.sqrt(z**2 + 2 * self.threshold) if self.is_sequential else normal_quantile(1 - self.alpha))

    @property
    def threshold(self) -> float:
        """Return the logarithm of the capital that a sequence must win."""
        return MIXTURE_COST - math.log(self.alpha / 2)

    def find_power(self, effect: float) -> float:
        """Return the probability that an effect, in standard errors, is found."""
        from scipy.special import ndtr

        if not self.is_sequential:
            return float(ndtr(effect - normal_quantile(1 - self.alpha)))
        return float(ndtr(effect / 2 - self.threshold / effect)) if effect > 0 else 0.0

    def count_least(self, share: float) -> int:
        """Return how many items are needed at least, even if all of them agree; the effect is a share of the largest."""
        share = min(share, 1.0)
        if self.is_sequential:
            return math.ceil((LARGEST_BET_COST - math.log(self.alpha / 2)) / math.log1p(LARGEST_BET * share))
        of_interval = normal_quantile(1 - self.alpha) ** 2 * (1 - share) / share  # that of Tango, without differences
        return max(math.ceil(of_interval), math.ceil(1 - math.log2(self.alpha)))  # an exact test needs the latter


def count_items(components: Components, effect: float, n_repeats: int, design: Design, span: float) -> int | None:
    """Return how many items settle an effect with 80% power; None if there is no effect or no variance is known.

    `span` is the largest difference that one item can have.
    """
    noise = components.sd_repeats**2 / n_repeats if math.isfinite(components.sd_repeats) else 0.0
    variance = components.sd_items**2 + noise
    if not effect > 0 or not math.isfinite(variance):
        return None
    return max(math.ceil(variance * (design.factor / effect) ** 2), design.count_least(effect / span))


def count_repeats(components: Components, effect: float, n_items: int, design: Design) -> int | None:
    """Return how many repeats of each of n items settle an effect with 80% power; None if no number does."""
    if not math.isfinite(components.sd_repeats) or not effect > 0 or not n_items:
        return None
    left = n_items * (effect / design.factor) ** 2 - components.sd_items**2
    needed = math.ceil(components.sd_repeats**2 / left) if left > 0 else MAX_REPEATS + 1
    return max(needed, 1) if needed <= MAX_REPEATS else None


def find_power(value: float, error: float, margin: float, design: Design) -> float:
    """Return the probability of a verdict, given the true difference and its standard error.

    >>> round(find_power(2.8, 1.0, 0.0, Design(0.05)), 2), round(find_power(4.17, 1.0, 0.0, Design(0.05, True)), 2)
    (0.8, 0.8)
    """
    if not error > 0:
        return math.nan
    return min(design.find_power((value + margin) / error) + design.find_power(-value / error), 1.0)
