"""Systems on obvious and on non-obvious items."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import format_interval
from assay.report.charts.marks import names, sized, tipped, within
from assay.report.charts.whiskers import whiskers
from assay.report.drawing import Drawing, Rows
from assay.report.theme import BLUE, ORANGE

KINDS = ("obvious", "non-obvious")


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw two points a system with their intervals; the best on non-obvious items first."""
    del beside
    metric = "f1" if rows[0].get("f1") is not None else "accuracy"
    whole = [{**row, "value": row[metric]} for row in rows if row.get(metric) is not None]
    hard = {str(row["system"]): row["value"] for row in whole if row["case_group"] == "non-obvious"}
    order = sorted(names(whole, "system", 200), key=lambda name: -hard.get(name, 0))[:24]
    points = tipped(
        within(whole, "system", order),
        lambda row: (
            f"{row['system']}, {row['case_group']}: {format_interval(row['value'], row.get('low'), row.get('high'))}"
        ),
    )
    scale = alt.Scale(domain=list(KINDS), range=[BLUE, ORANGE])
    colour = alt.Color("case_group:N", scale=scale, legend=alt.Legend(title=None))
    offset = alt.YOffset("case_group:N", sort=list(KINDS), scale=alt.Scale(paddingOuter=0.35))
    return sized(whiskers(points, "system", order, metric, colour=colour, offset=offset), max(110, 30 * len(order)))


SYSTEMS = Drawing(
    "systems",
    "difficulty",
    "Systems on obvious and non-obvious items",
    "An item is obvious where its words point to its label: positives whose sides are alike, negatives whose sides "
    "differ, cut at the median (paper 002). Lines are 95 % Wilson intervals over items. A wide gap: the score is "
    "carried by items whose words give the answer away.",
    {
        "system": "system",
        "case_group": "items",
        "accuracy": "accuracy",
        "f1": "F1",
        "low": "low",
        "high": "high",
        "n": "n",
    },
    draw,
)
