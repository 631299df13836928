"""A two-parameter item response model: ability of systems, difficulty and discrimination of items."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import polars as pl

from assay.base.arrays import Array, Seed, Values
from assay.base.errors import UsageError
from assay.discrimination.columns import ARRAY
from assay.discrimination.items.outcome_tables import to_outcome_table
from assay.tasks.threads import use_one_thread
from assay.views.results import Result

NODES = np.linspace(-4.0, 4.0, 41)
NODE_WEIGHTS = np.exp(-(NODES**2) / 2) / np.exp(-(NODES**2) / 2).sum()
START_MEAN, START_SD, MIN_SLOPE_SD, INTERCEPT_SD = 1.0, 1.0, 0.2, 3.0  # priors: few systems answer each item
TOLERANCE = 1e-6  # of the log-likelihood per cell; coarser ones stop while slopes still grow
HIDDEN_SHARE = 0.2
BLOCK_ITEMS = 16_384  # items at a time, whose tables of items × nodes stay in the processor's caches


@dataclass(frozen=True)
class ItemResponse(Result):
    """Held-out gain in nats per cell over item means, the same with shuffled answers, and the parameters.

    A gain no larger than the shuffled one shows that the items do not measure one ability.
    """

    gain: float
    gain_shuffled: float
    log_likelihood: float
    n_systems: int
    n_items: int
    n_iterations: int
    converged: bool
    ability: Array = field(repr=False, compare=False, metadata=ARRAY)
    difficulty: Array = field(repr=False, compare=False, metadata=ARRAY)
    discrimination: Array = field(repr=False, compare=False, metadata=ARRAY)

    def _frame(self) -> pl.DataFrame:
        """Return the parameters, one row per item."""
        columns = {"difficulty": self.difficulty, "discrimination": self.discrimination}
        return pl.DataFrame(columns).fill_nan(None)


@use_one_thread()
def fit_item_response(
    outcomes: Values,
    n_iterations: int = 200,
    random_state: int = 0,
    control: bool = True,
    *,
    chances: Array | None = None,
) -> ItemResponse:
    """Fit P(right) = c + (1 − c) / (1 + exp(−a (θ − b))) to 0/1 outcomes (systems × items; nan = missing).

    `chances` are the items' fixed probabilities c that a guess is right, 0 by default.

    Marginal maximum a posteriori by EM over 41 nodes of a standard normal ability; slopes have a normal prior whose
    mean and deviation are estimated from all items, intercepts N(0, 3²). Logits carry no factor 1.7. The gain is
    measured on a fifth of the cells, hidden at random; the negative control does the same after shuffling the answers
    of every item between the systems.
    """
    table = to_outcome_table(outcomes)
    if not np.isin(table[np.isfinite(table)], (0.0, 1.0)).all():
        raise UsageError("The item response model needs outcomes of 0 and 1.")
    slope, intercept, likelihood, n_done, converged = _fit(table, n_iterations, chances)
    ability = compute_posterior(table, slope, intercept, chances)[0] @ NODES
    seeds = np.random.SeedSequence(random_state).spawn(2)
    gain, shuffled = math.nan, math.nan
    if control:
        gain = _measure_gain(table, n_iterations, np.random.default_rng(seeds[0]), chances)
        mixed = _shuffle_columns(table, seeds[1])
        shuffled = _measure_gain(mixed, n_iterations, np.random.default_rng(seeds[0]), chances)
    with np.errstate(divide="ignore", invalid="ignore"):
        difficulty = np.where(np.abs(slope) > 1e-6, -intercept / slope, np.nan)
    counts = (len(table), table.shape[1], n_done, converged)
    return ItemResponse(gain, shuffled, likelihood, *counts, ability, difficulty, slope)


def _fit(table: Array, n_iterations: int, chances: Array | None = None) -> tuple[Array, Array, float, int, bool]:
    present = np.isfinite(table)
    right = np.where(present, table, 0.0)
    share = (right.sum(axis=0) + 0.5) / (present.sum(axis=0) + 1.0)
    known = share if chances is None else np.clip((share - chances) / (1 - chances), 0.02, 0.98)
    slope, intercept = np.ones(table.shape[1]), np.log(known / (1 - known))
    variance = np.empty_like(slope)
    before, prior = -math.inf, (START_MEAN, START_SD)
    for iteration in range(1, n_iterations + 1):
        weights, likelihood = compute_posterior(table, slope, intercept, chances)
        for block in _cut_items(table):
            n_right = right[:, block].T @ weights
            if chances is not None:  # of right answers, those that were known and not guessed
                n_right *= find_share_known(slope[block], intercept[block], chances[block])
            n_answered = present[:, block].T.astype(float) @ weights
            slope[block], intercept[block], variance[block] = maximise_items(
                n_right, n_answered, slope[block], intercept[block], prior
            )
        slope, intercept = standardise_items(weights, slope, intercept)
        prior = float(slope.mean()), max(MIN_SLOPE_SD, math.sqrt(slope.var() + variance.mean()))
        if abs(likelihood - before) < TOLERANCE * max(1, present.sum()):
            return slope, intercept, likelihood, iteration, True
        before = likelihood
    return slope, intercept, before, n_iterations, False


def _cut_items(table: Array) -> list[slice]:
    """Return blocks of the items of a table."""
    return [slice(start, start + BLOCK_ITEMS) for start in range(0, max(1, table.shape[1]), BLOCK_ITEMS)]


def find_share_known(slope: Array, intercept: Array, chances: Array) -> Array:
    """Return, for every item and node, the share of right answers that were known and not guessed."""
    known = _compute_chances(slope, intercept)
    return np.asarray(known / (chances[:, None] + (1 - chances[:, None]) * known))


def compute_posterior(
    table: Array, slope: Array, intercept: Array, chances: Array | None = None
) -> tuple[Array, float]:
    """Return each system's posterior over the nodes, and the marginal log-likelihood."""
    blocks = [
        _add_logs(table[:, block], slope[block], intercept[block], None if chances is None else chances[block])
        for block in _cut_items(table)
    ]
    joint = np.sum(blocks, axis=0) + np.log(NODE_WEIGHTS)
    top = joint.max(axis=1, keepdims=True)
    weights = np.exp(joint - top)
    total = weights.sum(axis=1, keepdims=True)
    return weights / total, float((top + np.log(total)).sum())


