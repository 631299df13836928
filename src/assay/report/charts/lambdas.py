"""How well each dataset tells systems apart."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import format_interval, is_missing
from assay.report.charts.marks import ROW, names, of, tipped, within
from assay.report.charts.whiskers import whiskers
from assay.report.drawing import Drawing, Rows
from assay.report.theme import RED

MEASURES = {"lambda_var": ("λ_var", 3.0), "lambda_sva": ("λ_sva", 28.0), "lambda_hit": ("λ_hit", None)}


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw one panel a measure, on a log scale but for the hit rate, with the paper's thresholds."""
    del beside
    whole = [row for row in rows if not is_missing(row.get("value"))]
    panels = [
        made for name in MEASURES if (made := panel(name, [r for r in whole if r["measure"] == name])) is not None
    ]
    return alt.vconcat(*panels, spacing=12) if panels else None


def panel(measure: str, rows: Rows) -> Any:
    """Draw one measure over datasets; values that a log scale cannot show make the scale linear."""
    if not rows:
        return None
    title, threshold = MEASURES[measure]
    points = tipped(
        rows, lambda row: f"{row['dataset']}, {title}: {format_interval(row['value'], row['low'], row['high'])}"
    )
    order = sorted(names(points, "dataset", 200), key=lambda name: -_value(points, name))[:20]
    log = measure != "lambda_hit" and all(row["value"] > 0 and (row["low"] is None or row["low"] > 0) for row in points)
    scale = alt.Scale(type="log") if log else alt.Scale(zero=False, padding=10)
    chart = whiskers(
        within(points, "dataset", order), "dataset", order, f"{title}{' (log)' if log else ''}", scale=scale
    )
    if threshold is not None:
        line = of([{"t": threshold, "tip": f"{title} ≥ {threshold:g} discriminates"}])
        chart += line.mark_rule(color=RED, strokeDash=[5, 3]).encode(alt.X("t:Q"), alt.Description("tip:N"))
    return chart.properties(width=310, height=max(46, ROW * len(order)))


def _value(rows: Rows, name: str) -> float:
    return max(float(row["value"]) for row in rows if str(row["dataset"]) == name)


LAMBDAS = Drawing(
    "lambdas",
    "discrimination",
    "Does it tell systems apart?",
    "λ_var: standard deviation of the systems' scores in percent. λ_sva: the same times the room left above their "
    "mean. λ_hit: how often the better of two systems also wins on a resample of the items (paper 000). Lines are 95 % "
    "intervals over items; a handful of systems gives none over systems. Dashed: the paper's thresholds, 3 and 28.",
    {"dataset": "dataset", "measure": "measure", "value": "value", "low": "low", "high": "high"},
    draw,
)
