"""Points with their intervals, one name a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import altair as alt

from assay.report.charts.marks import TIP, of
from assay.report.drawing import Rows
from assay.report.theme import BLUE


def whiskers(rows: Rows, key: str, order: Sequence[str], title: str, **how: Any) -> Any:
    """Draw `value` with the line from `low` to `high`; `how` may hold `scale`, `colour` and `offset`."""
    scale = how.get("scale") or alt.Scale(zero=False, padding=10)
    channels: list[Any] = [alt.Y(f"{key}:N", sort=list(order), title=None), TIP]
    channels += [how[name] for name in ("colour", "offset") if how.get(name) is not None]
    axis = alt.Axis(grid=True, tickCount=5)
    ends = alt.X("low:Q", title=title, scale=scale, axis=axis), alt.X2("high:Q")
    look: Any = {} if how.get("colour") is not None else {"color": BLUE}
    lines = of([row for row in rows if row.get("low") is not None]).mark_rule(strokeWidth=2, **look)
    dots = of(rows).mark_circle(size=75, opacity=1, **look)
    return lines.encode(*ends, *channels) + dots.encode(
        alt.X("value:Q", title=title, scale=scale, axis=axis), *channels
    )
