"""The Pareto front of what was analysed: a score table with costs, or the outcomes of items with theirs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from assay.base.errors import UsageError
from assay.discrimination.boards.cost import CostFront, measure_cost_front
from assay.discrimination.boards.cost_tables import CostTable, find_item_costs, find_system_costs
from assay.discrimination.measurements import Measurement, group_by_benchmark, share_one_scale
from assay.discrimination.outcomes import Outcomes


def find_score_front(measurements: Sequence[Measurement], costs: CostTable) -> CostFront:
    """Return the front of a score table of one benchmark: the mean score of systems that have all of them."""
    benchmarks = group_by_benchmark(measurements)
    if len(benchmarks) > 1 or not share_one_scale(measurements):
        raise UsageError("needs scores of one benchmark on one scale.", option="cost")
    names = dict.fromkeys(system for row in measurements for system in row.systems)
    scores: dict[str, list[float]] = {name: [] for name in names}
    for row in measurements:
        for system, score in zip(row.systems, row.scores.tolist(), strict=True):
            scores[system].append(score)
    complete = [name for name, values in scores.items() if len(values) == len(measurements)]
    prices, unit = find_system_costs(costs, complete)
    means = np.array([np.mean(scores[name]) for name in complete])
    return measure_cost_front(complete, means, prices, lower_is_better=measurements[0].lower_is_better, unit=unit)


def find_item_front(outcomes: Sequence[Outcomes], costs: CostTable, random_state: int = 0) -> CostFront:
    """Return the front of one dataset from the outcomes and costs of its items."""
    if len(outcomes) != 1 or outcomes[0].sums is not None:
        raise UsageError("needs the items of one dataset, and a metric that is a mean over them.", option="cost")
    entry = outcomes[0]
    prices, unit = find_item_costs(costs, entry)
    return measure_cost_front(
        entry.systems,
        entry.table * entry.scale,
        prices,
        groups=entry.choose_units(None),
        lower_is_better=entry.lower_is_better,
        unit=unit,
        random_state=random_state,
    )
