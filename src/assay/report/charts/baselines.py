"""What cheap tricks score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from assay.base.numbers import format_interval, is_missing
from assay.report.charts.marks import ROW, names, sized, tipped
from assay.report.charts.whiskers import whiskers
from assay.report.drawing import Drawing, Rows


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw the accuracy of each baseline with its interval."""
    del beside
    points = tipped(
        ({**row, "value": row["accuracy"]} for row in rows if not is_missing(row.get("accuracy"))),
        lambda row: f"{row['name']}: {format_interval(row['value'], row.get('low'), row.get('high'))}",
    )
    order = sorted(names(points, "name", 20), key=lambda name: -next(r["value"] for r in points if r["name"] == name))
    return sized(whiskers(points, "name", order, "accuracy"), max(90, ROW * len(order))) if points else None


BASELINES = Drawing(
    "baselines",
    "information",
    "What cheap tricks score",
    "Models that see only a part of the input or none of it, on held-out items, with 95 % Wilson intervals. Beyond the "
    "majority's score, each says how far one gets without the task.",
    {"name": "baseline", "accuracy": "accuracy", "low": "low", "high": "high"},
    draw,
)
