"""How long the texts of each label are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.report.charts.histogram import outline
from assay.report.drawing import Drawing, Rows


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw the distribution of lengths by label."""
    del beside
    return outline(rows, "words in a text")


LENGTH_HISTOGRAM = Drawing(
    "length_histogram",
    "profile",
    "Lengths",
    "Words of each text, both sides of a pair together. The last bin holds everything beyond the 99th percentile. "
    "Shares are of each label's own items, so that rare labels compare with common ones. Counts are exact.",
    {"label": "label", "low": "from", "high": "to", "count": "items"},
    draw,
)
