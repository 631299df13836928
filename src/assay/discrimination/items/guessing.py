"""How often systems guess right: the lower asymptote of the item response model, shared by items of one kind."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from assay.base.arrays import Array, Values
from assay.base.errors import UsageError
from assay.base.marks import OWN
from assay.discrimination.items.item_response import (
    MIN_SLOPE_SD,
    START_MEAN,
    START_SD,
    compute_posterior,
    find_share_known,
    maximise_items,
    standardise_items,
)
from assay.discrimination.items.outcome_tables import to_outcome_table
from assay.statistics import Interval
from assay.tasks.threads import use_one_thread
from assay.views.blocks import Block
from assay.views.results import Result

MIN_SYSTEMS = 12
MAX_WIDTH = 0.2  # of the interval; wider ones say almost nothing
PRIOR_STRENGTH = 4.0  # answers that the prior, a blind guess, is worth
N_ITERATIONS, TOLERANCE = 150, 1e-5  # of the likelihood per cell
SHARES, N_DRAWS = (0.0, 0.3, 0.6, 0.9, 1.2, 1.6, 2.0), 6  # of a blind guess, to draw answers with; and how often
MIN_LEVEL = 0.05  # draws go up to twice this chance where a blind guess has none
LARGEST, Z = 0.8, 1.96


@dataclass(frozen=True)
class Guessing(Result):
    """The estimated chance that a system is right without knowing, on items on which a blind guess has `chance`.

    `n_guesses` is the expected number of answers without knowledge. If the answers cannot tell, `reason` says why, and
    the chance of a blind guess should be used.
    """

    chance: float
    n_items: int
    n_guesses: float
    value: Interval
    reason: str | None = field(default=None, metadata=OWN)


@dataclass(frozen=True)
class GuessingEstimates(Result):
    """The chances to guess right, one for each chance of a blind guess (number of options)."""

    _table: ClassVar[str] = "rows"

    rows: tuple[Guessing, ...]
    n_systems: int
    converged: bool

    def blocks(self) -> Iterator[Block]:
        """Yield one row per number of options, and the verdict."""
        from assay.discrimination.items.view import show_guessing

        yield from show_guessing(self)


@dataclass
class _Model:
    """Items, and the chance to guess right of every group of items."""

    slope: Array
    intercept: Array
    guessing: Array
    n_guesses: Array = field(default_factory=lambda: np.zeros(0))
    converged: bool = False


@use_one_thread()
def estimate_guessing(outcomes: Values, chances: Values, random_state: int = 0) -> GuessingEstimates:
    """Estimate how often systems guess right, from 0/1 outcomes (systems × items) and the chances of blind guesses.

    One lower asymptote per distinct chance, in the two-parameter model of `fit_item_response`, by EM; its prior is worth
    four blind guesses. With few systems the largest posterior is too low, so answers are drawn from the fitted model with
    guessing at several shares of a blind guess and estimated again: the value is the guessing whose mean estimate is the
    observed one, the interval has all values whose estimates are compatible with it.
    """
    table = to_outcome_table(outcomes)
    if not np.isin(table[np.isfinite(table)], (0.0, 1.0)).all():
        raise UsageError("Guessing can only be estimated from outcomes of 0 and 1.", option="outcomes")
    levels, groups = np.unique(np.round(np.asarray(chances, dtype=float), 6), return_inverse=True)
    if len(groups) != table.shape[1]:
        raise UsageError(f"has {len(groups)} values for {table.shape[1]} items.", option="chances")
    model = _fit(table, groups, levels, _start(table, groups, levels))
    truths = np.minimum(np.outer(SHARES, np.maximum(levels, MIN_LEVEL)), LARGEST)
    generator = np.random.default_rng(random_state)
    redrawn = np.stack([_estimate_again(table, groups, levels, truth, generator) for truth in truths])
    rows = []
    for group, chance in enumerate(levels):
        value = float(model.guessing[group])
        interval = _invert(value, truths[:, group], redrawn[:, :, group])
        reason = _find_reason(len(table), interval)
        n_items = int((groups == group).sum())
        rows.append(Guessing(float(chance), n_items, float(model.n_guesses[group]), interval, reason))
    return GuessingEstimates(tuple(rows), len(table), model.converged)


def _estimate_again(table: Array, groups: Array, levels: Array, truth: Array, generator: np.random.Generator) -> Array:
    """Return the estimates from answers that are drawn from the model with this guessing (draws × groups)."""
    start = _start(table, groups, levels)
    start.guessing = np.maximum(truth, 1e-4)
    model = _fit(table, groups, levels, start, keep_guessing=True)
    missing = ~np.isfinite(table)
    chances = truth[groups]
    rows = []
    for _ in range(N_DRAWS):
        logits = np.outer(generator.normal(size=len(table)), model.slope) + model.intercept
        drawn = generator.random(table.shape) < chances + (1 - chances) / (1 + np.exp(-logits))
        again = np.where(missing, np.nan, drawn.astype(float))
        rows.append(_fit(again, groups, levels, _start(again, groups, levels)).guessing)
    return np.stack(rows)


def _invert(value: float, truths: Array, estimates: Array) -> Interval:
    """Return the guessing whose estimates have this mean, and the values that are compatible with it."""
    means = np.maximum.accumulate(estimates.mean(axis=1))
    error = math.sqrt(float(estimates.var(axis=1, ddof=1).mean()))

    def find(target: float) -> float:
        place = int(np.clip(np.searchsorted(means, target), 1, len(means) - 1))
        step = max(float(means[place] - means[place - 1]), 1e-9)
        truth = truths[place - 1] + (target - means[place - 1]) / step * (truths[place] - truths[place - 1])
        return float(np.clip(truth, 0.0, LARGEST))

    return Interval(find(value), find(value - Z * error), find(value + Z * error), 0.95)


def _find_reason(n_systems: int, interval: Interval) -> str | None:
    if n_systems < MIN_SYSTEMS:
        return f"{n_systems} systems; at least {MIN_SYSTEMS} are needed."
    if interval.high - interval.low > MAX_WIDTH:
        return "Too few systems fail on these items to tell guesses from knowledge."
    return None


def _start(table: Array, groups: Array, levels: Array) -> _Model:
    present = np.isfinite(table)
    share = (np.nan_to_num(table).sum(axis=0) + 0.5) / (present.sum(axis=0) + 1.0)
    known = np.clip((share - levels[groups]) / (1 - levels[groups]), 0.05, 0.95)
    return _Model(np.ones(table.shape[1]), np.log(known / (1 - known)), np.clip(levels, 0.02, LARGEST))


def _fit(table: Array, groups: Array, levels: Array, model: _Model, *, keep_guessing: bool = False) -> _Model:
    """Improve a model by EM."""
    present = np.isfinite(table)
    right = np.where(present, table, 0.0)
    slope, intercept, guessing, prior = model.slope, model.intercept, model.guessing, (START_MEAN, START_SD)
    before, converged = -math.inf, False
    n_guesses: Array = np.zeros(len(levels))
    for _ in range(N_ITERATIONS):
        chances = guessing[groups]
        weights, likelihood = compute_posterior(table, slope, intercept, chances)
        n_right, n_answered = right.T @ weights, present.T.astype(float) @ weights
        known = n_right * find_share_known(slope, intercept, chances)
        lucky, wrong = (n_right - known).sum(axis=1), (n_answered - n_right).sum(axis=1)
        lucky_by_group = np.bincount(groups, lucky, len(levels))
        n_guesses = lucky_by_group + np.bincount(groups, wrong, len(levels))
        if not keep_guessing:
            update = (lucky_by_group + PRIOR_STRENGTH * levels) / (n_guesses + PRIOR_STRENGTH)
            guessing = np.clip(update, 1e-4, LARGEST)
        slope, intercept, variance = maximise_items(known, n_answered, slope, intercept, prior)
        slope, intercept = standardise_items(weights, slope, intercept)
        prior = float(slope.mean()), max(MIN_SLOPE_SD, math.sqrt(slope.var() + variance.mean()))
        converged = abs(likelihood - before) < TOLERANCE * max(1, present.sum())
        if converged:
            break
        before = likelihood
    return _Model(slope, intercept, guessing, n_guesses, converged)
