"""Who wins an evaluation by which metric, and the comparisons of some systems in their order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assay.base.marks import NAME, OWN
from assay.evaluation.comparison.pairs import Comparison
from assay.evaluation.results import Evaluation
from assay.metrics import METRICS
from assay.views.results import Result


@dataclass(frozen=True)
class MetricWinner(Result):
    """The system that comes first by a metric."""

    metric: str = field(metadata=OWN)
    system: str = field(metadata=NAME)
    value: float


def find_winners(result: Evaluation) -> tuple[MetricWinner, ...]:
    """Return the first system by each metric; of equal ones that which is first by all metrics, if there is one."""
    firsts: dict[str, list[str]] = {}
    for metric in result.systems[0].metrics if result.systems else ():
        scores = {row.system: row.metrics[metric].value for row in result.systems}
        known = {name: value for name, value in scores.items() if math.isfinite(value)}
        if known and all(row.ranks_systems for row in METRICS.values() if row.name == metric):
            best = (min if is_lower_better(metric) else max)(known.values())
            firsts[metric] = [name for name, value in known.items() if math.isclose(value, best, rel_tol=1e-12)]
    values = {row.system: row.metrics for row in result.systems}
    everywhere = [name for name in values if firsts and all(name in names for names in firsts.values())]
    return tuple(
        MetricWinner(metric, name, values[name][metric].value)
        for metric, names in firsts.items()
        for name in (everywhere or names)[:1]
    )


def is_lower_better(name: str) -> bool:
    """Return whether the metric with a name is an error, so that lower is better.

    >>> is_lower_better("rmse"), is_lower_better("accuracy")
    (True, False)
    """
    return any(metric.lower_is_better for metric in METRICS.values() if metric.name == name)


def order_comparisons(result: Evaluation, names: Sequence[str]) -> tuple[Comparison, ...]:
    """Return the comparisons of some systems by the main metric, in the order of the names, the earlier one first."""
    places = {name: place for place, name in enumerate(names)}
    rows = [
        turn_comparison(row) if places[row.first] > places[row.second] else row
        for row in result.comparisons
        if row.metric == result.metric and row.first in places and row.second in places
    ]
    return tuple(sorted(rows, key=lambda row: (places[row.first], places[row.second])))


def turn_comparison(pair: Comparison) -> Comparison:
    """Return the same comparison seen from the other system."""
    gap = pair.difference
    return replace(
        pair,
        first=pair.second,
        second=pair.first,
        difference=replace(gap, value=-gap.value, low=-gap.high, high=-gap.low),
        only_first=pair.only_second,
        only_second=pair.only_first,
        odds=1 / pair.odds if pair.odds else math.inf,
        effect=-pair.effect,
    )
