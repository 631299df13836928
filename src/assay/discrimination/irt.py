"""A two-parameter item response model: ability of systems, difficulty and discrimination of items."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from assay.base.arrays import Array
from assay.base.errors import UsageError
from assay.base.results import Result
from assay.discrimination.items import outcome_table
from assay.discrimination.threads import one_thread

_NODES = np.linspace(-4.0, 4.0, 41)
_PRIOR = np.exp(-(_NODES**2) / 2) / np.exp(-(_NODES**2) / 2).sum()
_SLOPE, _SLOPE_SD, _EASE_SD = 1.0, 1.0, 3.0  # weak priors: few systems answer each item


@dataclass(frozen=True)
class ItemResponse(Result):
    """Held-out gain in nats a cell over item means, the same with shuffled answers, and the parameters.

    A gain no larger than the shuffled one says that the items do not measure one ability.
    """

    gain: float
    gain_shuffled: float
    log_likelihood: float
    n_systems: int
    n_items: int
    n_iterations: int
    converged: bool
    ability: Array = field(repr=False, compare=False)
    difficulty: Array = field(repr=False, compare=False)
    discrimination: Array = field(repr=False, compare=False)


@one_thread
def item_response(outcomes: Any, n_iterations: int = 100, random_state: int = 0, control: bool = True) -> ItemResponse:
    """Fit P(right) = 1 / (1 + exp(−a (θ − b))) to 0/1 outcomes (systems × items; nan = missing).

    Marginal maximum a posteriori by EM over 41 nodes of a standard normal ability; slopes have the prior
    N(1, 1), intercepts N(0, 3²). The gain is measured on a fifth of the cells, hidden at random; the negative control
    deals every item's answers anew to the systems and does the same.
    """
    table = outcome_table(outcomes)
    if not np.isin(table[np.isfinite(table)], (0.0, 1.0)).all():
        raise UsageError("The item response model needs outcomes of 0 and 1.")
    slope, ease, likelihood, done, converged = _fit(table, n_iterations)
    ability = _posterior(table, slope, ease)[0] @ _NODES
    seeds = np.random.SeedSequence(random_state).spawn(2)
    gain = _held_out(table, n_iterations, np.random.default_rng(seeds[0])) if control else math.nan
    shuffled = (
        _held_out(_dealt(table, seeds[1]), n_iterations, np.random.default_rng(seeds[0])) if control else math.nan
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        difficulty = np.where(np.abs(slope) > 1e-6, -ease / slope, np.nan)
    counts = (len(table), table.shape[1], done, converged)
    return ItemResponse(gain, shuffled, likelihood, *counts, ability, difficulty, slope)


def _fit(table: Array, n_iterations: int) -> tuple[Array, Array, float, int, bool]:
    present = np.isfinite(table)
    right = np.where(present, table, 0.0)
    share = (right.sum(axis=0) + 0.5) / (present.sum(axis=0) + 1.0)
    slope, ease = np.ones(table.shape[1]), np.log(share / (1 - share))
    before = -math.inf
    for iteration in range(1, n_iterations + 1):
        weights, likelihood = _posterior(table, slope, ease)
        slope, ease = _maximise(right.T @ weights, present.T.astype(float) @ weights, slope, ease)
        if abs(likelihood - before) < 2e-5 * max(1, present.sum()):
            return slope, ease, likelihood, iteration, True
        before = likelihood
    return slope, ease, before, n_iterations, False


def _posterior(table: Array, slope: Array, ease: Array) -> tuple[Array, float]:
    """Return each system's posterior over the nodes, and the marginal log-likelihood."""
    present = np.isfinite(table)
    logits = slope[:, None] * _NODES + ease[:, None]
    wrong = -np.logaddexp(0.0, logits)
    joint = np.where(present, table, 0.0) @ logits + present.astype(float) @ wrong + np.log(_PRIOR)
    top = joint.max(axis=1, keepdims=True)
    weights = np.exp(joint - top)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, float((top + np.log(total)).sum())


def _maximise(right: Array, shown: Array, slope: Array, ease: Array, steps: int = 2) -> tuple[Array, Array]:
    """Take Newton steps of the weighted logistic regression of every item at once."""
    for _ in range(steps):
        chance = 1 / (1 + np.exp(-np.clip(slope[:, None] * _NODES + ease[:, None], -30, 30)))
        error, weight = right - shown * chance, shown * chance * (1 - chance)
        g_slope = error @ _NODES - (slope - _SLOPE) / _SLOPE_SD**2
        g_ease = error.sum(axis=1) - ease / _EASE_SD**2
        h_ss = weight @ _NODES**2 + 1 / _SLOPE_SD**2
        h_ee = weight.sum(axis=1) + 1 / _EASE_SD**2
        h_se = weight @ _NODES
        det = h_ss * h_ee - h_se**2
        slope = slope + np.clip((h_ee * g_slope - h_se * g_ease) / det, -1, 1)
        ease = ease + np.clip((h_ss * g_ease - h_se * g_slope) / det, -2, 2)
    return slope, ease


def _held_out(table: Array, n_iterations: int, generator: np.random.Generator) -> float:
    """Return the mean log-likelihood of hidden cells under the model less that under the items' shares."""
    hidden = (generator.random(table.shape) < 0.2) & np.isfinite(table)
    seen = np.where(hidden, np.nan, table)
    slope, ease, *_ = _fit(seen, n_iterations)
    chances = _posterior(seen, slope, ease)[0] @ (1 / (1 + np.exp(-(slope[:, None] * _NODES + ease[:, None])))).T
    present = np.isfinite(seen)
    share = (np.where(present, seen, 0.0).sum(axis=0) + 0.5) / (present.sum(axis=0) + 1.0)
    model, base = chances[hidden], np.broadcast_to(share, table.shape)[hidden]
    truth = table[hidden] == 1
    return float(np.mean(np.log(np.where(truth, model, 1 - model)) - np.log(np.where(truth, base, 1 - base))))


def _dealt(table: Array, seed: Any) -> Array:
    keys = np.random.default_rng(seed).random(table.shape)
    return np.take_along_axis(table, np.argsort(keys, axis=0), axis=0)
