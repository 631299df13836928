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
from assay.discrimination.ranks.deviations import average_own, code_datasets, compute_deviations
from assay.discrimination.ranks.shared_units import compare_on_shared, count_needed, order_pairs
from assay.tasks.threads import use_one_thread

MIN_UNITS_FOR_BEST = 10  # with fewer datasets or items the errors are too uncertain for a probability of being best


@dataclass(frozen=True)
class Ranking(ColumnResult):
    """Per system, in input order: score, rank (ties share the best), rank intervals, tie group, bands, P(best).

    `rank_low` to `rank_high` holds simultaneously for all systems; from `marginal_low` to `marginal_high` every rival
    is compared on its own. P(best) is nan for fewer than ten units, and if cells are missing. `better[i, j]` tells
    whether system i is significantly better than system j, simultaneously over all pairs. `n_items` counts the cells of
    each system.
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
        "n_items",
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
    n_items: Array = field(repr=False, compare=False, metadata=ARRAY)
    place: Array = field(repr=False, compare=False, metadata=ARRAY)  # orders the systems, more is better
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
    score_errors: ArrayLike | None = None,
    confidence: float = 0.95,
    n_draws: int = 2000,
    random_state: int = 0,
) -> Ranking:
    """Rank systems by their aggregated outcomes (systems × items, or systems × datasets), more is better.

    A rank interval counts the systems that are significantly better and worse, by paired differences simultaneously
    over all pairs (after Mogstad et al. 2024; t tests with Bonferroni's correction), so all intervals together contain
    the true ranks with the confidence. Differences that are the same on every unit are tested by their sign. The
    marginal interval takes every paired t test on its own, so each comparison has this confidence and all together have
    less. A tie group ends only where every system above is significantly better than every system below. Bands are
    finer and overlap: two systems that are not significantly different share one, from `first_band` to `last_band`.
    `datasets` gives the dataset of each item, all with the same weight; `over` is the sampled unit: items, datasets or
    both; `groups` are sampled whole; `score_errors` are the standard errors of scores on datasets; `systems` are the
    names, numbers from 0 by default.

    With missing cells (nan) two systems are compared on the units that both have, and a rank is one plus the number of
    systems that are ahead there (see `order_pairs`); the score of a system is that on its own units.

    >>> rank_systems([[1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]]).rank_high.tolist()
    [1, 3, 3]
    """
    table = np.asarray(outcomes, dtype=float)
    if table.ndim != 2 or not np.isfinite(table).any(axis=1).all():
        raise UsageError(
            f"have shape {table.shape}, or a system without any; a table systems × units is needed.", option="outcomes"
        )
    names = name_rows(systems, len(table))
    if over == "datasets" and datasets is None:
        datasets = np.arange(table.shape[1])
    points = AGGREGATIONS[aggregate](table)
    variances = None if score_errors is None else np.asarray(score_errors, dtype=float) ** 2
    if not np.isfinite(table).all():
        codes = code_datasets(datasets, table.shape[1])
        return _rank_on_shared(names, points, codes, over, groups, variances, aggregate, confidence)
    scores, deviations, n_units = compute_deviations(points, over, datasets, groups)
    scores = np.round(scores, 12)  # equal sums in another order must stay equal
    n_items = np.full(len(table), table.shape[1])
    if n_units < 2 or len(table) < 2:
        return _rank_without_intervals(names, scores, n_units, over, aggregate, confidence, n_items)
    if variances is not None:
        deviations = np.concatenate([deviations, np.diag(np.sqrt(variances.sum(axis=1)) / n_units)], axis=1)
    deviations = _reduce_columns(deviations)
    draws = _draw_errors(deviations, n_units - 1, n_draws, random_state)
    errors = _compute_pair_errors(deviations)
    n_pairs = len(table) * (len(table) - 1) // 2
    joint, single = (_compute_bonferroni(n_units - 1, n, confidence) for n in (n_pairs, 1))
    gaps = scores[:, None] - scores[None, :]
    better = _find_better(gaps, errors, joint, n_units, (1 - confidence) / n_pairs)
    ahead = _find_better(gaps, errors, single, n_units, 1 - confidence)
    p_best = _estimate_p_best(scores, draws) if n_units >= MIN_UNITS_FOR_BEST else np.full(len(scores), np.nan)
    standard_error = np.sqrt((deviations**2).sum(axis=1))
    return _build_ranking(
        (names, n_units, over, aggregate, confidence),
        (scores, _compute_ranks(scores), scores),
        (better, ahead),
        (p_best, standard_error, n_items),
    )


def _rank_on_shared(
    names: tuple[str, ...],
    points: Array,
    codes: Array,
    over: str,
    groups: ArrayLike | None,
    variances: Array | None,
    aggregate: str,
    confidence: float,
) -> Ranking:
    """Rank systems with missing cells, each pair on the units that both have."""
    pairs = compare_on_shared(points, codes, over, groups, variances)
    n_needed = count_needed(over, codes)
    ranks, strengths = order_pairs(pairs, n_needed)
    known = np.triu(pairs.n_units >= n_needed, 1)
    n_pairs = max(1, int(known.sum()))
    freedom = np.maximum(pairs.n_units - 1, 1)
    level = 1 - confidence
    better = _find_better(
        pairs.gaps, pairs.errors, _compute_bonferroni(freedom, n_pairs, confidence), pairs.n_units, level / n_pairs
    )
    ahead = _find_better(pairs.gaps, pairs.errors, _compute_bonferroni(freedom, 1, confidence), pairs.n_units, level)
    enough = known | known.T
    scores, errors = average_own(points, codes)
    n_units = int(pairs.n_units.max(initial=0))
    return _build_ranking(
        (names, n_units, over, aggregate, confidence),
        (np.round(scores, 12), ranks, _place_systems(ranks, strengths)),
        (better & enough, ahead & enough),
        (np.full(len(names), np.nan), errors, np.isfinite(points).sum(axis=1)),
    )


def _place_systems(ranks: Array, strengths: Array) -> Array:
    """Return numbers that order the systems by rank, and equal ranks by strength; more is better."""
    places = np.empty(len(ranks))
    places[np.lexsort((strengths, -ranks))] = np.arange(len(ranks))
    return places


def _build_ranking(
    facts: tuple[tuple[str, ...], int, str, str, float],
    scores: tuple[Array, Array, Array],
    tests: tuple[Array, Array],
    more: tuple[Array, Array, Array],
) -> Ranking:
    """Put a ranking together: scores, ranks and the order of systems; who is better; P(best), errors, and items."""
    (score, rank, order), (better, ahead) = scores, tests
    tie_group, first_band, last_band = _find_tie_groups(order, better)
    return Ranking(
        *facts,
        score=score,
        rank=rank,
        rank_low=1 + better.sum(axis=0),
        rank_high=len(score) - better.sum(axis=1),
        marginal_low=1 + ahead.sum(axis=0),
        marginal_high=len(score) - ahead.sum(axis=1),
        tie_group=tie_group,
        first_band=first_band,
        last_band=last_band,
        p_best=more[0],
        standard_error=more[1],
        better=better,
        n_items=more[2],
        place=order,
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
    names: tuple[str, ...],
    scores: Array,
    n_units: int,
    over: str,
    aggregate: str,
    confidence: float,
    n_items: Array,
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
        n_items=n_items,
        place=scores,
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


def _compute_bonferroni(freedom: Any, n_pairs: int, confidence: float) -> Any:
    """Return the critical value of t tests of so many pairs."""
    from scipy.stats import t

    critical = t.isf((1 - confidence) / max(1, n_pairs) / 2, freedom)
    # Far in the tails t tests of right and wrong answers reject too often: two more units, as in Agresti and Min 2005.
    return critical * np.sqrt((freedom + 3) / (freedom + 1)) if n_pairs > 1 else critical


def _find_better(gaps: Array, errors: Array, critical: Any, n_units: Any, level: float) -> Array:
    """Return which systems (rows) are significantly better than others (columns).

    Without any variance the sign of the differences decides: equal signs on n units have p = 2 · 2^(−n).
    """
    with np.errstate(invalid="ignore"):
        is_clear = gaps > critical * errors
        same = (errors == 0) & (2.0 ** (1 - np.asarray(n_units, dtype=float)) <= level)
    return np.asarray(np.where(errors == 0, same, is_clear) & (gaps > 0))


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
