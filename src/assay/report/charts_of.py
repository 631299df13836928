"""The charts of an audit, rendered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from assay.report.drawing import Drawing


@dataclass(frozen=True)
class Figure:
    """A chart that was drawn: its kind, its points, the SVG file (empty where the renderer failed)."""

    drawing: Drawing
    rows: list[dict[str, Any]]
    svg: str


def charts_of(audit: Mapping[str, Any], *, private: bool = False) -> Iterator[Figure]:
    """Draw every chart whose data is there; private pages leave out those that show words of the texts."""
    from assay.report.charts import CHARTS
    from assay.report.svg import rendered

    for drawing in CHARTS.values():
        if private and drawing.words_of_texts:
            continue
        chart = drawing.chart(audit)
        if chart is not None:
            try:
                drawn = rendered(chart)
            except ValueError:  # the page says so in the chart's place, above its numbers
                drawn = ""
            yield Figure(drawing, drawing.rows(audit), drawn)
