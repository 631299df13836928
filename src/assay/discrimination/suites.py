"""Several tasks with the same systems: scores, ranks over all tasks, and which tasks rank the systems alike."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from assay.base.arrays import Array
from assay.base.marks import NAME
from assay.discrimination.measurements import tabulate_scores
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.ranks.system_ranks import rank_by_outcomes
from assay.discrimination.settings import DiscriminationSettings
from assay.discrimination.subsets.redundancy import measure_redundancy
from assay.statistics import spearman
from assay.views.results import Result


@dataclass(frozen=True)
class SuiteTask(Result):
    """One task: the mean and the best score of its systems, and how well the other tasks predict it.

    Scores are percents if their scale is known. `redundancy` is the leave-one-system-out R² of a prediction from the
    other tasks; undefined with fewer than four systems that have all tasks.
    """

    task: str = field(metadata=NAME)
    n_items: int
    n_systems: int
    mean: float
    best: float
    best_system: str = field(metadata=NAME)
    redundancy: float


@dataclass(frozen=True)
class SuiteSystem(Result):
    """One system: its score on every task, None if it has none, and its rank over all tasks.

    `score` is the mean over the tasks (or the win rate, if tasks have different scales). Ranks hold simultaneously
    over all rivals, with items and tasks resampled; None if the system lacks a task.
    """

    system: str = field(metadata=NAME)
    n_tasks: int
    scores: tuple[float, ...]
    score: float
    rank: int | None
    rank_low: int | None
    rank_high: int | None


@dataclass(frozen=True)
class TaskPair(Result):
    """How alike two tasks rank the systems: Spearman's correlation over the systems that have both."""

    first: str = field(metadata=NAME)
    second: str = field(metadata=NAME)
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True)
class TaskComparison(Result):
    """The tasks, the systems from the best down, and all pairs of tasks."""

    tasks: tuple[SuiteTask, ...]
    systems: tuple[SuiteSystem, ...]
    pairs: tuple[TaskPair, ...]
    ranked_by: str | None = field(default=None, metadata=NAME)
    reason: str | None = field(default=None, metadata=NAME)


def compare_tasks(outcomes: Sequence[Outcomes], *, random_state: int = 0) -> TaskComparison:
    """Compare tasks by the outcomes of their systems; items count with their mean outcome.

    >>> rows = np.array([[1.0, 1.0, 0.0], [1.0, 0.0, 0.0]])
    >>> both = [Outcomes("all", name, "accuracy", ("x", "y"), rows) for name in ("a", "b")]
    >>> [(row.system, round(row.score, 1), row.rank) for row in compare_tasks(both).systems]
    [('x', 66.7, 1), ('y', 33.3, 2)]
    """
    tables = [replace(entry, benchmark="all", sums=None, value=None) for entry in outcomes]
    measurements = [entry.measure() for entry in tables]
    systems, scores = tabulate_scores(measurements)
    redundancy = measure_redundancy(scores).r_squared if len(tables) > 1 else np.full(len(tables), math.nan)
    tasks = []
    for number, entry in enumerate(measurements):
        own = scores[:, number]
        best = int(np.nanargmax(own)) if np.isfinite(own).any() else -1
        tasks.append(
            SuiteTask(
                task=entry.dataset,
                n_items=tables[number].table.shape[1],
                n_systems=len(entry.systems),
                mean=float(entry.scores.mean()) if len(entry.scores) else math.nan,
                best=_show(own[best], lower=entry.lower_is_better) if best >= 0 else math.nan,
                best_system=systems[best] if best >= 0 else "",
                redundancy=float(redundancy[number]),
            )
        )
    ranking = rank_by_outcomes("all", tables, DiscriminationSettings(random_state=random_state))
    ranked = {row.system: row for row in ranking.systems}
    signs = np.array([-1.0 if entry.lower_is_better else 1.0 for entry in measurements])
    order = [row.system for row in ranking.systems]
    order += sorted((name for name in systems if name not in ranked), key=systems.index)
    rows = []
    for name in order:
        own, rank = scores[systems.index(name)], ranked.get(name)
        rows.append(
            SuiteSystem(
                system=name,
                n_tasks=int(np.isfinite(own).sum()),
                scores=tuple((signs * own).tolist()),
                score=math.nan if rank is None else rank.score,
                rank=None if rank is None else rank.rank,
                rank_low=None if rank is None else rank.rank_low,
                rank_high=None if rank is None else rank.rank_high,
            )
        )
    names = [entry.dataset for entry in measurements]
    return TaskComparison(tuple(tasks), tuple(rows), correlate_tasks(names, scores), ranking.ranked_by, ranking.reason)


def correlate_tasks(tasks: Sequence[str], scores: Array) -> tuple[TaskPair, ...]:
    """Correlate the columns of scores (systems × tasks, nan = missing) by ranks, the most similar tasks first."""
    pairs = []
    for first, second in combinations(range(len(tasks)), 2):
        result = spearman(scores[:, first], scores[:, second])
        pairs.append(TaskPair(tasks[first], tasks[second], result.value, result.low, result.high, result.n))
    return tuple(sorted(pairs, key=lambda pair: -pair.value if math.isfinite(pair.value) else math.inf))


def _show(score: float, *, lower: bool) -> float:
    return -float(score) if lower else float(score)
