"""The first systems of an evaluation: who wins by which metric, and which difference of the first two would show."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assay.base.marks import NAME, OWN
from assay.evaluation.comparison.pairs import Comparison
from assay.evaluation.results import Evaluation
from assay.views.results import Result


@dataclass(frozen=True)
class MetricWinner(Result):
    """The system that comes first by a metric."""

    metric: str = field(metadata=OWN)
    system: str = field(metadata=NAME)
    value: float


@dataclass(frozen=True)
class SmallestDifference(Result):
    """The smallest true difference of the first two systems that these items detect with 80% power.

    For a single system it is that to another one with errors of its own, and `gap`, the difference of the first two
    systems, is nan. With `has_shares` scores are from 0 to 1, so that differences are points of 100.
    """

    value: float
    gap: float
    n_items: int
    has_shares: bool = True


def find_smallest_difference(
    result: Evaluation, n_items: int | None = None, *, has_shares: bool = True
) -> SmallestDifference:
    """Return the smallest difference that the first two systems need to be distinguished, and their difference."""
    n_items = result.n_items if n_items is None else n_items
    ranked = sorted((row for row in result.systems if math.isfinite(row.value)), key=lambda row: row.rank)[:2]
    if len(ranked) < 2:
        return SmallestDifference(result.detectable, math.nan, n_items, has_shares)
    names = {row.system for row in ranked}
    pairs = [row for row in result.comparisons if {row.first, row.second} == names and row.metric == result.metric]
    detectable = pairs[0].detectable if pairs else result.detectable
    return SmallestDifference(detectable, abs(ranked[0].value - ranked[1].value), n_items, has_shares)


def find_winners(result: Evaluation) -> tuple[MetricWinner, ...]:
    """Return the first system by each metric."""
    winners = []
    for metric in result.systems[0].metrics if result.systems else ():
        scores = {row.system: row.metrics[metric].value for row in result.systems}
        known = {name: value for name, value in scores.items() if math.isfinite(value)}
        if known:
            best = max(known, key=lambda name: known[name])
            winners.append(MetricWinner(metric, best, known[best]))
    return tuple(winners)


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
    return replace(
        pair,
        first=pair.second,
        second=pair.first,
        difference=-pair.difference,
        low=-pair.high,
        high=-pair.low,
        only_first=pair.only_second,
        only_second=pair.only_first,
        odds=1 / pair.odds if pair.odds else math.inf,
        effect=-pair.effect,
    )
