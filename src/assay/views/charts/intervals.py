"""Points with intervals, one row each, next to a line to compare them with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import altair as alt

from assay.views.charts.base import ROW_HEIGHT, TOOLTIP, Plot, set_size, start_chart
from assay.views.theme import CATEGORIES, GREY


@dataclass(frozen=True)
class IntervalPoint:
    """A value with its interval; `line` is the same for all points, None if there is nothing to compare with."""

    name: str
    value: float
    low: float
    high: float
    line: float | None
    tooltip: str


def draw_intervals(points: Sequence[IntervalPoint], title: str | list[str], *, from_zero: bool = True) -> Plot | None:
    """Draw a dot with its interval for every point, and a dashed line."""
    if not points:
        return None
    y = alt.Y("name:N", sort=[point.name for point in points], title=None)
    base = start_chart(points)
    x = alt.X("low:Q", title=title) if from_zero else alt.X("low:Q", title=title, scale=alt.Scale(zero=False))
    bars = base.mark_rule(color=CATEGORIES[0], strokeWidth=3).encode(y=y, x=x, x2="high:Q")
    dots = base.mark_circle(color=CATEGORIES[0], size=70, opacity=1).encode(y=y, x="value:Q", description=TOOLTIP)
    layers = [bars, dots]
    if points[0].line is not None:
        layers.append(base.mark_rule(color=GREY, strokeDash=[4, 3]).encode(x="line:Q"))
    return Plot(points, set_size(alt.layer(*layers), ROW_HEIGHT * (len(points) + 1)))
