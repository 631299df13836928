"""λ_var, λ_sva and λ_hit of a few systems from their answers, with bootstrap standard errors and on halves."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from assay.base.arrays import Array
from assay.views.results import Result


@dataclass(frozen=True)
class MeasuredLambdas(Result):
    """The three measures of Xiao et al. (2022) with standard errors over test items, and on two halves of the items.

    `apart` is the first training on the first half and the second training on the second: two measurements with no
    noise in common, of items or of training; nan with one training.
    """

    lambda_var: float
    lambda_sva: float
    lambda_hit: float
    lambda_var_se: float
    lambda_sva_se: float
    lambda_hit_se: float
    half_var_1: float
    half_var_2: float
    half_sva_1: float
    half_sva_2: float
    apart_var_1: float
    apart_var_2: float
    apart_sva_1: float
    apart_sva_2: float


def measure_lambdas(right: Array, n_resamples: int = 200, random_state: int = 0) -> MeasuredLambdas:
    """Measure answers of shape (trainings, systems, items), true where right; a system's score is its mean.

    λ_hit is the mean over the trainings of the exact one (bootstrap). Standard errors resample the items.

    >>> found = measure_lambdas(np.array([[[1, 1, 1, 0], [1, 1, 0, 0]]], dtype=bool))
    >>> round(found.lambda_var, 2), round(found.lambda_sva, 1), round(found.lambda_hit, 4)
    (17.68, 662.9, 0.6836)
    """
    n_items = right.shape[2]
    rng = np.random.default_rng(random_state)
    weights = rng.multinomial(n_items, np.full(n_items, 1 / n_items), size=n_resamples)
    everything = np.ones((1, n_items), dtype=np.int64)
    halves = np.zeros((2, n_items), dtype=np.int64)
    order = rng.permutation(n_items)
    halves[0, order[: n_items // 2]], halves[1, order[n_items // 2 :]] = 1, 1
    (var, *_), (sva, *_) = compute_spreads(right, everything)
    drawn_var, drawn_sva = compute_spreads(right, weights)
    half_var, half_sva = compute_spreads(right, halves)
    hit, drawn_hit = float(compute_hits(right, everything)[0]), compute_hits(right, weights)
    errors = [float(drawn.std(ddof=1)) for drawn in (drawn_var, drawn_sva, drawn_hit)]
    apart = np.full((2, 2), np.nan)
    for number, training in enumerate(right[:2] if len(right) > 1 else ()):
        apart[:, number] = np.ravel(compute_spreads(training[None], halves[number : number + 1]))
    return MeasuredLambdas(float(var), float(sva), hit, *errors, *map(float, (*half_var, *half_sva, *apart.ravel())))


def compute_spreads(right: Array, weights: Array) -> tuple[Array, Array]:
    """Return λ_var and λ_sva under each row of item weights."""
    sums = right.mean(axis=0) @ weights.T  # systems × resamples
    scores = 100 * sums / weights.sum(axis=1)
    var = scores.std(axis=0, ddof=1)
    return var, var * (100 - scores.mean(axis=0))


def compute_hits(right: Array, weights: Array) -> Array:
    """Return λ_hit under each row of item weights."""
    from assay.discrimination.lambdas.pair_hits import compute_hits as compute_pair_hits

    first, second = np.triu_indices(right.shape[1], 1)
    rates = []
    for answers in right.astype(np.int64):
        b = (answers[first] * (1 - answers[second])) @ weights.T  # pairs × resamples
        c = (answers[second] * (1 - answers[first])) @ weights.T
        n = np.broadcast_to(weights.sum(axis=1), b.shape)
        won = compute_pair_hits(n.ravel(), b.ravel(), c.ravel(), "bootstrap", 1.0)
        rates.append(won.reshape(b.shape).mean(axis=0))
    return np.asarray(np.mean(rates, axis=0))
