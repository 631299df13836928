"""Charts: where their points come from, how they are drawn, and the marks that several of them share."""

from assay.views.charts.base import CHARTS, Chart, Plot, chart

__all__ = ["CHARTS", "Chart", "Plot", "chart"]
