"""Chart of scores over time."""

from __future__ import annotations

import math
from dataclasses import dataclass

import altair as alt

from assay.checks.splits.results import SplitsEvidence
from assay.views.charts.base import TOOLTIP, Plot, chart, set_size, start_chart
from assay.views.theme import BLUE, ORANGE
from assay.wording.numbers import format_interval

FOLDS = ("random folds", "earlier items")


@dataclass(frozen=True)
class PeriodPoint:
    """The accuracy on the items of one period."""

    start: str
    folds: str
    n: int
    value: float
    low: float
    high: float
    tooltip: str


@chart(
    "periods",
    section="splits",
    title="Does the quick model do worse on later items?",
    method="The span of time is cut into twelve periods of the same length. Accuracy of the quick model on the items of "
    "each period, trained on random folds (circles) or only on earlier items (squares, the temporal split). Lines are "
    "95% Wilson intervals over items.",
    columns={
        "start": "period from",
        "folds": "trained on",
        "value": "accuracy",
        "low": "low",
        "high": "high",
        "n": "items",
    },
)
def draw_periods(splits: SplitsEvidence) -> Plot | None:
    """Draw one point with its interval per period and way of training."""
    points = []
    for row in splits.periods:
        score = row.accuracy
        if math.isfinite(score.value):
            interval = format_interval(score)
            tooltip = f"from {row.start}, trained on {row.folds}: {interval} of {row.n:,} items"
            points.append(PeriodPoint(row.start, row.folds, row.n, score.value, score.low, score.high, tooltip))
    if len({point.start for point in points}) < 2:
        return None
    color = alt.Color(
        "folds:N", scale=alt.Scale(domain=list(FOLDS), range=[BLUE, ORANGE]), legend=alt.Legend(title=None)
    )
    shape = alt.Shape("folds:N", scale=alt.Scale(domain=list(FOLDS), range=["circle", "square"]), legend=None)
    x = alt.X("start:O", title="period from", axis=alt.Axis(labelAngle=-40, labelOverlap=True))
    offset = alt.XOffset("folds:N", sort=list(FOLDS))
    scale = alt.Scale(zero=False, padding=8)
    lines = start_chart(points).mark_rule(strokeWidth=2)
    dots = start_chart(points).mark_point(filled=True, size=70, opacity=1)
    figure = lines.encode(x, offset, alt.Y("low:Q", title="accuracy", scale=scale), alt.Y2("high:Q"), color, TOOLTIP)
    figure += dots.encode(x, offset, alt.Y("value:Q", title="accuracy", scale=scale), color, shape, TOOLTIP)
    return Plot(points, set_size(figure, 230))
