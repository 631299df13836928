"""The words that go with each label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import format_number
from assay.report.charts.marks import TIP, names, of, tipped, within
from assay.report.drawing import Drawing, Rows
from assay.report.theme import BLUE


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw a small panel for each label with its words, the strongest first."""
    del beside
    return panels(rows, "label", "word")


def panels(rows: Rows, group: str, word: str, most: int = 8) -> Any:
    """Draw bars of words in one panel a group, two panels a row."""
    measure = "z" if rows[0].get("z") is not None else "count"
    kept = within(rows, group, names(rows, group, most))
    points = tipped(kept, lambda row: f"“{row[word]}” in {row[group]}: {measure} = {format_number(row[measure])}")
    base = (
        of([point for point in points if point.get(measure) is not None])
        .mark_bar(color=BLUE, cornerRadiusEnd=2)
        .encode(
            x=alt.X(f"{measure}:Q", title=None, axis=alt.Axis(tickCount=3)),
            y=alt.Y(f"{word}:N", sort="-x", title=None),
            description=TIP,
        )
        .properties(width=125, height=alt.Step(19))
    )
    head = alt.Facet(f"{group}:N", header=alt.Header(labelAnchor="start"), sort=names(kept, group))
    return base.facet(head, columns=2, spacing={"row": 14, "column": 26}).resolve_scale(y="independent")


WORDS = Drawing(
    "words",
    "profile",
    "Words tied to labels",
    "z of the share of this label among the texts with the word, against its share of all texts. Only words in five "
    "texts or more that stand out beyond chance (5 %, Benjamini–Hochberg over all words and labels). z is itself a "
    "measure of error, so it carries no further interval.",
    {"label": "label", "word": "word", "z": "z", "count": "count"},
    draw,
    words_of_texts=True,
)
