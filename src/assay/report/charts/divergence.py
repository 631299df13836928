"""How far train and test differ, beside what chance does."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import format_number, is_missing
from assay.report.charts.marks import TIP, inline, names, tipped
from assay.report.drawing import Drawing, Rows
from assay.report.theme import BAND, BLUE, RED

PLAIN = {
    "oov": "words unseen in train",
    "jsd": "word frequencies (JSD)",
    "overlap": "vocabulary shared",
    "wasserstein": "Wasserstein distance",
    "mmd": "kernel distance (MMD)",
    "a_distance": "told apart by a classifier",
}


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw each measure on a scale of its own: the band of random splits, and the point of this one."""
    del beside
    whole = [row for row in rows if not any(is_missing(row.get(key)) for key in ("value", "null_low", "null_high"))]
    if not whole:
        return None
    points = tipped(
        ({**row, "what": PLAIN.get(row["measure"], row["measure"]), "beyond": _beyond(row)} for row in whole),
        lambda row: (
            f"{row['split']}, {row['what']}: {format_number(row['value'])}; random splits {format_number(row['null_low'])} to "
            f"{format_number(row['null_high'])}"
        ),
    )
    head = alt.Facet("what:N", header=alt.Header(labelAnchor="start"), sort=names(points, "what"))
    shape = _panel(names(points, "split", 12), points)
    return shape.facet(head, columns=2, spacing={"row": 10, "column": 22}).resolve_scale(x="independent")


def _panel(splits: list[str], points: Rows) -> Any:
    axis = alt.Axis(tickCount=3)
    y = alt.Y("split:N", sort=splits, title=None, axis=alt.Axis() if len(splits) > 1 else None)
    tones = alt.Scale(domain=["as chance", "beyond chance"], range=[BLUE, RED])
    tone = alt.Color("beyond:N", scale=tones, legend=alt.Legend(title=None))
    scale = alt.Scale(zero=False, padding=8)
    band = alt.Chart().mark_rule(strokeWidth=9, color=BAND, strokeCap="round")
    dots = alt.Chart().mark_circle(size=90, opacity=1)
    low = alt.X("null_low:Q", title=None, scale=scale, axis=axis)
    first = band.encode(low, alt.X2("null_high:Q"), y, TIP)
    second = dots.encode(alt.X("value:Q", title=None, scale=scale, axis=axis), y, tone, TIP)
    return alt.layer(first, second, data=inline(points)).properties(width=170, height=alt.Step(24))


def _beyond(row: Mapping[str, Any]) -> str:
    return "as chance" if row["null_low"] <= row["value"] <= row["null_high"] else "beyond chance"


DIVERGENCE = Drawing(
    "divergence",
    "splits",
    "Held-out texts against the rest, beside chance",
    "How the held-out side of each split differs from its training side (of folds: the mean), and the 95 % band of the "
    "same measure over random splits of the same sizes (permutations). A point outside its band: the sides differ "
    "more, or less, than a random draw would. “given” are the parts of the data itself.",
    {"split": "split", "measure": "measure", "value": "value", "null_low": "chance, low", "null_high": "chance, high"},
    draw,
)
