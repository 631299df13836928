"""Tables of shortcut features: those of the registry, and columns of the user's own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from assay.base.arrays import Array
from assay.information.item_texts import ItemTexts, Sides, to_item_texts
from assay.information.shortcuts.registry import SHORTCUTS

MAX_VALUES = 50  # of a text column


def choose_shortcuts(n_sides: int) -> tuple[str, ...]:
    """Return the shortcuts of Zhu et al. (2021): punctuation and stop words, and for pairs their overlap."""
    return ("punctuation", "stop-words", "overlap")[: 1 + n_sides]


def abbreviate(names: Sequence[str]) -> str:
    """Write a set of shortcuts by their initials, columns of the user's own by their names.

    >>> abbreviate(("punctuation", "stop-words")), abbreviate(("punctuation", "author"))
    ('P+S', 'P+author')
    """
    return "+".join(name[0].upper() if name in SHORTCUTS else name for name in names)


def build_shortcut_table(
    sides: ItemTexts | Sides, names: Sequence[str], own: Mapping[str, object] | None = None
) -> dict[str, Array]:
    """Compute shortcut features, a two-dimensional array each; `own` holds the user's, one value or row per item."""
    items, columns = to_item_texts(sides), own or {}
    return {name: to_columns(columns[name]) if name in columns else SHORTCUTS[name](items) for name in names}


def to_columns(values: object) -> Array:
    """Turn a column into numbers: numbers as they are, text as indicators of its 50 most frequent values.

    >>> to_columns(["x", "y", "x"]).tolist()
    [[1.0, 0.0], [0.0, 1.0], [1.0, 0.0]]
    """
    array = np.asarray(values)
    if array.dtype.kind in "biuf":
        numbers = array.astype(np.float64)
        return np.nan_to_num(numbers.reshape(len(array), -1))
    try:
        return np.nan_to_num(array.astype(np.float64)).reshape(len(array), -1)
    except (TypeError, ValueError):
        names, counts = np.unique(array.astype(str), return_counts=True)
        frequent = names[np.lexsort((names, -counts))[:MAX_VALUES]]
        return (array.astype(str)[:, None] == frequent[None, :]).astype(np.float64)
