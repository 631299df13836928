"""Charts of discrimination and its forecast: λ with thresholds, and the ranks systems may have."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from assay.checks.discrimination.results import DiscriminationEvidence
from assay.discrimination import DatasetDiscrimination
from assay.discrimination.lambdas.verdicts import DISCRIMINATES
from assay.discrimination.subsets.proposals import is_crowded
from assay.forecast import Forecast
from assay.statistics import Interval
from assay.views.charts.base import ROW_HEIGHT, TOOLTIP, Plot, chart, link_tooltip, set_size, start_chart
from assay.views.charts.whiskers import draw_whiskers
from assay.views.theme import BLUE, MUTED, RED
from assay.wording.characters import shorten_names
from assay.wording.numbers import format_interval, format_number

MAX_DATASETS = 40
MAX_SYSTEMS = 200
MAX_TICKS = 8  # of an axis of ranks
MEANINGS = {
    "λ_var": "spread of the scores (λ_var)",
    "λ_sva": "spread times headroom (λ_sva)",
    "λ_hit": "order that repeats (λ_hit)",
}
MANY_ROWS = 32  # more systems than this make narrow rows


@dataclass(frozen=True)
class LambdaPoint:
    """One λ of one dataset."""

    dataset: str
    name: str
    measure: str
    value: float
    low: float | None
    high: float | None
    tooltip: str


@chart(
    "lambdas",
    section="discrimination",
    title="Does it tell systems apart?",
    method="λ_var: standard deviation of the systems' scores in percent. λ_sva: the same times the headroom above "
    "their mean. λ_hit: how often the better of two systems also wins on a resample of the items (Xiao et al.). Lines "
    "are 95% intervals over items; a handful of systems allows none over systems. Dashed: the reference values of Xiao "
    f"et al., 3 and 28, which are not verdicts, and the λ_hit of equal systems. Of more than {MAX_DATASETS} datasets, those "
    "that findings are about come first; the table has all.",
    columns={"dataset": "dataset", "measure": "measure", "value": "value", "low": "low", "high": "high"},
)
def draw_lambdas(discrimination: DiscriminationEvidence) -> Plot | None:
    """Draw one panel per measure, on a log scale except for the hit rate."""
    rows = []
    n_metrics = Counter(row.dataset for row in discrimination.datasets)
    for row in order_datasets(discrimination.datasets)[:MAX_DATASETS]:
        name = row.dataset if n_metrics[row.dataset] == 1 else f"{row.dataset} ({row.metric})"
        rows += [(name, "λ_var", row.lambda_var), (name, "λ_sva", row.lambda_sva), (name, "λ_hit", row.lambda_hit)]
    nulls = [row.lambda_hit_null for row in discrimination.datasets if math.isfinite(row.lambda_hit_null)]
    return draw_lambda_panels(rows, sum(nulls) / len(nulls) if nulls else None)


def order_datasets(rows: Sequence[DatasetDiscrimination]) -> list[DatasetDiscrimination]:
    """Put the datasets first that findings are about, so that a chart of many always has them."""
    return sorted(
        rows,
        key=lambda row: row.verdict == DISCRIMINATES and not is_crowded(row.headroom, row.upper, row.n_within_one),
    )


@chart(
    "forecast",
    section="forecast",
    title="How well will it tell systems apart, by the data alone?",
    method="A regression from the features of the data to λ, fitted on datasets whose λ is known (Xiao et al., section "
    "5), with its prediction interval (80%: four of five datasets of kinds it has not seen). Dashed: the reference "
    "values of Xiao et al.",
    columns={"measure": "measure", "value": "forecast", "low": "low", "high": "high"},
)
def draw_forecast(forecast: Forecast) -> Plot | None:
    """Draw the forecast and its interval for each measure."""
    return draw_lambda_panels([("forecast", "λ_var", forecast.lambda_var), ("forecast", "λ_sva", forecast.lambda_sva)])


def draw_lambda_panels(rows: Sequence[tuple[str, str, Interval]], hit_null: float | None = None) -> Plot | None:
    """Draw one panel per measure, with the reference values of Xiao et al. and the hit rate of equal systems."""
    names = shorten_names(name for name, _, _ in rows)
    points = []
    for dataset, measure, estimate in rows:
        if math.isfinite(estimate.value):
            interval = format_interval(estimate)
            low, high = (bound if math.isfinite(bound) else None for bound in (estimate.low, estimate.high))
            tooltip = f"{dataset}, {measure}: {interval}"
            points.append(LambdaPoint(dataset, names[dataset], measure, estimate.value, low, high, tooltip))
    measures = [measure for measure in ("λ_var", "λ_sva", "λ_hit") if any(point.measure == measure for point in points)]
    if not measures:
        return None
    lines = {"λ_var": (3.0, "3, of Xiao et al."), "λ_sva": (28.0, "28, of Xiao et al.")}
    if hit_null is not None:
        lines["λ_hit"] = (hit_null, f"equal systems: {format_number(hit_null)}")
    panels = [
        _draw_panel(measure, [point for point in points if point.measure == measure], lines.get(measure))
        for measure in measures
    ]
    return Plot(points, alt.vconcat(*panels, spacing=12))


def _draw_panel(measure: str, points: list[LambdaPoint], line: tuple[float, str] | None) -> Any:
    """Draw one measure over datasets; values that a log scale cannot show make the scale linear."""
    kept = sorted(points, key=lambda point: -point.value)
    log = measure != "λ_hit" and all(p.value > 0 and (p.low is None or p.low > 0) for p in kept)
    scale = alt.Scale(type="log") if log else alt.Scale(zero=False, padding=10)
    order = list(dict.fromkeys(point.name for point in kept))
    title = [f"{MEANINGS[measure]}{', log scale' if log else ''}", *([] if line is None else [f"dashed: {line[1]}"])]
    figure = draw_whiskers(kept, "name", order, title, scale=scale)
    if line is not None:
        rule = start_chart([{"reference": line[0], "tooltip": f"{measure}, {line[1]}"}])
        figure += rule.mark_rule(color=RED, strokeDash=[5, 3]).encode(alt.X("reference:Q"), TOOLTIP)
    return figure.properties(width=310, height=max(46, ROW_HEIGHT * len(order)))


@dataclass(frozen=True)
class RankBar:
    """The ranks a system may have."""

    system: str
    name: str
    score: float
    rank_low: int
    rank_high: int
    tie_group: int | None
    marginal_low: int | None
    marginal_high: int | None
    shown: str
    tooltip: str


@chart(
    "ranks",
    section="discrimination",
    title="Which ranks may each system have?",
    method="95% rank intervals. Faint bars: simultaneous for all systems, so that no bar misses the rank with this "
    "confidence. Strong bars: marginal, each rival compared on its own. At most 200 systems are drawn. With answers of "
    "systems, bars lead to the items that the system gets wrong.",
    columns={
        "system": "system",
        "score": "score",
        "rank_low": "best rank",
        "rank_high": "worst rank",
        "marginal_low": "best rank (marginal)",
        "marginal_high": "worst rank (marginal)",
        "tie_group": "tie group",
    },
)
def draw_ranks(discrimination: DiscriminationEvidence) -> Plot | None:
    """Draw the rank interval of each system, in the order of their scores."""
    bars = []
    names = shorten_names(row.system for row in discrimination.systems)
    # With gaps, scores are means of different datasets or items.
    has_gaps = len({row.n_units for row in discrimination.systems}) > 1
    for row in discrimination.systems:
        if row.rank_low is not None and row.rank_high is not None:
            shown = f"{row.score:,.1f}" if abs(row.score) < 1000 else f"{row.score:,.0f}"
            shown += f" of {row.n_units:,}" if has_gaps else ""
            marginal = "" if row.marginal_low is None else f" (marginal {row.marginal_low} to {row.marginal_high})"
            text = f"{row.system}: rank {row.rank_low} to {row.rank_high}{marginal}, score {shown}"
            tooltip = link_tooltip(text, wrong=row.system) if discrimination.basis == "predictions" else text
            ends = (row.rank_low, row.rank_high, row.tie_group, row.marginal_low, row.marginal_high)
            bars.append(RankBar(row.system, names[row.system], row.score, *ends, shown, tooltip))
    ranks = {row.system: row.rank for row in discrimination.systems}
    kept = sorted(bars, key=lambda bar: (ranks[bar.system], bar.system))[:MAX_SYSTEMS]
    if not kept:
        return None
    farthest = max(bar.rank_high for bar in kept)
    step = max(1, round(farthest / MAX_TICKS))
    domain = alt.Scale(domain=[0.5, farthest * (1.3 if has_gaps else 1.16)], nice=False)
    noun = "items" if discrimination.basis == "predictions" else "datasets"
    ticks = sorted({1, *range(1 + step, farthest - step // 2, step), farthest})
    x = alt.X(
        "rank_low:Q",
        title=[
            f"rank (number: score{f', and of how many {noun}' if has_gaps else ''})",
            "strong: each rival on its own,",
            "faint: all systems at once",
        ],
        scale=domain,
    ).axis(values=ticks, tickCount=len(ticks), grid=True)
    y = alt.Y("name:N", sort=[bar.name for bar in kept], title=None, axis=alt.Axis(labelOverlap=False))
    base = start_chart(kept)
    rules = base.mark_rule(strokeWidth=7, color=BLUE, opacity=0.4, strokeCap="round")
    text = base.mark_text(align="left", dx=9, color=MUTED)
    inner = base.mark_rule(strokeWidth=7, color=BLUE, strokeCap="round")
    figure = rules.encode(x, alt.X2("rank_high:Q"), y, TOOLTIP)
    figure += inner.encode(alt.X("marginal_low:Q"), alt.X2("marginal_high:Q"), y, TOOLTIP)
    figure += text.encode(alt.X("rank_high:Q"), y, alt.Text("shown:N"))
    return Plot(kept, set_size(figure, max(90, (21 if len(kept) <= MANY_ROWS else 15) * len(kept))))
