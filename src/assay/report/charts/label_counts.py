"""How many items each label has, by part."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import format_number
from assay.report.charts.marks import ROW, TIP, coloured, names, natural, of, sized, tipped, within
from assay.report.drawing import Drawing, Rows


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw the share of each label within its part, so that parts of different size compare."""
    del beside
    labels, parts = names(rows, "label", 12), sorted(names(rows, "part", 6), key=natural)
    totals = {part: sum(row["count"] for row in rows if str(row["part"]) == part) for part in parts}
    points = tipped(
        ({**row, "share": row["count"] / max(1, totals[str(row["part"])])} for row in within(rows, "part", parts)),
        lambda row: (
            f"{row['label']}, {row['part'] or 'all'}: {format_number(row['count'])} ({100 * row['share']:.1f} %)"
        ),
    )
    band = alt.YOffset("part:N", sort=parts)
    chart = (
        of(within(points, "label", labels))
        .mark_bar()
        .encode(
            x=alt.X("share:Q", axis=alt.Axis(format="%", title="share of the part")),
            y=alt.Y("label:N", sort=labels, title=None),
            yOffset=band,
            color=coloured("part", parts),
            description=TIP,
        )
    )
    return sized(chart, max(90, len(labels) * max(ROW, 14 * len(parts))))


LABEL_COUNTS = Drawing(
    "label_counts",
    "profile",
    "Labels",
    "Counted over all labelled items of each part. Counts of the data itself are exact, so they carry no interval.",
    {"label": "label", "part": "part", "count": "items"},
    draw,
)
