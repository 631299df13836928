"""How well scores that were hidden are predicted from the rest of the table."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.discrimination.boards.draws import start_generator
from assay.discrimination.boards.factors import fit_factors
from assay.discrimination.boards.logits import LogitTable, to_percent
from assay.statistics import Interval
from assay.tasks.threads import use_one_thread
from assay.views.results import Result

RANKS = (1, 2, 3)
PENALTIES = (0.3, 1.0, 3.0, 10.0)
N_FOLDS, N_KNOWN, N_RESAMPLES = 5, 5, 1000
MAX_SYSTEMS = 1000  # in the cross-validation; beyond, a random sample of systems


@dataclass(frozen=True)
class RankError(Result):
    """The mean absolute error in points of hidden cells under a model of some rank; rank 0 is the dataset's mean."""

    rank: int
    error: Interval


@dataclass(frozen=True)
class Completion(Result):
    """Errors of predicted cells, and of predicting new systems from a few of their scores; intervals over systems.

    `gain` is the share of the error of the dataset means that the best model removes.
    """

    errors: tuple[RankError, ...]
    best_rank: int
    gain: float
    n_cells: int
    n_systems: int
    n_datasets: int
    n_known: int
    new_systems: Interval
    new_systems_by_means: Interval
    reason: str | None = field(default=None, metadata=OWN)


@use_one_thread()
def measure_completion(table: LogitTable, random_state: int = 0) -> Completion:
    """Hide cells in five folds and predict them by column means and by factor models of rank 1 to 3.

    Scores are logits; errors are in percent points. The penalty is the best of four for each rank, and the best rank
    is chosen by the same errors, which favours the model slightly. New systems are predicted from `n_known` random
    scores each, by a model of the other systems.
    """
    reason = table.explain_too_small()
    n, d = table.values.shape
    nothing = Interval(math.nan, math.nan, math.nan)
    if reason:
        return Completion((), 0, math.nan, int(np.isfinite(table.values).sum()), n, d, 0, nothing, nothing, reason)
    generator = start_generator(random_state)
    values = table.values
    if n > MAX_SYSTEMS:
        values = values[np.sort(generator.choice(n, MAX_SYSTEMS, replace=False))]
    cells = np.argwhere(np.isfinite(values))
    folds = generator.permutation(len(cells)) % N_FOLDS
    truth = to_percent(values)
    by_means = _predict_hidden(values, cells, folds, 0, 1.0)
    errors = [RankError(0, _average_error(by_means, truth, generator))]
    settings = {}
    for rank in RANKS:
        if rank >= min(values.shape):
            continue
        tries = [(penalty, _predict_hidden(values, cells, folds, rank, penalty)) for penalty in PENALTIES]
        penalty, best = min(tries, key=lambda entry: float(np.nanmean(np.abs(entry[1] - truth))))
        errors.append(RankError(rank, _average_error(best, truth, generator)))
        settings[rank] = penalty
    chosen = min(errors, key=lambda row: row.error.value)
    n_known = min(N_KNOWN, d - 1)
    new, means = _predict_new_systems(values, chosen.rank, settings.get(chosen.rank, 1.0), n_known, generator)
    return Completion(
        errors=tuple(errors),
        best_rank=chosen.rank,
        gain=1 - chosen.error.value / errors[0].error.value,
        n_cells=len(cells),
        n_systems=len(values),
        n_datasets=d,
        n_known=n_known,
        new_systems=_average_error(new, truth, generator),
        new_systems_by_means=_average_error(means, truth, generator),
    )


def _predict_hidden(values: Array, cells: Array, folds: Array, rank: int, penalty: float) -> Array:
    """Return the predicted percents of all known cells, each by a model that did not see it."""
    predicted = np.full(values.shape, np.nan)
    for fold in range(N_FOLDS):
        rows, columns = cells[folds == fold].T
        visible = values.copy()
        visible[rows, columns] = np.nan
        predicted[rows, columns] = to_percent(fit_factors(visible, rank, penalty).predict()[rows, columns])
    return predicted


def _predict_new_systems(
    values: Array, rank: int, penalty: float, n_known: int, generator: np.random.Generator
) -> tuple[Array, Array]:
    """Return the predicted percents of held-out systems from a few scores, and those by the dataset means."""
    predicted, means = np.full(values.shape, np.nan), np.full(values.shape, np.nan)
    folds = generator.permutation(len(values)) % N_FOLDS
    for fold in range(N_FOLDS):
        held_out = np.flatnonzero((folds == fold) & (np.isfinite(values).sum(axis=1) > n_known))
        if not len(held_out):
            continue
        model = fit_factors(values[folds != fold], rank, penalty)
        visible = np.full((len(held_out), values.shape[1]), np.nan)
        for place, row in enumerate(held_out):
            shown = generator.choice(np.flatnonzero(np.isfinite(values[row])), n_known, replace=False)
            visible[place, shown] = values[row, shown]
        hidden = np.isnan(visible) & np.isfinite(values[held_out])
        predicted[held_out] = np.where(hidden, to_percent(model.predict_systems(visible)), np.nan)
        means[held_out] = np.where(hidden, to_percent(np.broadcast_to(model.means, visible.shape)), np.nan)
    return predicted, means


def _average_error(predicted: Array, truth: Array, generator: np.random.Generator) -> Interval:
    """Return the mean absolute error, with a percentile interval over resampled systems."""
    errors = np.abs(predicted - truth)
    sums, counts = np.nansum(errors, axis=1), np.isfinite(errors).sum(axis=1)
    if not counts.sum():
        return Interval(math.nan, math.nan, math.nan)
    weights = generator.multinomial(len(sums), np.full(len(sums), 1 / len(sums)), size=N_RESAMPLES)
    low, high = np.percentile((weights @ sums) / np.maximum(weights @ counts, 1), [2.5, 97.5])
    return Interval(float(sums.sum() / counts.sum()), float(low), float(high))
