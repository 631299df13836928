"""The datasets of a benchmark, or the items of a dataset, that suffice for its ranking."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from assay.base.marks import NAME, OWN
from assay.discrimination.measurements import Measurement, tabulate_by_name
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.running import TaskRunner
from assay.discrimination.settings import DiscriminationSettings
from assay.discrimination.subsets.selection import SubsetSize, select_datasets, select_items, tabulate_front
from assay.views.results import Result

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True)
class DatasetSubset(Result):
    """The smallest subset of the datasets of a benchmark that keeps its ranking; `size` None if none does."""

    benchmark: str = field(metadata=NAME)
    what: Literal["datasets"]
    size: int | None
    of: int
    agreement: float
    threshold: float
    n_systems: int
    front: tuple[SubsetSize, ...]
    reason: str | None = field(metadata=OWN)
    chosen: tuple[str, ...] = field(metadata=NAME)

    def _frame(self) -> pl.DataFrame:
        """Return the front, one row per size."""
        return tabulate_front(self.front)


@dataclass(frozen=True)
class ItemSubset(Result):
    """The smallest subset of the items of a dataset that keeps its ranking; `size` None if none does."""

    benchmark: str = field(metadata=NAME)
    what: Literal["items"]
    size: int | None
    of: int
    agreement: float
    threshold: float
    n_systems: int
    front: tuple[SubsetSize, ...]
    reason: str | None = field(metadata=OWN)
    dataset: str = field(metadata=NAME)
    metric: str = field(metadata=NAME)
    chosen: tuple[str | int, ...] = field(metadata=NAME)

    def _frame(self) -> pl.DataFrame:
        """Return the front, one row per size."""
        return tabulate_front(self.front)


def select_benchmark_datasets(
    benchmark: str,
    measurements: Sequence[Measurement],
    settings: DiscriminationSettings,
    runner: TaskRunner | None = None,
) -> DatasetSubset:
    """Select the fewest measurements of a benchmark that keep its ranking, whatever the order of rows in their table."""
    ordered, _, table = tabulate_by_name(measurements)
    selection = select_datasets(table, random_state=settings.random_state, runner=runner)
    return DatasetSubset(
        benchmark=benchmark,
        what="datasets",
        size=selection.size,
        of=selection.n_columns,
        agreement=selection.agreement,
        threshold=selection.threshold,
        n_systems=selection.n_systems,
        front=selection.front,
        reason=selection.reason,
        chosen=tuple(ordered[column].title for column in selection.chosen),
    )


def select_dataset_items(outcomes: Outcomes, settings: DiscriminationSettings) -> ItemSubset:
    """Select the fewest items of a dataset that keep its ranking."""
    selection = select_items(outcomes.table, random_state=settings.random_state)
    return ItemSubset(
        benchmark=outcomes.benchmark,
        what="items",
        size=selection.size,
        of=selection.n_columns,
        agreement=selection.agreement,
        threshold=selection.threshold,
        n_systems=selection.n_systems,
        front=selection.front,
        reason=selection.reason,
        dataset=outcomes.dataset,
        metric=outcomes.metric,
        chosen=outcomes.name_items(selection.chosen),
    )
