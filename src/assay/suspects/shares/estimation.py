"""Estimate the share of gold labels that are wrong, without a list of wrong ones.

A label that is wrong at random is contradicted by good evidence as strongly as any other wrong label would be: how
strongly is counted on the data, with other labels in the place of the gold labels. Right labels are contradicted too,
because items are hard and systems share their errors. How often is a smooth curve, fitted together with the share of
wrong labels: only contradictions that no smooth curve explains are wrong labels. If both explain the data equally
well, the share is not known.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from assay.base.arrays import Array
from assay.views.values import Interval

PRIOR_MEAN = 0.05  # of the share of wrong labels if there are any, with an exponential distribution
MIN_EXPECTED = 5.0  # items in a cell that says how well the curve fits
PRIOR_NONE = 0.3  # probability that no label is wrong
MIN_DISPERSION = (
    2.0  # by which likelihoods are flattened: no curve is exact, and with less more intervals miss the truth
)
MAX_NONE = 0.2  # the same after looking at the data, up to which some labels are taken to be wrong
MAX_NONE_BY_VOTES = 0.15  # the same by votes of systems: hard items look like wrong labels more often
METHOD = "smooth difficulty and labels wrong at random"
MIN_GAIN = 0.15  # nats by which data must change the prior; below it the share of wrong labels is not known

_TRIED = np.array(
    [0, 0.0025, 0.005, 0.0075, 0.01, 0.015, 0.02, 0.03, 0.04, 0.05, 0.065, 0.08, 0.1, 0.13, 0.17, 0.22, 0.3]
)
SHARES = np.unique(np.r_[np.linspace(0, 0.02, 81), np.linspace(0.02, 0.1, 161), np.linspace(0.1, 0.3, 101)])
_WIDTHS = np.gradient(SHARES)
_STEP = float(np.sqrt(np.finfo(float).eps))  # of forward differences
_LENGTHS = 2.0 ** np.arange(2, -4, -0.5)  # of a step; the best is taken
MAX_STEPS = 60
TOLERANCE = 1e-8  # of log posteriors

# From parameters (… × parameters) to the probability of every cell (… × cells), if labels are right.
Curve = Callable[[Array], Array]


def weigh_shares(counts: Array, wrong: Array, curve: Curve, n_parameters: int, min_dispersion: float = 1.0) -> Array:
    """Return the log likelihood of `SHARES`, at most 0, from the number of items in every cell.

    `wrong` is the probability of every cell if labels are wrong, `curve` gives it for right labels; its parameters have
    standard normal priors. The likelihood is
    flattened by the dispersion that the best fit leaves, and by
    `min_dispersion` at least.

    >>> curve = lambda parameters: np.broadcast_to([1 - 1e-3, 1e-3], (*parameters.shape[:-1], 2))
    >>> log = weigh_shares(np.array([970.0, 30.0]), np.array([0.0, 1.0]), curve, 1)
    >>> round(float(SHARES[log.argmax()]), 3)
    0.03
    """
    logs, cells = _fit_curves(counts, wrong, curve, n_parameters)
    best = int(np.argmax(logs))
    expected = counts.sum() * cells[best]
    is_large = expected >= MIN_EXPECTED
    freedom = max(int(is_large.sum()) - n_parameters - 1, 1)
    dispersion = ((counts - expected) ** 2 / expected)[is_large].sum() / freedom
    rising, falling = np.maximum.accumulate(logs[: best + 1]), np.maximum.accumulate(logs[best:][::-1])[::-1]
    logs = np.concatenate([rising, falling[1:]])
    return np.asarray(np.interp(SHARES, _TRIED, logs - logs.max()) / max(dispersion, min_dispersion))


def _fit_curves(counts: Array, wrong: Array, curve: Curve, n_parameters: int) -> tuple[Array, Array]:
    """Return the highest log posterior of every tried share, and the probability of every cell there.

    The curves of all shares are fitted together, by scoring: Newton's method with the information that is expected.
    """
    shares = _TRIED[:, None, None]
    moves = _STEP * np.eye(n_parameters + 1, n_parameters, k=-1)

    def mix(points: Array) -> tuple[Array, Array]:
        cells = np.maximum((1 - shares) * curve(points) + shares * wrong, 1e-12)
        return np.log(cells) @ counts - (points**2).sum(axis=-1) / 2, cells

    points = np.zeros((len(_TRIED), 1, n_parameters))
    for _ in range(MAX_STEPS):
        logs, cells = mix(points + moves)
        logs, cells, slopes = logs[:, :1], cells[:, :1], (cells[:, 1:] - cells[:, :1]) / _STEP
        ratios = counts / cells
        rise = slopes @ ratios.transpose(0, 2, 1) - points.transpose(0, 2, 1)
        information = (slopes * (ratios / cells)) @ slopes.transpose(0, 2, 1) + np.eye(n_parameters)
        steps = np.linalg.solve(information, rise).transpose(0, 2, 1)
        tried = points + steps * _LENGTHS[:, None]
        reached, _ = mix(tried)
        chosen = reached.argmax(axis=1)[:, None]
        gain = np.take_along_axis(reached, chosen, axis=1) - logs
        points = np.where(gain[..., None] > 0, np.take_along_axis(tried, chosen[..., None], axis=1), points)
        if gain.max() < TOLERANCE:
            break
    logs, cells = mix(points)
    return logs[:, 0], cells[:, 0]


@dataclass(frozen=True)
class ShareEstimate:
    """The share of wrong labels, how much the data say about it (in nats), and the probability of none."""

    share: Interval
    gain: float = 0.0
    none: float = PRIOR_NONE
    max_none: float = MAX_NONE

    @property
    def is_known(self) -> bool:
        """Return whether the data say more than the prior."""
        return self.gain >= MIN_GAIN

    @property
    def has_wrong(self) -> bool:
        """Return whether some labels are wrong with some certainty."""
        return self.is_known and self.none <= self.max_none

    def describe(self) -> Interval:
        """Return the share, nan if it is not known."""
        if self.is_known:
            return self.share
        return replace(self.share, value=math.nan, low=math.nan, high=math.nan)


def estimate_share(log_likelihoods: Sequence[Array], max_none: float = MAX_NONE) -> ShareEstimate:
    """Return the mean of the share of wrong labels and the smallest interval that holds 95% of its distribution.

    >>> estimate_share([]).is_known, round(estimate_share([]).share.value, 3)
    (False, 0.034)
    """
    density = np.exp(-SHARES / PRIOR_MEAN) * _WIDTHS
    prior = np.append(PRIOR_NONE, (1 - PRIOR_NONE) * density / density.sum())
    log = np.sum([np.zeros(len(SHARES)), *log_likelihoods], axis=0)
    posterior = prior * np.exp(np.append(log[0], log) - log.max())
    posterior /= posterior.sum()
    shares = np.append(0.0, SHARES)
    order = np.argsort(-posterior / np.append(1e-9, _WIDTHS), kind="stable")
    inside = shares[order[: int(np.searchsorted(np.cumsum(posterior[order]), 0.95)) + 1]]
    gain = float((posterior * np.log(np.maximum(posterior, 1e-300) / prior)).sum())
    mean = float(posterior @ shares)
    low = 0.0 if posterior[0] > 0.05 else float(inside.min())
    share = Interval(mean, min(low, mean), max(float(inside.max()), mean), method=METHOD)
    return ShareEstimate(share, gain, float(posterior[0]), max_none)
