"""Saturation with intervals over items."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.discrimination.boards.draws import start_generator
from assay.discrimination.outcomes import Outcomes
from assay.statistics import Interval, wilson
from assay.views.results import Result

TOP = 5
MEAN_RANGES = (1.128, 1.693, 2.059, 2.326, 2.534, 2.704, 2.847, 2.970, 3.078)  # of 2 to 10 standard normals


@dataclass(frozen=True)
class ItemSaturation(Result):
    """The room for better systems: headroom, the gap between the first and the k-th system, and the items left.

    `index` is exp(−(gap / standard error)²) with the paired standard error over items: near 1 if the first k are
    equal. `gap_if_equal` is the mean gap of k equal systems, which is not 0, as the first and last were selected.
    `all_right` is the share of items that all of the first k get right, `separating` that of items on which they differ.
    """

    dataset: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    best: str = field(metadata=NAME)
    headroom: Interval
    gap: Interval
    gap_if_equal: float
    index: float
    all_right: Interval
    separating: Interval
    n_items: int
    k: int
    reason: str | None = field(default=None, metadata=OWN)


def measure_item_saturation(
    outcomes: Outcomes, k: int = TOP, n_resamples: int = 1000, random_state: int = 0
) -> ItemSaturation | None:
    """Measure saturation on the items that the first k systems answered; None with fewer than two systems.

    Items (whole groups if there are groups) are bootstrapped for the headroom; the gap has a t interval with
    the paired standard error. The first k are taken as fixed.
    """
    measurement = outcomes.measure()
    if len(measurement.systems) < 2 or outcomes.sums is not None:
        return None
    order = np.argsort(-measurement.signed_scores(), kind="stable")[:k]
    chosen = outcomes.take([measurement.systems[place] for place in order])
    known = np.isfinite(chosen.table).all(axis=0)
    table = chosen.table[:, known] * chosen.scale
    n = table.shape[1]
    if n < 2:
        return None
    units = outcomes.choose_units(None)
    groups = np.arange(n) if units is None else np.unique(np.asarray(units)[known], return_inverse=True)[1]
    sign = -1.0 if measurement.lower_is_better else 1.0
    gap = sign * (table[0] - table[-1])
    error = _find_error(gap, groups)
    half = _find_quantile(groups) * error
    index = math.exp(-((gap.mean() / error) ** 2)) if error > 0 else float(gap.mean() == 0)
    best = 1.0 * chosen.scale
    right, same = (table >= best).all(axis=0), np.ptp(table, axis=0) == 0
    n_effective = len(np.unique(groups))
    return ItemSaturation(
        dataset=outcomes.dataset,
        metric=outcomes.metric,
        best=chosen.systems[0],
        headroom=_bootstrap_headroom(sign * table[0], sign * measurement.upper, groups, n_resamples, random_state),
        gap=Interval(float(gap.mean()), float(gap.mean() - half), float(gap.mean() + half)),
        gap_if_equal=MEAN_RANGES[min(len(order), 10) - 2] * error / math.sqrt(2),
        index=index,
        all_right=wilson(float(right.sum()), n),
        separating=wilson(float(n - same.sum()), n),
        n_items=n,
        k=len(order),
        reason=f"{n_effective} groups of items" if n_effective < n else None,
    )


def _find_error(values: Array, groups: Array) -> float:
    """Return the standard error of a mean, clustered by groups."""
    sums = np.bincount(groups, weights=values - values.mean())
    m = len(sums)
    return math.sqrt(float((sums**2).sum()) * m / max(m - 1, 1)) / len(values)


def _find_quantile(groups: Array) -> float:
    from scipy.stats import t

    return float(t.ppf(0.975, len(np.unique(groups)) - 1))


def _bootstrap_headroom(values: Array, upper: float, groups: Array, n_resamples: int, random_state: int) -> Interval:
    if not math.isfinite(upper):
        return Interval(math.nan, math.nan, math.nan)
    sums, counts = np.bincount(groups, weights=values), np.bincount(groups)
    generator = start_generator(random_state)
    weights = generator.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=n_resamples)
    low, high = np.percentile(upper - (weights @ sums) / np.maximum(weights @ counts, 1), [2.5, 97.5])
    return Interval(float(upper - values.mean()), float(low), float(high))
