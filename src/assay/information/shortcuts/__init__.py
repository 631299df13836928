"""Shortcut features: what can be read off a text without understanding it (paper 003)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from assay.base.registry import Registry
from assay.information.shortcuts.length import length
from assay.information.shortcuts.overlap import overlap
from assay.information.shortcuts.punctuation import punctuation
from assay.information.shortcuts.stop_words import stop_words

Shortcut = Callable[..., NDArray[np.float64]]

SHORTCUTS: Registry[Shortcut] = Registry(
    "shortcut",
    {"punctuation": punctuation, "stop-words": stop_words, "overlap": overlap, "length": length},
)
LETTERS = {"punctuation": "P", "stop-words": "S", "overlap": "O", "length": "L"}

__all__ = ["LETTERS", "SHORTCUTS", "Shortcut", "code", "shortcut_table"]


def code(names: tuple[str, ...]) -> str:
    """Write a set of shortcuts as the paper does.

    >>> code(("punctuation", "stop-words")), code(("punctuation", "author"))
    ('P+S', 'P+author')
    """
    return "+".join(LETTERS.get(name, name) for name in names)


def shortcut_table(
    sides: tuple[Any, ...], names: tuple[str, ...], own: dict[str, Any] | None = None
) -> dict[str, NDArray[np.float64]]:
    """Compute shortcut features, a two-dimensional array each; `own` holds the user's, one value or row an item.

    Text columns of the user's become indicators of their commonest 50 values.
    """
    given = own or {}
    return {name: as_columns(given[name]) if name in given else SHORTCUTS[name](*sides) for name in names}


def as_columns(values: Any) -> NDArray[np.float64]:
    """Turn a user's column into numbers: as they are, or one indicator a frequent value."""
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        numbers = array.astype(np.float64)
        return np.nan_to_num(numbers.reshape(len(array), -1))
    try:
        return np.nan_to_num(array.astype(np.float64)).reshape(len(array), -1)
    except (TypeError, ValueError):
        names, counts = np.unique(array.astype(str), return_counts=True)
        kept = names[np.lexsort((names, -counts))[:50]]
        return (array.astype(str)[:, None] == kept[None, :]).astype(np.float64)
