"""Data that a function takes: a `Dataset`, or whatever one is read from."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from assay.base.errors import UsageError, join_names
from assay.kinds.arguments import DataSource, select_reading
from assay.kinds.reading import read

if TYPE_CHECKING:
    from assay.data import Dataset


def take_data(data: DataSource | None, options: Mapping[str, object] = MappingProxyType({})) -> Dataset:
    """Return data that is read already, or read it; `options` may contain arguments of `assay.read`.

    >>> take_data({"text": ["a", "b"], "label": ["x", "y"]}, {"label": "label", "id": None})
    Dataset 'data': 2 items, classification, 2 labels
    """
    from assay.data import Dataset

    reading = select_reading(options)
    if not isinstance(data, Dataset):
        return read(data, **reading)
    if reading:
        raise UsageError(f"{join_names(reading, 6)} cannot be given for a Dataset, whose columns are already chosen.")
    return data


def find_data(data: DataSource | None, options: Mapping[str, object]) -> Dataset | None:
    """Return data as `take_data` does; None if there is none, and nothing says how to read it."""
    return None if data is None and not select_reading(options) else take_data(data, options)
