"""The charts of an audit, rendered."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from assay.audits import Audit
from assay.base.marks import make_text_visible
from assay.checks import load_charts
from assay.views.charts import CHARTS, Chart


@dataclass(frozen=True)
class DrawnChart:
    """A drawn chart: its kind, its points, and the SVG file (empty if the renderer failed)."""

    chart: Chart
    points: Sequence[Any]
    svg: str


def draw_charts(audit: Audit, sections: Sequence[str] | None = None) -> Iterator[DrawnChart]:
    """Draw every chart of some sections (all by default) that has evidence; private audits leave out charts of words."""
    from assay.report.svg import render_svg

    load_charts()
    measured = audit.evidence
    for chart in CHARTS.values():
        if (audit.settings.private and chart.shows_words) or (sections is not None and chart.section not in sections):
            continue
        plot = chart.plot(make_text_visible(measured.results.get(chart.section)))
        if plot is not None:
            try:
                svg = render_svg(plot.figure)
            except ValueError:  # the page says so in the chart's place, above its numbers
                svg = ""
            yield DrawnChart(chart, plot.points, svg)
