"""Charts of quick models: scores of those that see less next to the whole model, and drops under harder splits."""

from __future__ import annotations

import math

from assay.models.quick.results import QuickStudy
from assay.views.charts.base import Plot, chart
from assay.views.charts.intervals import IntervalPoint, draw_intervals


@chart(
    "model-scores",
    section="model",
    title="What models see, and what they score",
    method="Out-of-fold score of each quick model with its 95% interval; the line is a blind guess.",
    columns={"name": "sees", "value": "score", "low": "low", "high": "high", "line": "guess"},
)
def draw_models(model: QuickStudy) -> Plot | None:
    """Draw a point with its interval for every model, and a line at chance."""
    chance = None if math.isnan(model.chance) else model.chance
    rows = [row for row in model.scores if row.split == "random" and row.metric == model.metric]
    points = [
        IntervalPoint(row.sees, row.value, row.low, row.high, chance, f"{row.model}: {row.value:.3f}")
        for row in rows
        if math.isfinite(row.value)
    ]
    return draw_intervals(points, model.metric, from_zero=False)


@chart(
    "model-stress",
    section="model",
    title="What harder splits cost",
    method="Score under random folds minus score under the split, on the same items, with 95% intervals.",
    columns={"name": "split", "value": "drop", "low": "low", "high": "high"},
)
def draw_drops(model: QuickStudy) -> Plot | None:
    """Draw the drop under every split with its interval, and a line at 0."""
    drops = [(row, row.bound_drop()) for row in model.stress]
    points = [
        IntervalPoint(row.split, drop.value, drop.low, drop.high, 0.0, f"{row.split}: {drop.value:+.3f}")
        for row, drop in drops
        if math.isfinite(drop.low)
    ]
    return draw_intervals(points, f"drop of {model.metric}")
