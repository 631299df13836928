"""Where the folds, or the parts, lie."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.report.charts.marks import coloured, names, natural, of, sized, within
from assay.report.drawing import Drawing, Rows

MOST_POINTS = 1_500


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw texts in two dimensions, coloured by fold; a panel for each split where there are several."""
    del beside
    splits = names(rows, "split", 4)
    step = max(1, -(-len(rows) // MOST_POINTS))
    points = [{**row, "fold": str(row["fold"])} for row in within(rows, "split", splits)[::step]]
    folds = sorted(names(points, "fold", 50), key=natural)
    bare = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    base = (
        of(points)
        .mark_circle(size=14, opacity=0.65, aria=False)
        .encode(
            x=alt.X("x:Q", axis=bare, title="first principal direction", scale=alt.Scale(zero=False)),
            y=alt.Y("y:Q", axis=bare, title="second", scale=alt.Scale(zero=False)),
            color=coloured("fold", folds),
        )
    )
    if len(splits) == 1:
        return sized(base, 300)
    head = alt.Facet("split:N", header=alt.Header(labelAnchor="start"), sort=splits)
    return base.properties(width=180, height=170).facet(head, columns=2)


SCATTER = Drawing(
    "scatter",
    "splits",
    "Where the parts and folds lie",
    "Texts as TF-IDF vectors, reduced to their first two principal directions (a projection: texts that lie together "
    "here may still differ). At most 1,500 points are drawn. Colours that lie apart show parts on different topics.",
    {"split": "split", "fold": "part or fold", "x": "x", "y": "y"},
    draw,
)
