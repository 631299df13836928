"""λ foretold from the data alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import is_missing
from assay.report.charts.lambdas import MEASURES, panel
from assay.report.drawing import Drawing, Rows


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw the foretold value and its interval for each measure."""
    del beside
    whole = [
        {**row, "dataset": "forecast", "low": row.get("low"), "high": row.get("high")}
        for row in rows
        if not is_missing(row.get("value"))
    ]
    panels = [
        made for name in MEASURES if (made := panel(name, [r for r in whole if r["measure"] == name])) is not None
    ]
    return alt.vconcat(*panels, spacing=12) if panels else None


FORECAST = Drawing(
    "forecast",
    "forecast",
    "λ foretold from the data alone",
    "A regression from the features of the data to λ, learnt on datasets whose λ is known (paper 000, section 5), with "
    "its prediction interval (80 %: four of five datasets of kinds it has not seen). Dashed: the paper's thresholds.",
    {"measure": "measure", "value": "foretold", "low": "low", "high": "high"},
    draw,
)
