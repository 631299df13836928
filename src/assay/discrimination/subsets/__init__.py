"""Which datasets and items are needed: redundancy, the smallest subset that keeps the ranking, proposals."""

from assay.discrimination.subsets.benchmark_subsets import (
    DatasetSubset,
    ItemSubset,
    select_benchmark_datasets,
    select_dataset_items,
)
from assay.discrimination.subsets.proposals import is_crowded, propose_actions
from assay.discrimination.subsets.redundancy import Redundancy, measure_redundancy

__all__ = [
    "DatasetSubset",
    "ItemSubset",
    "Redundancy",
    "is_crowded",
    "measure_redundancy",
    "propose_actions",
    "select_benchmark_datasets",
    "select_dataset_items",
]
