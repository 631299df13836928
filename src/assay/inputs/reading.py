"""Data that a function takes: a `Dataset`, or whatever one is read from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from assay.base.errors import UsageError, join_names

if TYPE_CHECKING:
    from assay.data import Dataset


def take_data(data: Any, **roles: Any) -> Dataset | None:
    """Return data as a `Dataset`, read with the roles that are not None; None if there is no data.

    >>> take_data({"text": ["a", "b"], "label": ["x", "y"]}, label="label", id=None)
    Dataset 'data': 2 items, classification, 2 labels
    """
    from assay.data import Dataset
    from assay.kinds import read

    named = {role: column for role, column in roles.items() if column is not None}
    if data is not None and not isinstance(data, Dataset):
        return read(data, **named)
    if named:
        fact = f"Columns ({join_names(named, 6)}) can be named only for data that is read here."
        raise UsageError(fact, hint="Give its source as {data}.")
    return data
