"""The smallest subset of datasets or items that keeps the ranking, checked on held-out systems."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import polars as pl
from numpy.typing import ArrayLike

from assay.base.arrays import Array
from assay.base.marks import OWN
from assay.discrimination.items.outcome_tables import to_outcome_table
from assay.discrimination.running import TaskRunner
from assay.discrimination.subsets.orders import ColumnOrder, order_by_difficulty, order_greedily
from assay.discrimination.subsets.pair_agreement import SystemPairs, draw_pairs, measure_agreement
from assay.tasks.threads import use_one_thread
from assay.views.results import Result

N_FOLDS = 5
N_REPEATS = 4  # of the folds: τ over few held-out systems is noisy
N_TASKS = N_FOLDS * N_REPEATS + 1  # of one selection: every fold, and all systems
MIN_SYSTEMS, MIN_COLUMNS = 6, 2
ITEM_SHARES = (0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)


@dataclass(frozen=True)
class SubsetSize(Result):
    """One size of a subset: held-out τ with the ranking by everything, and τ on all systems."""

    size: int
    agreement: float
    agreement_all_systems: float


@dataclass(frozen=True)
class SubsetSelection(Result):
    """The smallest subset with held-out Kendall τ at the threshold, and the front of size against agreement.

    `chosen` are column numbers; `front` has the sizes that agree better than every smaller size.
    """

    size: int | None
    agreement: float
    chosen: tuple[int, ...]
    front: tuple[SubsetSize, ...]
    threshold: float
    n_columns: int
    n_systems: int
    n_folds: int
    reason: str | None = field(default=None, metadata=OWN)

    def _frame(self) -> pl.DataFrame:
        """Return the front, one row per size."""
        return tabulate_front(self.front)


def select_datasets(
    scores: ArrayLike,
    threshold: float = 0.95,
    n_folds: int = N_FOLDS,
    random_state: int = 0,
    *,
    runner: TaskRunner | None = None,
) -> SubsetSelection:
    """Select the fewest datasets that keep the ranking (systems × datasets, complete rows only).

    Greedy forward selection on standardised columns, repeated with every fold of systems held out; agreement is
    Kendall's τ-b over the pairs with a held-out system.

    >>> x = np.arange(12.0)
    >>> select_datasets(np.stack([x, x, x], axis=1)).size
    1
    """
    table = to_outcome_table(scores)
    complete = table[np.isfinite(table).all(axis=1)]
    reason = _explain_impossible(complete, n_folds)
    if reason:
        return _select_nothing(table, complete, threshold, n_folds, reason)
    deviation = complete.std(axis=0)
    columns = np.divide(complete - complete.mean(axis=0), deviation, out=np.zeros_like(complete), where=deviation > 0)
    sizes = list(range(1, columns.shape[1] + 1))
    return _select(columns, sizes, order_greedily, threshold, n_folds, random_state, runner)


def select_items(
    outcomes: ArrayLike,
    threshold: float = 0.95,
    n_folds: int = N_FOLDS,
    random_state: int = 0,
    *,
    runner: TaskRunner | None = None,
) -> SubsetSelection:
    """Select items evenly over all difficulties, on a grid of sizes (systems × items, complete rows only).

    The most discriminating items would fit the given systems and fail on held-out ones. Agreement as in
    `select_datasets`.
    """
    table = to_outcome_table(outcomes)
    complete = table[np.isfinite(table).all(axis=1)]
    reason = _explain_impossible(complete, n_folds)
    if reason:
        return _select_nothing(table, complete, threshold, n_folds, reason)
    n = complete.shape[1]
    sizes = sorted({max(1, round(share * n)) for share in ITEM_SHARES})
    return _select(complete, sizes, order_by_difficulty, threshold, n_folds, random_state, runner)


def _explain_impossible(complete: Array, n_folds: int) -> str | None:
    k, d = complete.shape
    needed = max(MIN_SYSTEMS, n_folds)
    if k < needed or d < MIN_COLUMNS:
        return f"{k} systems with all of {d} columns; at least {needed} systems and {MIN_COLUMNS} columns are needed"
    return "all systems have the same mean" if np.ptp(complete.mean(axis=1).round(12)) == 0 else None


def _select_nothing(table: Array, complete: Array, threshold: float, n_folds: int, reason: str) -> SubsetSelection:
    return SubsetSelection(None, math.nan, (), (), threshold, table.shape[1], len(complete), n_folds, reason)


def _select(
    columns: Array,
    sizes: list[int],
    choose_order: ColumnOrder,
    threshold: float,
    n_folds: int,
    random_state: int,
    runner: TaskRunner | None,
) -> SubsetSelection:
    n_systems, n_columns = columns.shape
    folds = _draw_folds(n_systems, n_folds, random_state)
    evaluate = partial(_evaluate_order, columns, sizes, choose_order)
    *held_out, (own, order) = (runner or TaskRunner()).run("subsets", evaluate, folds, work=n_columns)
    agreement = np.mean([tau for tau, _ in held_out], axis=0)
    agreement[-1] = 1.0 if sizes[-1] == n_columns else agreement[-1]
    place = next((at for at, tau in enumerate(agreement) if tau >= threshold), None)
    size = None if place is None else sizes[place]
    return SubsetSelection(
        size=size,
        agreement=math.nan if place is None else float(agreement[place]),
        chosen=() if size is None else tuple(sorted(int(column) for column in order[:size])),
        front=_find_front(sizes, agreement, own),
        threshold=threshold,
        n_columns=n_columns,
        n_systems=n_systems,
        n_folds=n_folds,
    )


def _draw_folds(n_systems: int, n_folds: int, random_state: int) -> list[tuple[Array, SystemPairs, SystemPairs]]:
    """Return the training rows, their pairs and the pairs of held-out systems of every fold; last all systems."""
    generator = np.random.default_rng(random_state)
    folds = []
    for _ in range(N_REPEATS):
        codes = generator.permutation(n_systems) % n_folds
        for fold in range(n_folds):
            train = np.flatnonzero(codes != fold)
            train_pairs = draw_pairs(np.ones(len(train), dtype=bool), generator)
            folds.append((train, train_pairs, draw_pairs(codes == fold, generator)))
    all_pairs = draw_pairs(np.ones(n_systems, dtype=bool), generator)
    return [*folds, (np.arange(n_systems), all_pairs, all_pairs)]


@use_one_thread()
def _evaluate_order(
    columns: Array,
    sizes: list[int],
    choose_order: ColumnOrder,
    train: Array,
    train_pairs: SystemPairs,
    test_pairs: SystemPairs,
) -> tuple[Array, Array]:
    """Choose an order on the training systems; return its agreement on the test pairs for every size, and the order."""
    order = choose_order(columns[train], train_pairs)
    return measure_agreement(columns, order, sizes, test_pairs), order


def tabulate_front(front: tuple[SubsetSize, ...]) -> pl.DataFrame:
    """Return one row per size."""
    schema = {"size": pl.Int64, "agreement": pl.Float64, "agreement_all_systems": pl.Float64}
    return pl.DataFrame([point.to_dict() for point in front], schema=schema)


def _find_front(sizes: list[int], agreement: Array, own: Array) -> tuple[SubsetSize, ...]:
    front, best = [], -math.inf
    for size, tau, tau_all in zip(sizes, agreement, own, strict=True):
        if tau > best + 1e-9:
            front.append(SubsetSize(size, float(tau), float(tau_all)))
            best = tau
    return tuple(front)
