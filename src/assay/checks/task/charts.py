"""Charts of what only this kind of task has: trivial baselines compared with chance, and positions of the key."""

from __future__ import annotations

import math
from dataclasses import dataclass

import altair as alt

from assay.checks.task.results import TaskEvidence
from assay.views.blocks import format_value
from assay.views.charts.base import TOOLTIP, Plot, chart, set_size, start_chart
from assay.views.charts.intervals import IntervalPoint, draw_intervals
from assay.views.theme import CATEGORIES, PAPER


@dataclass(frozen=True)
class PositionPoint:
    """How often the right answer is in a position."""

    value: str
    count: int
    expected: float
    tooltip: str


@chart(
    "task-baselines",
    section="task",
    title="What do trivial baselines score?",
    method="Score of each baseline on the tested part with its 95% interval; the line is a blind guess.",
    columns={"name": "baseline", "value": "score", "low": "low", "high": "high", "line": "guess"},
)
def draw_baselines(task: TaskEvidence) -> Plot | None:
    """Draw a point with its interval for every baseline, and a line at chance."""
    chance = None if math.isnan(task.chance) else task.chance
    points = [
        IntervalPoint(row.baseline, row.value, row.low, row.high, chance, f"{row.baseline}: {format_value(row)}")
        for row in task.baselines
        if math.isfinite(row.value)
    ]
    return draw_intervals(points, task.metric if chance is None else [task.metric, "dashed: a blind guess"])


@chart(
    "task-positions",
    section="task",
    title="Where is the right answer?",
    method="Items whose right answer is in each position; the marks are what chance would give.",
    columns={"value": "position", "count": "items", "expected": "by chance"},
)
def draw_positions(task: TaskEvidence) -> Plot | None:
    """Draw a bar for every position, and a mark at what chance gives."""
    points = [
        PositionPoint(value, count, table.expected[value], f"{value}: {count:,} items")
        for table in task.facts.distributions
        for value, count in table.counts.items()
        if value in table.expected
    ]
    if not points:
        return None
    x = alt.X(
        "value:N", sort=[point.value for point in points], title="orange marks: by chance", axis=alt.Axis(labelAngle=0)
    )
    base = start_chart(points)
    y = alt.Y("count:Q", title="items", axis=alt.Axis(tickMinStep=1))
    bars = base.mark_bar(color=CATEGORIES[0]).encode(x=x, y=y, description=TOOLTIP)
    rims, marks = (
        base.mark_tick(color=color, thickness=thickness, size=size, opacity=1).encode(x=x, y="expected:Q")
        for color, thickness, size in ((PAPER, 8, 30), (CATEGORIES[1], 4, 26))
    )
    return Plot(points, set_size(alt.layer(bars, rims, marks)))
