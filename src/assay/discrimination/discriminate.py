"""Everything about a benchmark's power to tell systems apart, from scores or from items."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from assay.base.results import Result
from assay.discrimination.datasets import outcome_row, score_row
from assay.discrimination.keep import Keep, keep_datasets, keep_items
from assay.discrimination.measurement import Measurement, by_benchmark, score_table
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.redundancy import redundancy
from assay.discrimination.scores import Scores
from assay.discrimination.summary import correlations, items_summary, summary
from assay.discrimination.systems import item_systems, score_systems
from assay.discrimination.top import top_systems


@dataclass(frozen=True)
class Discrimination(Result):
    """λ of every dataset, ranks of every system, items, what to keep, and how the measures agree."""

    _table: ClassVar[str] = "datasets"

    datasets: list[dict[str, Any]]
    systems: list[dict[str, Any]]
    items: list[dict[str, Any]] | None
    keep: list[dict[str, Any]]
    correlations: list[dict[str, Any]]
    benchmarks: list[dict[str, Any]] = field(default_factory=list)
    settings: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Demands:
    """What to look at: the top k and by what rule, how to aggregate and what to draw anew."""

    top: int | None = None
    top_by: str = "dataset"
    aggregate: str = "mean"
    over: str | None = None
    resampling: str = "bootstrap"
    share: float = 0.8
    n_resamples: int = 1000
    clustered: bool = False
    random_state: int = 0


def discriminate_scores(scores: Scores, demands: Demands | None = None) -> Discrimination:
    """Measure every dataset of a score table, rank the systems of every benchmark, and say what to keep."""
    asked = demands or Demands()
    datasets, systems, keep, benchmarks = [], [], [], []
    for name, measurements in by_benchmark(scores.measurements).items():
        tops = top_systems(measurements, asked.top, asked.top_by)
        pairs = zip(tops, measurements, strict=True)
        rows = [score_row(top, one, asked.n_resamples, asked.random_state) for top, one in pairs]
        _add_redundancy(rows, measurements)
        ranked = score_systems(name, measurements, asked)
        kept = _keep_row(name, "datasets", measurements, asked)
        datasets += rows
        systems += ranked.rows
        keep.append(kept)
        benchmarks.append(summary(name, rows, ranked, kept))
    agreement = correlations(datasets, "all") + [row for one in benchmarks for row in one.pop("correlations")]
    return Discrimination(datasets, systems, None, keep, agreement, benchmarks, vars(asked).copy(), list(scores.notes))


def discriminate_outcomes(outcomes: list[Outcomes], demands: Demands | None = None) -> Discrimination:
    """Measure every dataset from its items, with intervals; rank systems over items, datasets or both."""
    asked = demands or Demands()
    datasets, systems, keep, items, benchmarks = [], [], [], [], []
    for name in dict.fromkeys(one.benchmark for one in outcomes):
        chosen = [one for one in outcomes if one.benchmark == name]
        measurements = [one.measurement() for one in chosen]
        tops = top_systems(measurements, asked.top, asked.top_by)
        rows = _outcome_rows(chosen, tops, measurements, asked)
        _add_redundancy(rows, measurements)
        ranked = item_systems(name, chosen, asked)
        kept = _keep_row(name, "datasets", measurements, asked)
        datasets += rows
        systems += ranked.rows
        items += [items_summary(one, asked) for one in chosen]
        keep += [kept] + [_keep_items_row(one, asked) for one in chosen]
        benchmarks.append(summary(name, rows, ranked, kept))
    agreement = correlations(datasets, "all") + [row for one in benchmarks for row in one.pop("correlations")]
    notes = list(dict.fromkeys(note for one in outcomes for note in one.notes))
    return Discrimination(datasets, systems, items, keep, agreement, benchmarks, vars(asked).copy(), notes)


def _outcome_rows(
    chosen: list[Outcomes], tops: list[Measurement], measurements: list[Measurement], asked: Demands
) -> list[dict[str, Any]]:
    names = ("resampling", "share", "n_resamples", "random_state")
    options = {name: getattr(asked, name) for name in names}
    together = zip(chosen, tops, measurements, strict=True)
    return [
        outcome_row(one, top, whole, options, one.groups if asked.clustered else None) for one, top, whole in together
    ]


def _add_redundancy(rows: list[dict[str, Any]], measurements: list[Measurement]) -> None:
    _, table = score_table(measurements)
    found = redundancy(table)
    for number, row in enumerate(rows):
        nearest = int(found.nearest[number])
        row["redundancy"] = float(found.r_squared[number])
        row["nearest"] = None if nearest < 0 else _named(measurements[nearest])
        row["nearest_correlation"] = float(found.nearest_correlation[number])


def _named(one: Measurement) -> str:
    return f"{one.dataset} ({one.metric})"


def _keep_row(name: str, what: str, measurements: list[Measurement], asked: Demands) -> dict[str, Any]:
    _, table = score_table(measurements)
    found = keep_datasets(table, random_state=asked.random_state)
    chosen = [_named(measurements[column]) for column in found.chosen]
    return _as_row(name, what, found) | {"chosen": chosen}


def _keep_items_row(one: Outcomes, asked: Demands) -> dict[str, Any]:
    table = np.asarray(one.table)
    found = keep_items(table, random_state=asked.random_state)
    return _as_row(one.benchmark, "items", found) | {
        "dataset": one.dataset,
        "metric": one.metric,
        "chosen": one.named(found.chosen),
    }


def _as_row(name: str, what: str, found: Keep) -> dict[str, Any]:
    return {
        "benchmark": name,
        "what": what,
        "size": found.size,
        "of": found.n_columns,
        "agreement": None if math.isnan(found.agreement) else found.agreement,
        "threshold": found.threshold,
        "n_systems": found.n_systems,
        "front": found.front,
        "reason": found.reason,
    }
