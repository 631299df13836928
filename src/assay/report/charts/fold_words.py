"""The words that go with each fold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.report.charts.words import panels
from assay.report.drawing import Drawing, Rows


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw a small panel for each fold of each split with its words."""
    del beside
    named = [{**row, "where": f"{row.get('split', '')} {row['fold']}".strip()} for row in rows]
    return panels(named, "where", "word")


FOLD_WORDS = Drawing(
    "fold_words",
    "splits",
    "Words tied to folds",
    "The same z as for labels, of a fold against the rest, and the same bar against chance: folds dealt at random have "
    "next to none here. Folds with words of their own ask a model to generalise to topics it has not seen.",
    {"split": "split", "fold": "fold", "word": "word", "z": "z", "count": "count"},
    draw,
    words_of_texts=True,
)
