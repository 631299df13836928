"""Outlines of binned distributions, one per label."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from assay.views.charts.base import PERCENT, TOOLTIP, Plot, color_by, dash_by, set_size, sort_key, start_chart
from assay.views.theme import PAPER
from assay.views.values import Bin
from assay.wording.characters import shorten_names
from assay.wording.numbers import format_number

MAX_LABELS = 8
OTHER = "(other labels)"


@dataclass(frozen=True)
class Step:
    """One step of an outline."""

    label: str
    name: str
    low: float
    high: float
    count: int
    share: float
    height: float


def draw_outlines(bins: Sequence[Bin], axis: str, per: str = "") -> Plot | None:
    """Draw the share of each label's items in each bin as a stepped line; labels beyond eight are one line.

    `per` ends the title of the axis if bins are of different width.
    """
    kept = sum_rare_labels(bins)
    totals: dict[str, int] = {}
    for row in kept:
        totals[row.label] = totals.get(row.label, 0) + row.count
    labels = sorted(totals, key=lambda label: (label == OTHER, sort_key(label)))
    if not labels:
        return None
    even = len({round(row.high - row.low, 9) for row in kept}) == 1
    names = shorten_names(labels)
    steps = []
    for row in kept:
        share = row.count / max(1, totals[row.label])
        height = share if even else share / (row.high - row.low)  # wide bins would be tall by their width alone
        steps.append(Step(row.label, names[row.label], row.low, row.high, row.count, share, height))
    title = ("share of the label's items" if any(labels) else "share of the items") + ("" if even else per)
    return Plot(steps, _draw(steps, axis, title, [names[label] for label in labels]))


def sum_rare_labels(bins: Sequence[Bin]) -> list[Bin]:
    """Return the bins of the most frequent labels, and of all others together."""
    totals: dict[str, int] = {}
    for row in bins:
        totals[row.label] = totals.get(row.label, 0) + row.count
    if len(totals) <= MAX_LABELS:
        return list(bins)
    frequent = set(sorted(totals, key=lambda label: -totals[label])[: MAX_LABELS - 1])
    rest: dict[tuple[float, float], int] = {}
    for row in bins:
        if row.label not in frequent:
            rest[row.low, row.high] = rest.get((row.low, row.high), 0) + row.count
    others = [Bin(label=OTHER, low=low, high=high, count=count) for (low, high), count in sorted(rest.items())]
    return [row for row in bins if row.label in frequent] + others


def _draw(steps: list[Step], axis: str, title: str, names: list[str]) -> Any:
    last = max(step.high for step in steps)
    ends = [Step(s.label, s.name, s.high, s.high, s.count, s.share, s.height) for s in steps if s.high == last]
    x = alt.X("low:Q", title=axis, scale=alt.Scale(nice=False))
    y = alt.Y("height:Q", axis=alt.Axis(labelExpr=PERCENT, title=title, grid=True), stack=None)
    style: Any = {"interpolate": "step-after", "aria": False}
    color = color_by("name", names)
    lines = start_chart(steps + ends).mark_line(strokeWidth=2, **style).encode(x, y, color, dash_by("name", names))
    fills = start_chart(steps + ends).mark_area(opacity=0.1, **style).encode(x, y, color.legend(None))
    return set_size((fills + lines if len(names) == 1 else lines) + _draw_tooltips(steps, x))


def _draw_tooltips(steps: list[Step], x: object) -> Any:
    """Return invisible bars over the whole height that describe all labels of a bin."""
    bins: dict[tuple[float, float], list[str]] = {}
    for step in steps:
        text = f"{step.label or 'all'}: {format_number(step.count)} ({100 * step.share:.1f}%)"
        bins.setdefault((step.low, step.high), []).append(text)
    points = [
        {"low": low, "high": high, "tooltip": f"{format_number(low)} to {format_number(high)} — " + "; ".join(texts)}
        for (low, high), texts in bins.items()
    ]
    return start_chart(points).mark_rect(opacity=0, color=PAPER).encode(x, alt.X2("high:Q"), TOOLTIP)
