"""How many items of each part have each label."""

from __future__ import annotations

from dataclasses import dataclass, field

import polars as pl

from assay.base.marks import NAME
from assay.data import Dataset
from assay.features.profiling.overlaps import fill_parts
from assay.kinds import kind_of
from assay.views.results import Result


@dataclass(frozen=True)
class PartLabelCount(Result):
    """How many items of a part have a label."""

    label: str = field(metadata=NAME)
    part: str = field(metadata=NAME)
    count: int


def count_labels_by_part(data: Dataset) -> tuple[PartLabelCount, ...]:
    """Count labels by part; nothing without labels."""
    if data.labels is None:
        return ()
    return _count(pl.DataFrame({"label": data.labels, "part": fill_parts(data)}))


def count_label_sets_by_part(data: Dataset) -> tuple[PartLabelCount, ...]:
    """Count the items with each label by part, if an item can have several."""
    sets = kind_of(data).gold.get_label_sets(data)
    if sets is None:
        return ()
    labels = [sorted(set(labels or ())) for labels in sets]
    table = pl.DataFrame({"label": labels, "part": fill_parts(data)}, schema_overrides={"label": pl.List(pl.String)})
    return _count(table.explode("label"))


def _count(table: pl.DataFrame) -> tuple[PartLabelCount, ...]:
    counts = table.drop_nulls("label").group_by("label", "part").len("count").sort("label", "part")
    return tuple(PartLabelCount(*row) for row in counts.iter_rows())
