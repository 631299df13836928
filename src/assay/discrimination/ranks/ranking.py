"""Rank intervals, tie groups and the probability of being best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.marks import NAME, OWN
from assay.discrimination.columns import ARRAY, ColumnResult
from assay.discrimination.ranks.aggregation import AGGREGATIONS
from assay.discrimination.ranks.deviations import compute_deviations
from assay.tasks.threads import use_one_thread

MAX_SIMULATED_PAIRS = 25_000  # systems²: beyond, critical values come from Šidák's inequality instead of draws

MIN_UNITS_FOR_BEST = 10  # with fewer datasets or items the errors are too uncertain for a probability of being best


@dataclass(frozen=True)
class Ranking(ColumnResult):
    """Per system, in input order: score, rank (ties share the best), rank intervals, tie group, bands, P(best).

    `rank_low` to `rank_high` holds simultaneously over all rivals; from `marginal_low` to `marginal_high` every rival
    is compared for itself. P(best) is nan for fewer than ten units. `better[i, j]` tells whether system i is
    significantly better than system j.
    """

    _columns: ClassVar[tuple[str, ...]] = (
        "systems",
        "score",
        "rank",
        "rank_low",
        "rank_high",
        "marginal_low",
        "marginal_high",
        "tie_group",
        "first_band",
        "last_band",
        "p_best",
        "standard_error",
    )

    systems: tuple[str, ...] = field(metadata=NAME)
    n_units: int
    over: str = field(metadata=OWN)
    aggregate: str = field(metadata=OWN)
    confidence: float
    score: Array = field(repr=False, compare=False, metadata=ARRAY)
    rank: Array = field(repr=False, compare=False, metadata=ARRAY)
    rank_low: Array = field(repr=False, compare=False, metadata=ARRAY)
    rank_high: Array = field(repr=False, compare=False, metadata=ARRAY)
    marginal_low: Array = field(repr=False, compare=False, metadata=ARRAY)
    marginal_high: Array = field(repr=False, compare=False, metadata=ARRAY)
    tie_group: Array = field(repr=False, compare=False, metadata=ARRAY)
    first_band: Array = field(repr=False, compare=False, metadata=ARRAY)
    last_band: Array = field(repr=False, compare=False, metadata=ARRAY)
    p_best: Array = field(repr=False, compare=False, metadata=ARRAY)
    standard_error: Array = field(repr=False, compare=False, metadata=ARRAY)
    better: Array = field(repr=False, compare=False, metadata=ARRAY)
    reason: str | None = field(default=None, metadata=OWN)


@use_one_thread()
def rank_systems(
    outcomes: ArrayLike,
    *,
    systems: Sequence[str] | None = None,
    over: str = "items",
    aggregate: str = "mean",
    datasets: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    confidence: float = 0.95,
    n_draws: int = 2000,
    random_state: int = 0,
) -> Ranking:
    """Rank systems by their aggregated outcomes (systems × items, or systems × datasets), more is better.

    A rank interval counts the systems that are significantly better and worse, by paired differences with
    multivariate-t critical values simultaneous over all rivals of the system (after Mogstad et al. 2024), so it
    contains the true rank with at least the confidence. The marginal interval takes every paired t test by itself, so
    each comparison has the confidence and their union has less. A tie group ends only where every system above is
    significantly better (simultaneously over all pairs) than every system below. Bands are finer and overlap: two
    systems that are not significantly different share one, from `first_band` to `last_band`.
    `datasets` gives the dataset of each item, all with the same weight; `over` is the sampled unit: items, datasets or
    both; `groups` are sampled whole; `systems` are the names, numbers from 0 by default.

    >>> rank_systems([[1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]]).rank_high.tolist()
    [1, 3, 3]
    """
    table = np.asarray(outcomes, dtype=float)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise UsageError(
            f"have shape {table.shape} or missing cells; a full table systems × units is needed.", option="outcomes"
        )
    names = name_rows(systems, len(table))
    if over == "datasets" and datasets is None:
        datasets = np.arange(table.shape[1])
    scores, deviations, n_units = compute_deviations(AGGREGATIONS[aggregate](table), over, datasets, groups)
    scores = np.round(scores, 12)  # equal sums in another order must stay equal
    if n_units < 2 or len(table) < 2:
        return _rank_without_intervals(names, scores, n_units, over, aggregate, confidence)
    deviations = _reduce_columns(deviations)
    draws = _draw_errors(deviations, n_units - 1, n_draws, random_state)
    errors = _compute_pair_errors(deviations)
    own, joint = _compute_critical_values(draws, errors, n_units - 1, confidence)
    single = _compute_single_value(n_units - 1, confidence, own)
    gaps = scores[:, None] - scores[None, :]
    better = _is_significant(gaps, errors, own[:, None])
    tie_group, first_band, last_band = _find_tie_groups(scores, _is_significant(gaps, errors, joint))
    return Ranking(
        systems=names,
        n_units=n_units,
        over=over,
        aggregate=aggregate,
        confidence=confidence,
        score=scores,
        rank=_compute_ranks(scores),
        rank_low=1 + _is_significant(-gaps, errors, own[:, None]).sum(axis=1),
        rank_high=len(scores) - better.sum(axis=1),
        marginal_low=1 + _is_significant(-gaps, errors, single).sum(axis=1),
        marginal_high=len(scores) - _is_significant(gaps, errors, single).sum(axis=1),
        tie_group=tie_group,
        first_band=first_band,
        last_band=last_band,
        p_best=_estimate_p_best(scores, draws) if n_units >= MIN_UNITS_FOR_BEST else np.full(len(scores), np.nan),
        standard_error=np.sqrt((deviations**2).sum(axis=1)),
        better=better,
    )


def name_rows(names: Sequence[str] | None, n: int) -> tuple[str, ...]:
    """Return the names of rows, or their numbers if there are none.

    >>> name_rows(None, 2)
    ('0', '1')
    """
    if names is None:
        return tuple(str(number) for number in range(n))
    if len(names) != n:
        raise UsageError(f"have {len(names)} names for {n} rows.", option="systems")
    return tuple(names)


def _rank_without_intervals(
    names: tuple[str, ...], scores: Array, n_units: int, over: str, aggregate: str, confidence: float
) -> Ranking:
    undefined = np.full(len(scores), np.nan)
    intervals = ("rank_low", "rank_high", "marginal_low", "marginal_high")
    columns = (*intervals, "tie_group", "first_band", "last_band", "p_best", "standard_error")
    units = "datasets" if over == "both" else over
    return Ranking(
        systems=names,
        n_units=n_units,
        over=over,
        aggregate=aggregate,
        confidence=confidence,
        score=scores,
        rank=_compute_ranks(scores),
        **dict.fromkeys(columns, undefined),
        better=np.empty((0, 0)),
        reason=f"{len(scores)} systems on {n_units} {units}; intervals need at least 2 of each",
    )


def _reduce_columns(deviations: Array) -> Array:
    """Return an equivalent table of deviations with no more columns than systems."""
    if deviations.shape[1] <= len(deviations):
        return deviations
    values, vectors = np.linalg.eigh(deviations @ deviations.T)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _draw_errors(deviations: Array, df: int, n_draws: int, random_state: int) -> Array:
    """Draw errors of the scores from the multivariate t distribution, systems × draws."""
    generator = np.random.default_rng(random_state)
    normal = generator.standard_normal((deviations.shape[1], n_draws))
    return np.asarray(deviations @ normal / np.sqrt(generator.chisquare(df, n_draws) / df))


def _compute_pair_errors(deviations: Array) -> Array:
    squares = (deviations**2).sum(axis=1)
    variance = squares[:, None] + squares[None, :] - 2 * deviations @ deviations.T
    errors = np.sqrt(np.maximum(variance, 0.0))
    errors[errors < 1e-7 * np.sqrt(squares.max(initial=0.0))] = 0.0  # what cancellation leaves of equal rows
    return np.asarray(errors)


def _compute_critical_values(draws: Array, errors: Array, df: int, confidence: float) -> tuple[Array, float]:
    """Return each system's critical value against all rivals, and the one for all pairs."""
    n = len(errors)
    if n * n > MAX_SIMULATED_PAIRS:
        from scipy.stats import t

        own = float(t.isf((1 - confidence ** (1 / (n - 1))) / 2, df))
        return np.full(n, own), float(t.isf((1 - confidence ** (2 / (n * (n - 1)))) / 2, df))
    inverse = np.divide(1.0, errors, out=np.zeros_like(errors), where=errors > 0).astype(np.float32)
    small = draws.astype(np.float32)
    largest = np.stack([(np.abs(small[row] - small) * inverse[row][:, None]).max(axis=0) for row in range(n)])
    return np.quantile(largest, confidence, axis=1), float(np.quantile(largest.max(axis=0), confidence))


