"""Score against cost, and how few items rank systems."""

from __future__ import annotations

import math
from dataclasses import dataclass

import altair as alt

from assay.checks.leaderboard.results import LeaderboardEvidence
from assay.discrimination.boards.view import place_on_front
from assay.views.blocks import format_value
from assay.views.charts.base import TOOLTIP, Plot, chart, set_size, start_chart
from assay.views.theme import BLUE, GREY, ORANGE
from assay.wording.characters import shorten_names

MAX_SYSTEMS = 200
MAX_NAMES = 4  # next to points; the others are in the table


@dataclass(frozen=True)
class CostPoint:
    """Score and cost of a system."""

    system: str
    name: str
    score: float
    score_low: float | None
    score_high: float | None
    cost: float
    cost_low: float | None
    cost_high: float | None
    place: str
    tooltip: str


@chart(
    "cost",
    section="leaderboard",
    title="What does a point of score cost?",
    method="Mean cost and score of every system, with 95% intervals over resampled items. The line joins the systems "
    "that no other beats on both by the estimates; colours are by paired tests over items, at 5%.",
    columns={"system": "system", "score": "score", "cost": "cost", "place": "front"},
)
def draw_cost(board: LeaderboardEvidence) -> Plot | None:
    """Draw every system by its cost (log scale) and score, and the front as a line."""
    if board.cost is None or not board.cost.systems:
        return None
    rows = board.cost.systems[:MAX_SYSTEMS]
    names = shorten_names(row.system for row in rows)
    points = []
    for row in rows:
        place = place_on_front(board.cost, row)
        score, cost = format_value(row.score), format_value(row.cost)
        tooltip = f"{row.system}: score {score}, {board.cost.unit} {cost}, {place}"
        points.append(
            CostPoint(
                system=row.system,
                name=names[row.system],
                score=row.score.value,
                score_low=_keep_finite(row.score.low),
                score_high=_keep_finite(row.score.high),
                cost=row.cost.value,
                cost_low=_keep_finite(row.cost.low),
                cost_high=_keep_finite(row.cost.high),
                place=place,
                tooltip=tooltip,
            )
        )
    front = [point for point, row in zip(points, rows, strict=True) if row.on_front]
    log = all(point.cost > 0 and (point.cost_low is None or point.cost_low > 0) for point in points)
    scale = alt.Scale(type="log", nice=False, padding=20) if log else alt.Scale(zero=False)
    x = alt.X("cost:Q", title=f"{board.cost.unit}{' (log scale)' if log else ''}", scale=scale)
    y = alt.Y("score:Q", title="score", scale=alt.Scale(zero=False, padding=8))
    colours = alt.Scale(domain=["on the front", "may be on the front", "not on the front"], range=[BLUE, ORANGE, GREY])
    base = start_chart(points)
    colour = alt.Color("place:N", scale=colours, legend=alt.Legend(title=None, orient="top"))
    figure = start_chart(front).mark_line(color=BLUE, opacity=0.5, interpolate="step-after").encode(x, y)
    figure += base.mark_rule(opacity=0.6).encode(x, alt.Y("score_low:Q"), alt.Y2("score_high:Q"), colour)
    figure += base.mark_rule(opacity=0.6).encode(alt.X("cost_low:Q"), alt.X2("cost_high:Q"), y, colour)
    figure += base.mark_circle(size=50, opacity=1).encode(x, y, colour, TOOLTIP)
    named = [point for point in front if point.place == "on the front"][:MAX_NAMES]
    text = start_chart(named).mark_text(align="left", dx=-4, dy=-24, fontSize=11).encode(x, y, alt.Text("name:N"))
    return Plot(points, set_size(figure + text, height=320))


def _keep_finite(value: float) -> float | None:
    return value if math.isfinite(value) else None
