"""Which ranks are real: rank intervals, tie groups and the chance of being best."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.results import Result
from assay.discrimination.aggregation import AGGREGATIONS
from assay.discrimination.deviates import deviates
from assay.discrimination.threads import one_thread

_DRAWN_PAIRS = 25_000  # systems²: beyond, critical values come from Šidák's inequality instead of draws


@dataclass(frozen=True)
class Ranks(Result):
    """Per system, in the order given: score, rank (ties share the best), interval of the rank, tie group, P(best)."""

    score: Array
    rank: Array
    rank_low: Array
    rank_high: Array
    tie_group: Array
    first_band: Array
    last_band: Array
    p_best: Array
    standard_error: Array
    n_systems: int
    n_units: int
    over: str
    aggregate: str
    confidence: float
    reason: str | None = None
    better: Array = field(default_factory=lambda: np.empty((0, 0)), repr=False, compare=False)


@one_thread
def ranks(
    outcomes: Any,
    *,
    over: str = "items",
    aggregate: str = "mean",
    datasets: Any = None,
    groups: Any = None,
    confidence: float = 0.95,
    n_draws: int = 2000,
    random_state: int = 0,
) -> Ranks:
    """Rank systems by their aggregated outcomes (systems × items, or systems × datasets), more is better.

    A system's rank interval counts the systems that are significantly better and worse, by paired
    differences with multivariate-t critical values simultaneous over all its rivals (after Mogstad
    et al. 2024), so it holds the true rank with at least the confidence. A tie group ends only where every
    system above is significantly better (simultaneously over all pairs) than every system below. Bands are finer
    and overlap: two systems not clearly apart share one, from `first_band` to `last_band`.
    `datasets` names each item's dataset, all weighted alike; `over` says what is drawn: items,
    datasets or both; `groups` are drawn whole.

    >>> ranks([[1, 1, 1, 1, 1, 1], [0, 1, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0]]).rank_high.tolist()
    [1, 3, 3]
    """
    table = np.asarray(outcomes, dtype=float)
    if table.ndim != 2 or not np.isfinite(table).all():
        raise UsageError(f"outcomes have shape {table.shape} or missing cells; a full table systems × units is needed.")
    if over == "datasets" and datasets is None:
        datasets = np.arange(table.shape[1])
    scores, spread, n_units = deviates(AGGREGATIONS[aggregate](table), over, datasets, groups)
    scores = np.round(scores, 12)  # equal sums in another order must stay equal
    if n_units < 2 or len(table) < 2:
        return _undecided(scores, n_units, over, aggregate, confidence)
    spread = _compact(spread)
    draws = _draws(spread, n_units - 1, n_draws, random_state)
    errors = _pair_errors(spread)
    own, joint = _critical(draws, errors, n_units - 1, confidence)
    gaps = scores[:, None] - scores[None, :]
    clear = _clear(gaps, errors, own[:, None])
    tied = _tied(scores, _clear(gaps, errors, joint))
    return Ranks(
        score=scores,
        rank=_competition(scores),
        rank_low=1 + _clear(-gaps, errors, own[:, None]).sum(axis=1),
        rank_high=len(scores) - clear.sum(axis=1),
        tie_group=tied[0],
        first_band=tied[1],
        last_band=tied[2],
        p_best=_p_best(scores, draws),
        standard_error=np.sqrt((spread**2).sum(axis=1)),
        n_systems=len(scores),
        n_units=n_units,
        over=over,
        aggregate=aggregate,
        confidence=confidence,
        better=clear,
    )


def _undecided(scores: Array, n_units: int, over: str, aggregate: str, confidence: float) -> Ranks:
    nothing = np.full(len(scores), np.nan)
    names = ("rank_low", "rank_high", "tie_group", "first_band", "last_band", "p_best", "standard_error")
    units = "datasets" if over == "both" else over
    return Ranks(
        score=scores,
        rank=_competition(scores),
        **dict.fromkeys(names, nothing),
        n_systems=len(scores),
        n_units=n_units,
        over=over,
        aggregate=aggregate,
        confidence=confidence,
        reason=f"{len(scores)} systems on {n_units} {units}; intervals need at least 2 of each",
    )


def _compact(spread: Array) -> Array:
    """Return an equivalent table of deviations with no more columns than systems."""
    if spread.shape[1] <= len(spread):
        return spread
    values, vectors = np.linalg.eigh(spread @ spread.T)
    return np.asarray(vectors * np.sqrt(np.maximum(values, 0.0)))


def _draws(spread: Array, df: int, n_draws: int, random_state: int) -> Array:
    """Draw deviations of the scores from the multivariate t distribution, systems × draws."""
    generator = np.random.default_rng(random_state)
    normal = generator.standard_normal((spread.shape[1], n_draws))
    return np.asarray(spread @ normal / np.sqrt(generator.chisquare(df, n_draws) / df))


def _pair_errors(spread: Array) -> Array:
    squares = (spread**2).sum(axis=1)
    variance = squares[:, None] + squares[None, :] - 2 * spread @ spread.T
    errors = np.sqrt(np.maximum(variance, 0.0))
    errors[errors < 1e-7 * np.sqrt(squares.max(initial=0.0))] = 0.0  # what cancellation leaves of equal rows
    return np.asarray(errors)


def _critical(draws: Array, errors: Array, df: int, confidence: float) -> tuple[Array, float]:
    """Return each system's critical value against all rivals, and the one for all pairs."""
    n = len(errors)
    if n * n > _DRAWN_PAIRS:
        from scipy.stats import t

        own = float(t.isf((1 - confidence ** (1 / (n - 1))) / 2, df))
        return np.full(n, own), float(t.isf((1 - confidence ** (2 / (n * (n - 1)))) / 2, df))
    inverse = np.divide(1.0, errors, out=np.zeros_like(errors), where=errors > 0).astype(np.float32)
    small = draws.astype(np.float32)
    largest = np.stack([(np.abs(small[row] - small) * inverse[row][:, None]).max(axis=0) for row in range(n)])
    return np.quantile(largest, confidence, axis=1), float(np.quantile(largest.max(axis=0), confidence))


def _clear(gaps: Array, errors: Array, critical: Any) -> Array:
    return np.asarray((gaps > critical * errors) & (gaps > 0))


def _competition(scores: Array) -> Array:
    from scipy.stats import rankdata

    return np.asarray(rankdata(-scores, method="min")).astype(np.int64)


def _tied(scores: Array, clear: Array) -> tuple[Array, Array, Array]:
    """Return tie groups and bands, numbered from the top.

    A group ends where everyone above is clearly better than everyone below. A band runs from a system down to
    the last one not clearly worse; bands inside another are dropped.
    """
    order = np.argsort(-scores, kind="stable")
    tied = ~clear[np.ix_(order, order)]
    places = np.arange(len(order))
    reach = np.maximum.accumulate(len(order) - 1 - tied[:, ::-1].argmax(axis=1))
    groups = 1 + np.cumsum(np.concatenate([[False], reach[:-1] < places[1:]]))
    starts = np.concatenate([[True], reach[1:] > reach[:-1]])  # others lie inside the band before
    last = np.cumsum(starts)
    first = 1 + np.searchsorted(reach[starts], places)
    back = np.argsort(order, kind="stable")
    return groups[back], first[back], last[back]


def _p_best(scores: Array, draws: Array) -> Array:
    values = scores[:, None] + draws
    slack = 1e-6 * float(np.abs(draws).max(initial=0.0))  # equal systems differ by rounding
    best = values >= values.max(axis=0) - slack
    return np.asarray((best / best.sum(axis=0)).mean(axis=1))
