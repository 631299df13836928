"""The datasets of a benchmark, or the items of a dataset, that suffice for its ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

import polars as pl

from assay.base.marks import NAME, OWN
from assay.discrimination.measurements import Measurement, tabulate_by_name
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.running import TaskRunner
from assay.discrimination.settings import DiscriminationSettings
from assay.discrimination.subsets.selection import (
    SubsetSelection,
    SubsetSize,
    select_datasets,
    select_items,
    tabulate_front,
)
from assay.views.results import Result


@dataclass(frozen=True)
class _Subset(Result):
    benchmark: str = field(metadata=NAME)
    what: Literal["datasets", "items"]
    size: int | None
    of: int
    agreement: float
    threshold: float
    n_systems: int
    front: tuple[SubsetSize, ...]
    reason: str | None = field(metadata=OWN)

    def _frame(self) -> pl.DataFrame:
        """Return the front, one row per size."""
        return tabulate_front(self.front)


@dataclass(frozen=True)
class DatasetSubset(_Subset):
    """The smallest subset of the datasets of a benchmark that keeps its ranking; `size` None if none does."""

    what: Literal["datasets"]
    chosen: tuple[str, ...] = field(metadata=NAME)


@dataclass(frozen=True)
class ItemSubset(_Subset):
    """The smallest subset of the items of a dataset that keeps its ranking; `size` None if none does."""

    what: Literal["items"]
    dataset: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    chosen: tuple[str | int, ...] = field(metadata=NAME)


def select_benchmark_datasets(
    benchmark: str,
    measurements: Sequence[Measurement],
    settings: DiscriminationSettings,
    runner: TaskRunner | None = None,
) -> DatasetSubset:
    """Select the fewest measurements of a benchmark that keep its ranking, whatever the order of rows in their table."""
    ordered, _, table = tabulate_by_name(measurements)
    selection = select_datasets(table, random_state=settings.random_state, runner=runner)
    chosen = tuple(ordered[column].title for column in selection.chosen)
    return DatasetSubset(benchmark, "datasets", *_list_numbers(selection), chosen)


def select_dataset_items(outcomes: Outcomes, settings: DiscriminationSettings) -> ItemSubset:
    """Select the fewest items of a dataset that keep its ranking."""
    selection = select_items(outcomes.table, random_state=settings.random_state)
    chosen = outcomes.name_items(selection.chosen)
    names = (outcomes.dataset, outcomes.metric)
    return ItemSubset(outcomes.benchmark, "items", *_list_numbers(selection), *names, chosen)


def _list_numbers(
    row: SubsetSelection,
) -> tuple[int | None, int, float, float, int, tuple[SubsetSize, ...], str | None]:
    return row.size, row.n_columns, row.agreement, row.threshold, row.n_systems, row.front, row.reason
