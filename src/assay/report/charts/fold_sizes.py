"""How large the folds are, and which labels they hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import format_number
from assay.report.charts.marks import ROW, TIP, coloured, names, natural, of, sized, tipped, within
from assay.report.drawing import Drawing, Rows


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw a bar for each fold of each split, stacked by label."""
    del beside
    several = {split for split in names(rows, "split") if len(names(within(rows, "split", [split]), "fold")) > 1}
    points = tipped(
        (
            {**row, "where": f"{row['split']} {row['fold']}" if row["split"] in several else row["split"]}
            for row in rows
        ),
        lambda row: f"{row['where']}, {row['label']}: {format_number(row['count'])} items",
    )
    order, labels = names(points, "where", 24), sorted(names(points, "label", 12), key=natural)
    chart = (
        of(within(points, "where", order))
        .mark_bar()
        .encode(
            x=alt.X("count:Q", title="held-out items"),
            y=alt.Y("where:N", sort=order, title=None),
            color=coloured("label", labels),
            order=alt.Order("label:N"),
            description=TIP,
        )
    )
    return sized(chart, max(90, len(order) * ROW))


FOLD_SIZES = Drawing(
    "fold_sizes",
    "splits",
    "Fold sizes and labels",
    "Items held out in each fold, by label. Counted, hence exact.",
    {"split": "split", "fold": "fold", "label": "label", "count": "items"},
    draw,
)
