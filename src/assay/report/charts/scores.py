"""What a model scores under each family of splits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import format_number
from assay.report.charts.marks import TIP, coloured, names, of, sized, tipped, within
from assay.report.drawing import Drawing, Rows
from assay.report.theme import INK


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw every fold as a point, and the mean of each model under each split as a stroke."""
    del beside
    metric = str(rows[0].get("metric", "score"))
    splits = sorted(names(rows, "split", 14), key=lambda name: -_mean(rows, name))
    models = names(rows, "model", 8)
    points = tipped(
        (row for row in rows if row.get("value") is not None),
        lambda row: (
            f"{row['split']}, {row['model']}, fold {row.get('fold', row.get('repeat'))}: {format_number(row['value'])}"
        ),
    )
    x = alt.X("value:Q", title=metric, scale=alt.Scale(zero=False, padding=12), axis=alt.Axis(grid=True))
    y = alt.Y("split:N", sort=splits, title=None)
    dots = of(points).mark_circle(size=55, opacity=0.75).encode(x, y, coloured("model", models), TIP)
    mean = alt.X("mean(value):Q", title=metric)
    whose = coloured("model", models) if len(models) > 1 else alt.value(INK)
    means = of(points).mark_tick(thickness=2.5, height=18, aria=False).encode(mean, y, color=whose, detail="model:N")
    return sized(dots + means, max(100, 30 * len(splits)))


def _mean(rows: Rows, split: str) -> float:
    values = [row["value"] for row in within(rows, "split", [split]) if row.get("value") is not None]
    return sum(values) / max(1, len(values))


SCORES = Drawing(
    "scores",
    "splits",
    "Scores under each split",
    "Models trained and scored anew on every fold (points); the stroke is a model's mean under a split. Splits "
    "that hold out the longest, rarest or most remote texts show what a random split hides. The spread of the points "
    "is between folds; intervals over items stand in the table below.",
    {"split": "split", "model": "model", "fold": "fold", "repeat": "repeat", "metric": "metric", "value": "score"},
    draw,
)
