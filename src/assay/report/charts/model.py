"""Charts of quick models: scores of those that see less beside the whole model, and drops under harder splits."""

from __future__ import annotations

import math
from dataclasses import dataclass

import altair as alt

from assay.models.quick import QuickStudy
from assay.report.charts.base import ROW_HEIGHT, TOOLTIP, Plot, chart, set_size, start_chart
from assay.report.theme import CATEGORIES, GREY


@dataclass(frozen=True)
class ModelPoint:
    """The score of a quick model under random folds."""

    name: str
    value: float
    low: float
    high: float
    chance: float | None
    tooltip: str


@dataclass(frozen=True)
class DropPoint:
    """What a harder split costs the quick model."""

    name: str
    value: float
    low: float
    high: float
    zero: float
    tooltip: str


@chart(
    "model-scores",
    section="model",
    title="What models see, and what they score",
    method="Out-of-fold score of each quick model with its 95 % interval; the line is a blind guess.",
    columns={"name": "sees", "value": "score", "low": "low", "high": "high", "chance": "guess"},
)
def draw_models(model: QuickStudy) -> Plot | None:
    """Draw a point with its interval for every model, and a line at chance."""
    chance = None if math.isnan(model.chance) else model.chance
    rows = [row for row in model.scores if row.split == "random" and row.metric == model.metric]
    points = [
        ModelPoint(row.sees, row.value, row.low, row.high, chance, f"{row.model}: {row.value:.3f}")
        for row in rows
        if math.isfinite(row.value)
    ]
    if not points:
        return None
    y = alt.Y("name:N", sort=[point.name for point in points], title=None)
    base = start_chart(points)
    bars = base.mark_rule(color=CATEGORIES[0], strokeWidth=3).encode(
        y=y, x=alt.X("low:Q", title=model.metric, scale=alt.Scale(zero=False)), x2="high:Q"
    )
    dots = base.mark_circle(color=CATEGORIES[0], size=70, opacity=1).encode(y=y, x="value:Q", description=TOOLTIP)
    layers = [bars, dots]
    if chance is not None:
        layers.append(base.mark_rule(color=GREY, strokeDash=[4, 3]).encode(x="chance:Q"))
    return Plot(points, set_size(alt.layer(*layers), ROW_HEIGHT * (len(points) + 1)))


@chart(
    "model-stress",
    section="model",
    title="What harder splits cost",
    method="Score under random folds minus score under the split, on the same items, with 95 % intervals.",
    columns={"name": "split", "value": "drop", "low": "low", "high": "high"},
)
def draw_drops(model: QuickStudy) -> Plot | None:
    """Draw the drop under every split with its interval, and a line at 0."""
    drops = [(row, row.bound_drop()) for row in model.stress]
    points = [
        DropPoint(row.split, drop.value, drop.low, drop.high, 0.0, f"{row.split}: {drop.value:+.3f}")
        for row, drop in drops
        if math.isfinite(drop.low)
    ]
    if not points:
        return None
    y = alt.Y("name:N", sort=[point.name for point in points], title=None)
    base = start_chart(points)
    bars = base.mark_rule(color=CATEGORIES[0], strokeWidth=3).encode(
        y=y, x=alt.X("low:Q", title=f"drop of {model.metric}"), x2="high:Q"
    )
    dots = base.mark_circle(color=CATEGORIES[0], size=70, opacity=1).encode(y=y, x="value:Q", description=TOOLTIP)
    line = base.mark_rule(color=GREY, strokeDash=[4, 3]).encode(x="zero:Q")
    return Plot(points, set_size(alt.layer(bars, dots, line), ROW_HEIGHT * (len(points) + 1)))