def _add_logs(table: Array, slope: Array, intercept: Array, chances: Array | None) -> Array:
    """Return the log-likelihood of each system's answers at every node."""
    present = np.isfinite(table)
    logits = slope[:, None] * NODES + intercept[:, None]
    wrong = -np.logaddexp(0.0, logits)
    if chances is not None:
        wrong = wrong + np.log(1 - chances)[:, None]
        logits = np.log(1 - np.exp(wrong)) - wrong
    return np.asarray(np.where(present, table, 0.0) @ logits + present.astype(float) @ wrong)


def standardise_items(weights: Array, slope: Array, intercept: Array) -> tuple[Array, Array]:
    """Move and scale the items so that the systems' abilities have mean 0 and variance 1, as their prior says.

    Without this step the prior of many items outweighs that of few systems, and all slopes are too small.
    """
    masses = weights.mean(axis=0)
    mean = float(masses @ NODES)
    deviation = math.sqrt(max(float(masses @ NODES**2) - mean**2, 1e-6))
    return slope * deviation, intercept + slope * mean


def maximise_items(
    right: Array, answered: Array, slope: Array, intercept: Array, prior: tuple[float, float], steps: int = 2
) -> tuple[Array, Array, Array]:
    """Take Newton steps of the weighted logistic regression of every item at once; return the slopes' variances too.

    `prior` is the mean and deviation of the slopes.
    """
    mean, sd = prior
    for _ in range(steps):
        chance = _compute_chances(slope, intercept)
        error, weight = right - answered * chance, answered * chance * (1 - chance)
        g_slope = error @ NODES - (slope - mean) / sd**2
        g_intercept = error.sum(axis=1) - intercept / INTERCEPT_SD**2
        h_ss = weight @ NODES**2 + 1 / sd**2
        h_ii = weight.sum(axis=1) + 1 / INTERCEPT_SD**2
        h_si = weight @ NODES
        det = h_ss * h_ii - h_si**2
        slope = slope + np.clip((h_ii * g_slope - h_si * g_intercept) / det, -1, 1)
        intercept = intercept + np.clip((h_ss * g_intercept - h_si * g_slope) / det, -2, 2)
    return slope, intercept, h_ii / det


def _compute_chances(slope: Array, intercept: Array) -> Array:
    """Return the chance of a right answer to every item at every node, never exactly 0 or 1."""
    return 1 / (1 + np.exp(-np.clip(slope[:, None] * NODES + intercept[:, None], -30, 30)))


def _measure_gain(
    table: Array, n_iterations: int, generator: np.random.Generator, chances: Array | None = None
) -> float:
    """Return the mean log-likelihood of hidden cells under the model less that under the items' shares."""
    hidden = (generator.random(table.shape) < HIDDEN_SHARE) & np.isfinite(table)
    visible = np.where(hidden, np.nan, table)
    slope, intercept, *_ = _fit(visible, n_iterations, chances)
    weights, _ = compute_posterior(visible, slope, intercept, chances)
    predicted = np.empty_like(table)
    for block in _cut_items(table):
        at_nodes = _compute_chances(slope[block], intercept[block])
        if chances is not None:
            at_nodes = chances[block, None] + (1 - chances[block, None]) * at_nodes
        predicted[:, block] = weights @ at_nodes.T
    present = np.isfinite(visible)
    share = (np.where(present, visible, 0.0).sum(axis=0) + 0.5) / (present.sum(axis=0) + 1.0)
    model, base = predicted[hidden], np.broadcast_to(share, table.shape)[hidden]
    right = table[hidden] == 1
    return float(np.mean(np.log(np.where(right, model, 1 - model)) - np.log(np.where(right, base, 1 - base))))


def _shuffle_columns(table: Array, seed: Seed) -> Array:
    keys = np.asarray(np.random.default_rng(seed).random(table.shape))
    mixed = np.empty_like(table)
    for block in _cut_items(table):
        mixed[:, block] = np.take_along_axis(table[:, block], np.argsort(keys[:, block], axis=0), axis=0)
    return mixed
