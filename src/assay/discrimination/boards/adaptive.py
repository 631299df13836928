"""How few items keep the ranking: random items against items chosen by an item response model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME, OWN
from assay.discrimination.items.item_response import NODE_WEIGHTS, NODES, fit_item_response
from assay.discrimination.items.outcome_tables import to_outcome_table
from assay.tasks.threads import use_one_thread
from assay.views.results import Result

SIZES = (5, 10, 20, 50, 100, 200, 500, 1000)
MIN_SYSTEMS, MIN_ITEMS = 8, 20
N_REPEATS, N_DRAWS = 3, 20
N_ITERATIONS = 60  # of the item response model
THRESHOLD = 0.9
MIN_CHANCE = 1e-6


@dataclass(frozen=True)
class SubsetQuality(Result):
    """Kendall's τ of held-out systems with their scores on all items, and the mean error of the scores in points.

    `random` takes the mean over random items, `fixed` the items with the most information about the calibration
    systems, `adaptive` for every system the item with the most information at its present ability.
    """

    n_items: int
    tau_random: float
    tau_fixed: float
    tau_adaptive: float
    error_random: float
    error_fixed: float
    error_adaptive: float


@dataclass(frozen=True)
class AdaptiveChoice(Result):
    """How the ranking of held-out systems improves with the number of items, by three ways to choose them.

    `needed_…` is the smallest number of items whose τ reaches `threshold`, None if no size does.
    """

    dataset: str = field(metadata=NAME)
    sizes: tuple[SubsetQuality, ...]
    needed_random: int | None
    needed_fixed: int | None
    needed_adaptive: int | None
    n_items: int
    n_systems: int
    threshold: float = THRESHOLD
    reason: str | None = field(default=None, metadata=OWN)


@use_one_thread()
def measure_adaptive_choice(
    outcomes: Array, dataset: str = "items", *, chances: Array | None = None, random_state: int = 0
) -> AdaptiveChoice:
    """Choose items with a model of one half of the systems and rank the other half, three times in both directions.

    Outcomes are 0 or 1, systems × items; nan = missing. `chances` are the chances of a blind guess. The next item is that
    with the largest Fisher information at the present ability (Hofmann et al. 2025, "Fluid language model
    benchmarking"); a system's score is then predicted from its ability by the model of all items.
    """
    table = to_outcome_table(outcomes)
    n_systems, n_items = table.shape
    reason = _explain_impossible(table)
    if reason:
        return AdaptiveChoice(dataset, (), None, None, None, n_items, n_systems, reason=reason)
    sizes = [size for size in SIZES if size < n_items]
    results = []
    for seed in np.random.SeedSequence(random_state).spawn(N_REPEATS):
        generator = np.random.default_rng(seed)
        halves = generator.permutation(n_systems) % 2
        for half in (0, 1):
            train, test = table[halves != half], table[halves == half]
            results.append(_compare_choices(train, test, sizes, chances, generator))
    mean = np.nanmean(np.array(results), axis=0)
    rows = tuple(
        SubsetQuality(size, *(float(value) for value in values)) for size, values in zip(sizes, mean, strict=True)
    )
    return AdaptiveChoice(
        dataset=dataset,
        sizes=rows,
        needed_random=_find_needed(rows, [row.tau_random for row in rows]),
        needed_fixed=_find_needed(rows, [row.tau_fixed for row in rows]),
        needed_adaptive=_find_needed(rows, [row.tau_adaptive for row in rows]),
        n_items=n_items,
        n_systems=n_systems,
    )


def _find_needed(rows: Sequence[SubsetQuality], taus: Sequence[float]) -> int | None:
    return next((row.n_items for row, tau in zip(rows, taus, strict=True) if tau >= THRESHOLD), None)


def _explain_impossible(table: Array) -> str | None:
    if not np.isin(table[np.isfinite(table)], (0.0, 1.0)).all():
        return "outcomes are not 0 and 1"
    if table.shape[0] < MIN_SYSTEMS or table.shape[1] < MIN_ITEMS:
        return f"{table.shape[0]} systems and {table.shape[1]} items; at least {MIN_SYSTEMS} and {MIN_ITEMS} are needed"
    return None


def _compare_choices(
    train: Array, test: Array, sizes: list[int], chances: Array | None, generator: np.random.Generator
) -> Array:
    """Return τ and error of the three ways for every size, sizes × 6."""
    full = np.nanmean(test, axis=1)
    model = fit_item_response(train, N_ITERATIONS, control=False, chances=chances)
    floor = np.zeros(train.shape[1]) if chances is None else chances
    slope, difficulty = model.discrimination, np.nan_to_num(model.difficulty)
    known = 1 / (1 + np.exp(-np.clip(slope[:, None] * (NODES - difficulty[:, None]), -30, 30)))
    at_nodes = np.clip(floor[:, None] + (1 - floor[:, None]) * known, MIN_CHANCE, 1 - MIN_CHANCE)
    information = (slope[:, None] * (at_nodes - floor[:, None]) / (1 - floor[:, None])) ** 2
    information = information * (1 - at_nodes) / at_nodes
    spread = np.histogram(model.ability, bins=np.append(NODES - 0.1, NODES[-1] + 0.1))[0] / len(train)
    order = np.argsort(-(information @ spread), kind="stable")
    fixed = [_estimate(test[:, order[:size]], at_nodes[order[:size]], at_nodes) for size in sizes]
    adaptive = _choose_adaptively(test, at_nodes, information, sizes)
    rows = []
    for place, size in enumerate(sizes):
        draws = [_average(test[:, generator.choice(test.shape[1], size, replace=False)]) for _ in range(N_DRAWS)]
        taus = [float(np.mean([_correlate(draw, full) for draw in draws]))]
        errors = [float(np.mean([np.nanmean(np.abs(draw - full)) for draw in draws]))]
        for scores in (fixed[place], adaptive[place]):
            taus.append(_correlate(scores, full))
            errors.append(float(np.nanmean(np.abs(scores - full))))
        rows.append([*taus, *(100 * error for error in errors)])
    return np.array(rows)


def _average(answers: Array) -> Array:
    """Return the share right of every system; of all systems together for a system that answered nothing."""
    known = np.isfinite(answers)
    right, n = np.where(known, answers, 0.0).sum(axis=1), known.sum(axis=1)
    return np.where(n > 0, right / np.maximum(n, 1), right.sum() / max(n.sum(), 1))


def _choose_adaptively(test: Array, at_nodes: Array, information: Array, sizes: list[int]) -> list[Array]:
    """Return the predicted score of every system after each number of items."""
    scores = np.zeros((len(sizes), len(test)))
    means = at_nodes.mean(axis=0)
    log_right, log_wrong = np.log(at_nodes), np.log1p(-at_nodes)
    for number, answers in enumerate(test):
        posterior = np.log(NODE_WEIGHTS)
        free = np.isfinite(answers)
        for step in range(1, sizes[-1] + 1):
            weights = np.exp(posterior - posterior.max())
            ability = float(weights @ NODES / weights.sum())
            node = int(np.clip(round((ability - NODES[0]) / (NODES[1] - NODES[0])), 0, len(NODES) - 1))
            value = np.where(free, information[:, node], -1.0)
            item = int(value.argmax())
            if value[item] < 0:
                scores[[size >= step for size in sizes], number] = weights @ means / weights.sum()
                break
            free[item] = False
            posterior = posterior + (log_right[item] if answers[item] == 1 else log_wrong[item])
            if step in sizes:
                weights = np.exp(posterior - posterior.max())
                scores[sizes.index(step), number] = weights @ means / weights.sum()
    return list(scores)


def _estimate(answers: Array, chosen: Array, at_nodes: Array) -> Array:
    """Return the predicted mean over all items of systems whose answers to the chosen items are known."""
    known = np.isfinite(answers)
    right = np.where(known, answers, 0.0)
    joint = right @ np.log(chosen) + (known - right) @ np.log1p(-chosen) + np.log(NODE_WEIGHTS)
    weights = np.exp(joint - joint.max(axis=1, keepdims=True))
    return np.asarray((weights @ at_nodes.mean(axis=0)) / weights.sum(axis=1))


def _correlate(x: Array, y: Array) -> float:
    from scipy.stats import kendalltau

    value = float(kendalltau(np.round(x, 9), np.round(y, 9)).statistic)
    return 0.0 if np.isnan(value) else value
