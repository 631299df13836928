"""Single cues that give the label away."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.report.charts.marks import ROW, TIP, coloured, names, natural, of, sized, tipped
from assay.report.drawing import Drawing, Rows
from assay.report.theme import MUTED


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw how often each cue is right where it is present; how many items it covers stands beside it."""
    del beside
    kept = [row for row in rows if row.get("precision") is not None][:15]
    if not kept:
        return None
    points = tipped(
        (
            {
                **row,
                "cue": f"{row['token']} ({row['kind']}) → {row['label']}",
                "covers": f"{100 * row['coverage']:.1f} %",
            }
            for row in kept
        ),
        lambda row: f"{row['cue']}: right {100 * row['precision']:.1f} %, on {row['covers']} of items",
    )
    order, labels = names(points, "cue"), sorted(names(points, "label", 8), key=natural)
    x = alt.X("precision:Q", title="right where present (figure: share of items)", scale=alt.Scale(domain=[0, 1.18]))
    x = x.axis(format="%", values=[0, 0.25, 0.5, 0.75, 1])
    y = alt.Y("cue:N", sort=order, title=None)
    bars = of(points).mark_bar(height=13, cornerRadiusEnd=2).encode(x, y, coloured("label", labels), TIP)
    notes = of(points).mark_text(align="left", dx=5, color=MUTED, fontSize=11).encode(x, y, alt.Text("covers:N"))
    return sized(bars + notes, max(90, ROW * len(order)))


CUES = Drawing(
    "cues",
    "information",
    "Cues that give the label away",
    "Words, pairs of words and shapes, tested one by one against the label; p is adjusted for all that were tried. "
    "Precision: how often the cue's label is right where the cue is present. Coverage: the share of items that have "
    "it.",
    {"token": "cue", "kind": "kind", "label": "label", "precision": "precision", "coverage": "coverage", "p": "p"},
    draw,
    words_of_texts=True,
)
