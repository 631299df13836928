"""How much of the label's information is left once shortcuts are known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import format_interval, is_missing
from assay.report.charts.marks import ROW, TIP, names, of, sized, tipped
from assay.report.drawing import Drawing, Rows
from assay.report.shortcuts import named
from assay.report.theme import BLUE, INK, RED


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw a bar with its interval for each set of shortcuts, and the entropy of the labels as the upper bound."""
    points = tipped(
        ({**row, "shortcuts": named(row["shortcuts"])} for row in rows if not is_missing(row.get("tsi"))),
        lambda row: f"{row['shortcuts']}: {format_interval(row['tsi'], row.get('low'), row.get('high'))} nats",
    )
    if not points:
        return None
    order = names(points, "shortcuts", 16)
    entropy: Any = beside.get("entropy")
    top = max([0.0 if is_missing(entropy) else float(entropy), *(row.get("high") or row["tsi"] for row in points)])
    bottom = min(0.0, *(row.get("low") or 0.0 for row in points), 0.0)
    x = alt.X("tsi:Q", title="task-specific information (nats)", scale=alt.Scale(domain=[bottom, 1.05 * top]))
    y = alt.Y("shortcuts:N", sort=order, title=None)
    layers = of(points).mark_bar(color=BLUE, opacity=0.75, height=13, cornerRadiusEnd=2).encode(x, y, TIP)
    layers += of(points).mark_rule(color=INK, strokeWidth=2).encode(alt.X("low:Q"), alt.X2("high:Q"), y, TIP)
    if not is_missing(entropy):
        layers += of([{"h": entropy, "tip": f"entropy of the labels: {entropy:.3f} nats"}]).mark_rule(
            color=RED, strokeDash=[5, 3], strokeWidth=1.5
        ).encode(alt.X("h:Q"), TIP)  # fmt: skip
    return sized(layers, max(90, ROW * len(order)))


TSI = Drawing(
    "tsi",
    "information",
    "Information beyond shortcuts",
    "Loss on held-out items of a control model that sees only these shortcuts, less that of the full model (paper "
    "003), with the 95 % interval over items. The dashed line is the entropy of the labels: no bar can truly pass it. "
    "A short bar: the shortcuts alone tell nearly as much as the texts. It bounds the information from below, as far "
    "as the full model reaches.",
    {"shortcuts": "shortcuts known", "tsi": "TSI (nats)", "low": "low", "high": "high"},
    draw,
)
