"""Compare systems pair by pair, on the items that both answered."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import unknown_name
from assay.base.results import Result
from assay.evaluation.coding import counted_by
from assay.evaluation.intervals import Rows, jackknife
from assay.evaluation.metrics import Metric
from assay.evaluation.scoring import Scored
from assay.evaluation.swapping import swapped_differences
from assay.statistics import (
    benjamini_hochberg,
    bootstrap_sums,
    group_sums,
    holm,
    mcnemar,
    paired_permutation,
    percentile,
)

CORRECTIONS = {"holm": holm, "bh": benjamini_hochberg}
POWER, LEVEL = 0.8, 0.05


@dataclass(frozen=True)
class Comparison(Result):
    """The difference of two systems on one metric, its interval, and the tests of it being zero (two-sided).

    `p_permutation` swaps the systems' answers item by item (or group by group), `p_bootstrap` asks how often
    the resampled difference changes sign, `p_mcnemar` counts the items only one got right; `p_adjusted` is the
    permutation's, corrected over all pairs. `effect` is the difference in standard deviations of one item's
    contribution, `odds` the odds of being the only one right, `detectable` the difference found with 80 % power.
    """

    first: str
    second: str
    metric: str
    difference: float
    low: float
    high: float
    n: int
    p_permutation: float
    p_adjusted: float
    p_bootstrap: float
    p_mcnemar: float
    only_first: int | None
    only_second: int | None
    odds: float
    effect: float
    detectable: float


def compare_systems(
    scored: Scored, metric: Metric, *, correction: str = "holm", n_permutations: int = 10_000
) -> list[Comparison]:
    """Compare all pairs of systems, in file order, and correct for their number."""
    if correction not in CORRECTIONS:
        raise unknown_name("correction", correction, CORRECTIONS)
    names = [name for name, items in scored.items.items() if not isinstance(counted_by(metric, items), str)]
    found: list[Comparison] = []
    if _all_answered_alike(scored, metric, names):
        found = _batch(scored.only(names), metric, n_permutations) if len(names) > 1 else []
    else:
        for pair in combinations(names, 2):
            found += _batch(_common(scored.only(pair), metric), metric, n_permutations)
    adjusted = CORRECTIONS[correction]([row.p_permutation for row in found])
    return [replace(row, p_adjusted=float(p)) for row, p in zip(found, adjusted, strict=True)]


def detectable_difference(error: float) -> float:
    """Return the true difference that a two-sided test at 5 % finds with 80 % power, given its standard error.

    >>> round(detectable_difference(0.01), 4)
    0.028
    """
    from scipy.special import ndtri

    return float(ndtri(1 - LEVEL / 2) + ndtri(POWER)) * error


def _all_answered_alike(scored: Scored, metric: Metric, names: Sequence[str]) -> bool:
    masks = [counted_by(metric, scored.items[name]) for name in names]
    first = masks[0] if masks else None
    return all(np.array_equal(mask.present, first.present) for mask in masks)  # type: ignore[union-attr]


def _common(scored: Scored, metric: Metric) -> Scored:
    masks = [counted_by(metric, items) for items in scored.items.values()]
    return scored.take(np.logical_and.reduce([mask.present for mask in masks if not isinstance(mask, str)]))


def _batch(scored: Scored, metric: Metric, n_permutations: int) -> list[Comparison]:
    """Compare systems that answered the same items: one matrix of weights, one of swaps, for all pairs."""
    tables, settings = list(scored.tables(metric).values()), scored.settings
    units = scored.units()
    if units is not None:
        tables = [group_sums(table, units) for table in tables]
    if not tables or not len(tables[0]):
        return []
    drawn = bootstrap_sums(np.hstack(tables), settings.n_resamples, settings.random_state)
    values = [float(metric.value(table.sum(axis=0, dtype=np.float64))) for table in tables]
    together = _Together(
        scored.predictions.names,
        metric.name,
        int(tables[0][:, -1].sum()) if metric.over_groups else len(scored.predictions),
        values,
        [metric.value(sums) for sums in np.split(drawn, len(tables), axis=1)],
        [jackknife(metric, Rows(table, np.ones(len(table)))) for table in tables],
        _swap_p(metric, tables, values, n_permutations, settings.random_state),
        _right(scored),
        settings.confidence,
    )
    return [together.pair(a, b) for a, b in combinations(range(len(tables)), 2)]


@dataclass(frozen=True)
class _Together:
    """All that is known of systems that answered the same items."""

    names: list[str]
    metric: str
    n: int
    values: list[float]
    resampled: list[Array]
    left_out: list[Array]
    p_swaps: Array
    right: Array | None
    confidence: float

    def pair(self, a: int, b: int) -> Comparison:
        difference, resampled = self.values[a] - self.values[b], self.resampled[a] - self.resampled[b]
        ends = percentile(resampled, self.confidence)
        error, n_units = _error(self.left_out[a] - self.left_out[b])
        first, second = _discordant(self.right, a, b)
        return Comparison(
            self.names[a],
            self.names[b],
            self.metric,
            difference,
            ends.low,
            ends.high,
            self.n,
            p_permutation=float(self.p_swaps[a, b]),
            p_adjusted=math.nan,
            p_bootstrap=_sign_changes(resampled),
            p_mcnemar=math.nan if first is None or second is None else mcnemar(first, second).p,
            only_first=first,
            only_second=second,
            odds=_odds(first, second),
            effect=difference / (error * math.sqrt(n_units)) if error > 0 else math.nan,
            detectable=detectable_difference(error),
        )


def _sign_changes(resampled: Array) -> float:
    """Return the two-sided p of the bootstrap; ties count on both sides, so that equal systems have p = 1."""
    finite = resampled[np.isfinite(resampled)]
    if not len(finite):
        return math.nan
    return min(1.0, 2 * float(1 + min((finite <= 0).sum(), (finite >= 0).sum())) / (1 + len(finite)))


def _error(left_out: Array) -> tuple[float, int]:
    finite = left_out[np.isfinite(left_out)]
    if not len(finite):
        return math.nan, 0
    return math.sqrt((len(finite) - 1) / len(finite) * float(((finite - finite.mean()) ** 2).sum())), len(finite)


def _swap_p(metric: Metric, tables: list[Array], values: list[float], n_permutations: int, seed: int) -> Array:
    """Return the p of every pair. Means of one number an item have an exact or quicker test of their own."""
    p = np.full((len(tables), len(tables)), np.nan)
    if metric.name in ("accuracy", "mean-score") and all((table[:, 1] == 1).all() for table in tables):
        for a, b in combinations(range(len(tables)), 2):
            p[a, b] = paired_permutation(tables[a][:, 0], tables[b][:, 0], n_permutations, seed).p
        return p
    for a, b, differences in swapped_differences(metric, tables, n_permutations, seed):
        observed = abs(values[a] - values[b]) - 1e-12
        finite = differences[np.isfinite(differences)]
        if np.isfinite(observed) and len(finite):
            p[a, b] = (1 + (np.abs(finite) >= observed).sum()) / (1 + len(finite))
    return p


def _right(scored: Scored) -> Array | None:
    return None if scored.predictions.gold is None or scored.scale.graded else scored.predictions.outcomes() == 1


def _discordant(right: Array | None, a: int, b: int) -> tuple[int | None, int | None]:
    if right is None:
        return None, None
    return int((right[a] & ~right[b]).sum()), int((right[b] & ~right[a]).sum())


def _odds(first: int | None, second: int | None) -> float:
    if not first and not second:
        return math.nan
    return (first or 0) / second if second else math.inf
