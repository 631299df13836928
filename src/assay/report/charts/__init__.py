"""The charts of the page, grouped by section; each registers itself under its name."""

from assay.base.lazy import import_modules
from assay.report.charts.base import CHARTS, Chart, Plot, chart

import_modules(__name__, __path__)

__all__ = ["CHARTS", "Chart", "Plot", "chart"]
