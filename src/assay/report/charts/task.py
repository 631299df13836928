"""Charts of what only this kind of task has: trivial baselines beside chance, and positions of the key."""

from __future__ import annotations

import math
from dataclasses import dataclass

import altair as alt

from assay.audits.evidence.task import TaskEvidence
from assay.report.charts.base import ROW_HEIGHT, TOOLTIP, Plot, chart, set_size, start_chart
from assay.report.theme import CATEGORIES, GREY


@dataclass(frozen=True)
class BaselinePoint:
    """The score of a trivial baseline."""

    name: str
    value: float
    low: float
    high: float
    chance: float | None
    tooltip: str


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
    method="Score of each baseline on the tested part with its 95 % interval; the line is a blind guess.",
    columns={"name": "baseline", "value": "score", "low": "low", "high": "high", "chance": "guess"},
)
def draw_baselines(task: TaskEvidence) -> Plot | None:
    """Draw a point with its interval for every baseline, and a line at chance."""
    chance = None if math.isnan(task.chance) else task.chance
    points = [
        BaselinePoint(
            row.name, row.score.value, row.score.low, row.score.high, chance, f"{row.name}: {row.score.value:.3f}"
        )
        for row in task.baselines
        if math.isfinite(row.score.value)
    ]
    if not points:
        return None
    names = [point.name for point in points]
    y = alt.Y("name:N", sort=names, title=None)
    base = start_chart(points)
    bars = base.mark_rule(color=CATEGORIES[0], strokeWidth=3).encode(
        y=y, x=alt.X("low:Q", title=task.metric), x2="high:Q"
    )
    dots = base.mark_circle(color=CATEGORIES[0], size=70, opacity=1).encode(y=y, x="value:Q", description=TOOLTIP)
    layers = [bars, dots]
    if chance is not None:
        layers.append(base.mark_rule(color=GREY, strokeDash=[4, 3]).encode(x="chance:Q"))
    return Plot(points, set_size(alt.layer(*layers), ROW_HEIGHT * (len(names) + 1)))


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
        PositionPoint(row.value, row.count, row.expected, f"{row.value}: {row.count:,} items")
        for row in task.counts
        if not math.isnan(row.expected)
    ]
    if not points:
        return None
    x = alt.X("value:N", sort=[point.value for point in points], title=None, axis=alt.Axis(labelAngle=0))
    base = start_chart(points)
    bars = base.mark_bar(color=CATEGORIES[0]).encode(x=x, y=alt.Y("count:Q", title="items"), description=TOOLTIP)
    marks = base.mark_tick(color=CATEGORIES[1], thickness=4, size=26).encode(x=x, y="expected:Q")
    return Plot(points, set_size(alt.layer(bars, marks)))
