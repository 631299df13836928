"""Points with their intervals, one name per row."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import altair as alt

from assay.views.charts.base import TOOLTIP, start_chart
from assay.views.theme import BLUE


def draw_whiskers(
    points: Sequence[Any],
    name_field: str,
    order: Sequence[str],
    title: str | Sequence[str],
    *,
    scale: alt.Scale | None = None,
    color: Any = None,
    offset: Any = None,
) -> Any:
    """Draw `value` with a line from `low` to `high` for each name."""
    scale = scale or alt.Scale(zero=False, padding=10)
    channels = [alt.Y(f"{name_field}:N", sort=list(order), title=None), TOOLTIP]
    channels += [channel for channel in (color, offset) if channel is not None]
    axis = alt.Axis(grid=True, tickCount=5)
    ends = alt.X("low:Q", title=title, scale=scale, axis=axis), alt.X2("high:Q")
    style: Any = {} if color is not None else {"color": BLUE}
    with_interval = [point for point in points if point.low is not None and math.isfinite(point.low)]
    lines = start_chart(with_interval).mark_rule(strokeWidth=2, **style)
    dots = start_chart(points).mark_circle(size=75, opacity=1, **style)
    value = alt.X("value:Q", title=title, scale=scale, axis=axis)
    return lines.encode(*ends, *channels) + dots.encode(value, *channels)
