"""Whether a benchmark separates systems, from scores or from the outcomes of items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Self

import numpy as np
import polars as pl

from assay.base.errors import unknown_name
from assay.base.marks import NAME
from assay.data.left_out import LeftOut
from assay.discrimination.boards.cost import CostFront
from assay.discrimination.boards.measures import LeaderboardMeasures
from assay.discrimination.datasets import DatasetDiscrimination, measure_outcomes, measure_scores
from assay.discrimination.items.item_summary import ItemSummary, summarise_items
from assay.discrimination.lambdas.verdicts import CANNOT_TELL, DISCRIMINATES, DOES_NOT_DISCRIMINATE
from assay.discrimination.measurements import Measurement, group_by_benchmark
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.ranks.system_ranks import BenchmarkRanking, SystemRank, rank_by_outcomes, rank_by_scores
from assay.discrimination.ranks.top_systems import select_top_systems
from assay.discrimination.running import Progress, TaskRunner
from assay.discrimination.score_tables import ScoreTable
from assay.discrimination.settings import DiscriminationSettings
from assay.discrimination.subsets.benchmark_subsets import (
    DatasetSubset,
    ItemSubset,
    select_benchmark_datasets,
    select_dataset_items,
)
from assay.discrimination.subsets.proposals import propose_actions
from assay.discrimination.subsets.redundancy import add_redundancy
from assay.discrimination.subsets.selection import N_TASKS
from assay.discrimination.summary import BenchmarkSummary, MeasureCorrelation, correlate_measures, summarise_benchmark
from assay.views.blocks import Block
from assay.views.results import Result, convert_frame, keep_scalars
from assay.wording.sentences import count_noun

CLUSTERED = "Items of one group are resampled together."
ITEM_WORK = 50.0  # of resampling the items of a dataset, in units of measuring a row of scores


@dataclass(frozen=True)
class Discrimination(Result):
    """λ of every dataset, ranks of every system, items, sufficient subsets, and how the measures agree.

    `items` is None for a score table; `measures` and `cost` are there if they were requested.
    `to_frame(table="systems")` gives another table than the datasets.
    """

    _table: ClassVar[str] = "datasets"
    _tables: ClassVar[tuple[str, ...]] = ("datasets", "systems", "items", "keep", "correlations", "benchmarks")

    datasets: tuple[DatasetDiscrimination, ...]
    systems: tuple[SystemRank, ...]
    items: tuple[ItemSummary, ...] | None
    keep: tuple[ItemSubset | DatasetSubset, ...]
    correlations: tuple[MeasureCorrelation, ...]
    benchmarks: tuple[BenchmarkSummary, ...] = ()
    settings: DiscriminationSettings = field(default_factory=DiscriminationSettings)
    notes: tuple[str, ...] = field(default=(), metadata=NAME)
    measures: tuple[LeaderboardMeasures, ...] = ()
    cost: CostFront | None = None
    left_out: tuple[LeftOut, ...] = ()  # what the table or the logs have and the analysis does not use

    def to_frame(self, kind: str = "polars", table: str = "datasets") -> Any:
        """Return one of the tables as a frame of polars or pandas."""
        if table not in self._tables:
            raise unknown_name("table", table, self._tables)
        rows = [keep_scalars(row.to_dict()) for row in getattr(self, table) or ()]
        return convert_frame(pl.DataFrame(rows, infer_schema_length=None), kind)

    def blocks(self) -> Iterator[Block]:
        """Yield datasets, ranks, items and measures, and the verdict."""
        from assay.discrimination.view import show_discrimination

        yield from show_discrimination(self)

    def find_ranked(self) -> dict[str, list[SystemRank]]:
        """Return the systems of each benchmark whose possible ranks are known, the best first."""
        ranked: dict[str, list[SystemRank]] = {}
        for row in self.systems:
            if row.rank_low is not None:
                ranked.setdefault(row.benchmark, []).append(row)
        return ranked

    def count_datasets(self, benchmark: str) -> int:
        """Count the datasets of a benchmark, each once whatever its metrics."""
        return len({row.dataset for row in self.datasets if row.benchmark == benchmark})

    def limit_ids(self, n: int) -> Self:
        """Return the result with at most n ids in each list of items; counts stay."""
        items = self.items and tuple(
            replace(
                row, **{name: getattr(row, name)[:n] for name in ("all_right", "all_wrong", "all_same", "backwards")}
            )
            for row in self.items
        )
        keep = tuple(replace(row, chosen=row.chosen[:n]) if row.what == "items" else row for row in self.keep)
        return replace(self, items=items, keep=keep)

    def __repr__(self) -> str:
        n_systems = len({row.system for row in self.systems})
        sizes = f"{count_noun(len(self.datasets), 'dataset')}, {count_noun(n_systems, 'ranked system')}"
        verdicts = [row.verdict for row in self.datasets]
        counts = {name: verdicts.count(name) for name in (DISCRIMINATES, DOES_NOT_DISCRIMINATE, CANNOT_TELL)}
        parts = [f"{n} {name}" for name, n in counts.items() if n]
        return f"Discrimination({sizes}: {', '.join(parts)})" if parts else f"Discrimination({sizes})"


def discriminate_scores(
    scores: ScoreTable,
    settings: DiscriminationSettings | None = None,
    *,
    n_jobs: int = 1,
    backend: str | None = None,
    progress: Progress | None = None,
) -> Discrimination:
    """Measure every dataset of a score table, rank the systems of every benchmark, and select sufficient datasets.

    `n_jobs` and `backend` run the parts in parallel with the same results (see `assay.tasks`); `progress` is called
    with the step that starts and the share of the tasks that are done.
    """
    settings = settings or DiscriminationSettings()
    benchmarks = group_by_benchmark(scores.measurements)
    runner = TaskRunner(n_jobs, backend, progress, _expect_work(scores.measurements, len(benchmarks)))
    arguments = [
        (top, measurement, settings)
        for measurements in benchmarks.values()
        for top, measurement in zip(_select_top(measurements, settings), measurements, strict=True)
    ]
    rows = runner.run("datasets", measure_scores, arguments)
    ranked = [(name, measurements, settings) for name, measurements in benchmarks.items()]
    rankings = runner.run("ranks", rank_by_scores, ranked)
    result = _collect(list(benchmarks.values()), rows, rankings, settings, runner, notes=scores.notes)
    return replace(result, left_out=scores.left_out)


def discriminate_outcomes(
    outcomes: Sequence[Outcomes],
    settings: DiscriminationSettings | None = None,
    *,
    n_jobs: int = 1,
    backend: str | None = None,
    progress: Progress | None = None,
) -> Discrimination:
    """Measure every dataset from its items, with intervals; rank systems over items, datasets or both.

    `n_jobs`, `backend` and `progress` as in `discriminate_scores`.
    """
    settings = settings or DiscriminationSettings()
    names = dict.fromkeys(entry.benchmark for entry in outcomes)
    groups = {name: [entry for entry in outcomes if entry.benchmark == name] for name in names}
    measurements = [[entry.measure() for entry in group] for group in groups.values()]
    item_work = 3 * ITEM_WORK * len(outcomes)
    runner = TaskRunner(n_jobs, backend, progress, _expect_work(outcomes, len(groups)) + item_work)
    arguments = [
        (entry, top, measurement, settings)
        for group, measured in zip(groups.values(), measurements, strict=True)
        for entry, top, measurement in zip(group, _select_top(measured, settings), measured, strict=True)
    ]
    rows = runner.run("datasets", measure_outcomes, arguments, work=ITEM_WORK)
    rankings = runner.run("ranks", rank_by_outcomes, [(name, group, settings) for name, group in groups.items()])
    ordered = [(entry, settings) for group in groups.values() for entry in group]
    items = runner.run("items", summarise_items, ordered, work=ITEM_WORK)
    subsets = runner.run("subsets", select_dataset_items, ordered, work=ITEM_WORK)
    notes = tuple(dict.fromkeys(note for entry in outcomes for note in entry.notes))
    if any(entry.choose_units(settings.clustered) is not None for entry in outcomes):
        notes += (CLUSTERED,)
    return _collect(measurements, rows, rankings, settings, runner, tuple(items), subsets, notes)


def _expect_work(datasets: Sequence[object], n_benchmarks: int) -> int:
    """Return the work of datasets, ranks, redundancy and subsets, in units of one measured row of scores."""
    return (1 + N_TASKS) * len(datasets) + 2 * n_benchmarks


def _select_top(measurements: list[Measurement], settings: DiscriminationSettings) -> list[Measurement]:
    return select_top_systems(measurements, settings.top, settings.top_by)


def _collect(
    measurements: list[list[Measurement]],
    rows: list[DatasetDiscrimination],
    rankings: list[BenchmarkRanking],
    settings: DiscriminationSettings,
    runner: TaskRunner,
    items: tuple[ItemSummary, ...] | None = None,
    item_subsets: Sequence[ItemSubset] = (),
    notes: tuple[str, ...] = (),
) -> Discrimination:
    """Add redundancy and sufficient subsets to the rows of every benchmark and put everything together."""
    ends = np.cumsum([len(group) for group in measurements], dtype=int)
    parts = [(rows[end - len(group) : end], group) for group, end in zip(measurements, ends, strict=True)]
    datasets = runner.run("redundancy", add_redundancy, parts)
    subsets: list[ItemSubset | DatasetSubset] = []
    benchmarks: list[BenchmarkSummary] = []
    correlations: list[MeasureCorrelation] = []
    for group, ranking, chosen in zip(measurements, rankings, datasets, strict=True):
        name = group[0].benchmark
        subset = select_benchmark_datasets(name, group, settings, runner)
        subsets += [subset, *(row for row in item_subsets if row.benchmark == name)]
        benchmarks.append(summarise_benchmark(name, chosen, ranking, subset))
        correlations += correlate_measures(chosen, name)
    runner.finish()
    every_dataset = propose_actions(row for chosen in datasets for row in chosen)
    return Discrimination(
        datasets=every_dataset,
        systems=tuple(system for ranking in rankings for system in ranking.systems),
        items=items,
        keep=tuple(subsets),
        correlations=(*(correlate_measures(every_dataset, "all") if len(benchmarks) > 1 else ()), *correlations),
        benchmarks=tuple(benchmarks),
        settings=settings,
        notes=notes,
    )