def _compute_single_value(df: int, confidence: float, own: Array) -> Any:
    """Return the critical value of one paired test, never above that of all rivals together."""
    from scipy.stats import t

    return np.minimum(float(t.isf((1 - confidence) / 2, df)), own)[:, None]


def _is_significant(gaps: Array, errors: Array, critical: object) -> Array:
    return np.asarray((gaps > critical * errors) & (gaps > 0))


def _compute_ranks(scores: Array) -> Array:
    from scipy.stats import rankdata

    return np.asarray(rankdata(-scores, method="min")).astype(np.int64)


def _find_tie_groups(scores: Array, better: Array) -> tuple[Array, Array, Array]:
    """Return tie groups and bands, numbered from the top.

    A group ends where every system above is significantly better than every system below. A band runs from a system
    down to the last one that is not significantly worse; bands inside another are dropped.
    """
    order = np.argsort(-scores, kind="stable")
    tied = ~better[np.ix_(order, order)]
    places = np.arange(len(order))
    reach = np.maximum.accumulate(len(order) - 1 - tied[:, ::-1].argmax(axis=1))
    groups = 1 + np.cumsum(np.concatenate([[False], reach[:-1] < places[1:]]))
    starts = np.concatenate([[True], reach[1:] > reach[:-1]])  # others are inside the band before
    last = np.cumsum(starts)
    first = 1 + np.searchsorted(reach[starts], places)
    back = np.argsort(order, kind="stable")
    return groups[back], first[back], last[back]


def _estimate_p_best(scores: Array, draws: Array) -> Array:
    values = scores[:, None] + draws
    slack = 1e-6 * float(np.abs(draws).max(initial=0.0))  # equal systems differ by rounding
    best = values >= values.max(axis=0) - slack
    return np.asarray((best / best.sum(axis=0)).mean(axis=1))
