"""Scores of all systems on shared resamples of the items: with replacement, without, or of whole groups."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from assay.base.arrays import Array, Seed, Values
from assay.base.registry import Registry
from assay.statistics import bootstrap_weights

ScoreFunction: TypeAlias = "Callable[[Array], Array | float]"  # scores of outcomes

MAX_BLOCK_WEIGHTS = 2_000_000  # weights in memory at a time

RESAMPLINGS: Registry[Callable[[int, int, int, Any], Array]] = Registry("resampling")


@RESAMPLINGS.add("bootstrap")
def draw_bootstrap(n_units: int, n_drawn: int, n_resamples: int, seed: Seed) -> Array:  # noqa: ARG001, one signature
    """Draw as many units as there are, with replacement."""
    return bootstrap_weights(n_units, n_resamples, seed)


@RESAMPLINGS.add("subsample")
def draw_subsample(n_units: int, n_drawn: int, n_resamples: int, seed: Values) -> Array:
    """Draw some of the units without replacement.

    >>> draw_subsample(5, 3, 2, 0).sum(axis=1).tolist()
    [3, 3]
    """
    keys = np.random.default_rng(seed).random((n_resamples, n_units))
    chosen = np.argpartition(keys, n_drawn - 1, axis=1)[:, :n_drawn]
    weights = np.zeros((n_resamples, n_units), dtype=np.int64)
    np.put_along_axis(weights, chosen, 1, axis=1)
    return weights


def score_resamples(
    outcomes: Array,
    sums: Array | None,
    metric: ScoreFunction | None,
    n_drawn: int,
    resampling: str,
    groups: ArrayLike | None,
    n_resamples: int,
    random_state: int,
) -> tuple[Array, Array]:
    """Return the scores on every resample (resamples × systems) and on the full set."""
    codes = np.arange(outcomes.shape[1]) if groups is None else np.unique(np.asarray(groups), return_inverse=True)[1]
    n_units = int(codes.max()) + 1
    n_drawn_units = n_drawn if groups is None else max(1, round(n_drawn / outcomes.shape[1] * n_units))
    blocks = _draw_blocks(n_units, n_drawn_units, resampling, n_resamples, random_state)
    if metric is not None and sums is None:
        score = _score_by_calls(outcomes, metric, codes)
    else:
        score = _score_by_sums(sum_outcomes(outcomes) if sums is None else sums, metric or divide_sums, codes, n_units)
    full = score(np.ones((1, n_units)))[0]
    return np.concatenate([score(block) for block in blocks]), full


def _draw_blocks(n_units: int, n_drawn: int, resampling: str, n_resamples: int, random_state: int) -> Iterator[Array]:
    rows = max(1, MAX_BLOCK_WEIGHTS // n_units)
    sizes = [min(rows, n_resamples - start) for start in range(0, n_resamples, rows)]
    seeds = np.random.SeedSequence(random_state).spawn(len(sizes))
    for size, seed in zip(sizes, seeds, strict=True):
        yield RESAMPLINGS[resampling](n_units, n_drawn, size, seed)


def sum_outcomes(outcomes: Array) -> Array:
    """Return the terms of a mean, systems × items × (outcome, present)."""
    present = np.isfinite(outcomes)
    return np.stack([np.where(present, outcomes, 0.0), present.astype(float)], axis=2)


def divide_sums(sums: Array) -> Array:
    """Turn sums of the terms of `sum_outcomes` into means."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Array = sums[..., 0] / sums[..., 1]
    return means


def _score_by_sums(sums: Array, metric: ScoreFunction, codes: Array, n_units: int) -> Callable[[Array], Array]:
    """Turn weights into scores by one matrix product; items of one group are added up first."""
    n_systems, n_items, n_sums = sums.shape
    flat = sums.transpose(1, 0, 2).reshape(n_items, n_systems * n_sums)
    units = np.zeros((n_units, flat.shape[1]))
    np.add.at(units, codes, flat)

    def score(weights: Array) -> Array:
        # Rounding off the last bits makes equal sums equal: ties must not depend on the order of summation.
        totals = np.round(weights.astype(float) @ units, 9).reshape(len(weights), n_systems, n_sums)
        return np.asarray(metric(totals), dtype=float)

    return score


def _score_by_calls(outcomes: Array, metric: ScoreFunction, codes: Array) -> Callable[[Array], Array]:
    """Call the metric on the drawn outcomes of every system: slow, and works for any function."""

    def score(weights: Array) -> Array:
        rows = [np.repeat(np.arange(outcomes.shape[1]), row.astype(np.int64)[codes]) for row in weights]
        return np.array([[float(metric(system[items])) for system in outcomes] for items in rows])

    return score
