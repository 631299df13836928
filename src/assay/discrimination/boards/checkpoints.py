"""Signal and noise of datasets, from scores of several checkpoints of each system."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.discrimination.boards.draws import start_generator
from assay.statistics import Interval
from assay.views.results import Result

N_LAST = 5
ROUNDING = 1e-9  # relative to the mean; smaller deviations are what rounding leaves of 0
SHARES = (0.1, 0.25, 0.5, 0.75)
N_RESAMPLES = 1000
MIN_SYSTEMS = 5  # to resample systems


@dataclass(frozen=True, eq=False)
class CheckpointScores:
    """Scores of one dataset at every checkpoint: one row per system and step."""

    benchmark: str
    dataset: str
    metric: str
    systems: tuple[str, ...]
    steps: Array
    scores: Array
    lower_is_better: bool = False


@dataclass(frozen=True)
class EarlyDecision(Result):
    """The share of pairs of systems that an early checkpoint orders as the last ones do; interval over systems."""

    share: float  # of the training
    accuracy: Interval
    n_pairs: int


@dataclass(frozen=True)
class SignalToNoise(Result):
    """Signal, noise and their ratio on one dataset (Heineman et al. 2025), and the accuracy of early decisions.

    Signal is the range of the systems' final scores over their mean, noise the standard deviation over the last
    checkpoints of a system over the same mean. The interval counts only the uncertainty of the noise.
    """

    dataset: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    signal: float
    noise: Interval
    ratio: Interval
    decisions: tuple[EarlyDecision, ...]
    n_systems: int
    n_last: int
    reason: str | None = field(default=None, metadata=OWN)


def measure_signal(checkpoints: CheckpointScores, n_last: int = N_LAST, random_state: int = 0) -> SignalToNoise:
    """Compare the range of systems with the noise between the last checkpoints, and early with final orders.

    A system's final score is the mean over its last `n_last` checkpoints. The noise is pooled over systems (ddof = 1),
    with a χ² interval.
    """
    last, noises, curves = [], [], []
    for system in dict.fromkeys(checkpoints.systems):
        chosen = np.array([name == system for name in checkpoints.systems])
        order = np.argsort(checkpoints.steps[chosen], kind="stable")
        steps, scores = checkpoints.steps[chosen][order], checkpoints.scores[chosen][order]
        last.append(float(scores[-n_last:].mean()))
        noises.append(scores[-n_last:])
        curves.append((steps, scores))
    names = (checkpoints.dataset, checkpoints.metric)
    freedom = sum(len(row) - 1 for row in noises)
    mean = float(np.mean(last))
    nothing = Interval(math.nan, math.nan, math.nan)
    if len(last) < 2 or freedom < 2 or mean == 0:
        reason = "two systems with several checkpoints and a mean that is not 0 are needed"
        return SignalToNoise(*names, math.nan, nothing, nothing, (), len(last), n_last, reason)
    squares = sum(float(((row - row.mean()) ** 2).sum()) for row in noises)
    if squares <= (ROUNDING * mean) ** 2 * freedom:
        reason = "the last checkpoints of every system have the same score, which leaves no noise to compare with"
        signal = (max(last) - min(last)) / abs(mean)
        return SignalToNoise(*names, signal, Interval(0.0, math.nan, math.nan), nothing, (), len(last), n_last, reason)
    noise = _find_noise_interval(squares, freedom, abs(mean))
    signal = (max(last) - min(last)) / abs(mean)
    value, low, high = (signal / end for end in (noise.value, noise.high, noise.low))
    final = np.array(last)
    decisions = tuple(
        row for share in SHARES if (row := _measure_decision(curves, final, share, random_state)) is not None
    )
    return SignalToNoise(*names, signal, noise, Interval(value, low, high), decisions, len(last), n_last)


def _find_noise_interval(squares: float, freedom: int, mean: float) -> Interval:
    from scipy.stats import chi2

    low, high = (math.sqrt(squares / quantile) / mean for quantile in chi2.ppf([0.975, 0.025], freedom))
    return Interval(math.sqrt(squares / freedom) / mean, low, high)


def _measure_decision(
    curves: list[tuple[Array, Array]], final: Array, share: float, random_state: int
) -> EarlyDecision | None:
    """Compare the orders at the last checkpoint up to a share of each system's training."""
    early = []
    for steps, scores in curves:
        reached = np.flatnonzero(steps <= share * steps[-1])
        if not len(reached):
            return None
        early.append(scores[reached[-1]])
    alike, first, second = _compare_orders(np.array(early), final)
    n = len(final)
    interval = Interval(float(alike.mean()), math.nan, math.nan)
    if n >= MIN_SYSTEMS:
        generator = start_generator(random_state)
        weights = generator.multinomial(n, np.full(n, 1 / n), size=N_RESAMPLES).astype(float)
        pairs = weights[:, first] * weights[:, second]
        low, high = np.percentile((pairs @ alike) / np.maximum(pairs.sum(axis=1), 1), [2.5, 97.5])
        interval = Interval(interval.value, float(low), float(high))
    return EarlyDecision(share, interval, len(alike))


def _compare_orders(early: Array, target: Array) -> tuple[Array, Array, Array]:
    first, second = np.triu_indices(len(target), 1)
    product = np.sign(early[first] - early[second]) * np.sign(target[first] - target[second])
    return np.asarray((product + 1) / 2), first, second
