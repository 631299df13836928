"""How far the two sides of a pair, or a text and its nearest neighbours, lie apart, by label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.report.charts.histogram import outline
from assay.report.drawing import Drawing, Rows


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw the distribution of divergence by label."""
    del beside
    single = any(row["low"] < 0 for row in rows)  # of one text, the distance to its own label less that to another
    return outline(rows, "own label far (1), another far (−1)" if single else "divergence (0 = same words)")


DIVERGENCE_HISTOGRAM = Drawing(
    "divergence_histogram",
    "difficulty",
    "Divergence by label",
    "For pairs: the Jensen–Shannon divergence (base 2) of the word frequencies of the two sides (paper 002). For "
    "single texts: how much nearer the nearest training text of another label lies than that of the own one. Where the "
    "labels' outlines lie apart, words alone give the answer away. Counts are exact.",
    {"label": "label", "low": "from", "high": "to", "count": "items"},
    draw,
)
