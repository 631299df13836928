"""Outlines of distributions that come in bins, by label."""

from __future__ import annotations

from typing import Any

import altair as alt

from assay.base.numbers import format_number
from assay.report.charts.marks import TIP, coloured, names, natural, of, sized, within
from assay.report.drawing import Rows
from assay.report.theme import PAPER


def outline(rows: Rows, axis: str, most: int = 8) -> Any:
    """Draw the share of each label's items in each bin, as one stepped line a label; the commonest labels only."""
    totals = {label: sum(row["count"] for row in within(rows, "label", [label])) for label in names(rows, "label", 500)}
    labels = sorted(sorted(totals, key=lambda name: -totals[name])[:most], key=natural)
    kept = [{**row, "share": row["count"] / max(1, totals[str(row["label"])])} for row in within(rows, "label", labels)]
    even = len({round(row["high"] - row["low"], 9) for row in kept}) == 1
    for row in kept:  # bins of different width would rise by their width alone
        row["tall"] = row["share"] if even else row["share"] / (row["high"] - row["low"])
    title = "share of the label's items" + ("" if even else " a word")
    ends = [{**row, "low": row["high"]} for row in kept if row["high"] == max(one["high"] for one in kept)]
    x = alt.X("low:Q", title=axis, scale=alt.Scale(nice=False))
    y = alt.Y("tall:Q", axis=alt.Axis(format="%", title=title, grid=True), stack=None)
    steps: Any = {"interpolate": "step-after", "aria": False}
    colour = coloured("label", labels)
    lines = of(kept + ends).mark_line(strokeWidth=2, **steps).encode(x, y, colour)
    fills = of(kept + ends).mark_area(opacity=0.1, **steps).encode(x, y, colour.legend(None))
    return sized((fills + lines if len(labels) == 1 else lines) + _touch(kept, x))


def _touch(rows: Rows, x: Any) -> Any:
    """Return unseen bars over the whole height that tell all labels of a bin."""
    bins: dict[tuple[float, float], list[str]] = {}
    for row in rows:
        told = f"{row['label'] or 'all'}: {format_number(row['count'])} ({100 * row['share']:.1f} %)"
        bins.setdefault((row["low"], row["high"]), []).append(told)
    points = [
        {"low": low, "high": high, "tip": f"{format_number(low)} to {format_number(high)} — " + "; ".join(told)}
        for (low, high), told in bins.items()
    ]
    return of(points).mark_rect(opacity=0, color=PAPER).encode(x, alt.X2("high:Q"), TIP)
