"""Which ranks each system may hold."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import altair as alt

from assay.base.numbers import format_number, is_missing
from assay.report.charts.marks import TIP, of, sized, tipped
from assay.report.drawing import Drawing, Rows
from assay.report.theme import BLUE, MUTED

MOST = 32


def draw(rows: Rows, beside: Mapping[str, Any]) -> Any:
    """Draw the interval of ranks of each system; systems in file order of rank."""
    del beside
    whole = [row for row in rows if not is_missing(row.get("rank_low")) and not is_missing(row.get("rank_high"))]
    kept = sorted(whole, key=lambda row: (row["rank_low"] + row["rank_high"], str(row["system"])))[:MOST]
    if not kept:
        return None
    points = tipped(
        ({**row, "scored": format_number(row.get("score")), "name": row["system"]} for row in kept),
        lambda row: f"{row['system']}: rank {row['rank_low']:g} to {row['rank_high']:g}, score {row['scored']}",
    )
    order = [row["name"] for row in points]
    far = max(row["rank_high"] for row in points)
    x = alt.X("rank_low:Q", title="rank (figure: score)", scale=alt.Scale(domain=[0.5, far * 1.16], nice=False))
    x = x.axis(tickMinStep=1, grid=True)
    y = alt.Y("name:N", sort=order, title=None)
    base = of(points)
    bars = base.mark_rule(strokeWidth=7, color=BLUE, opacity=0.55, strokeCap="round").encode(
        x, alt.X2("rank_high:Q"), y, TIP
    )
    notes = base.mark_text(align="left", dx=9, color=MUTED, fontSize=11).encode(
        alt.X("rank_high:Q"), y, alt.Text("scored:N")
    )
    return sized(bars + notes, max(90, 21 * len(order)))


RANKS = Drawing(
    "ranks",
    "discrimination",
    "Ranks each system may hold",
    "From the ranks of 95 % of resamples of the items: bars that overlap cannot be told apart with confidence on this "
    "test set. At most 32 systems are drawn.",
    {
        "system": "system",
        "score": "score",
        "rank_low": "best rank",
        "rank_high": "worst rank",
        "tie_group": "tie group",
    },
    draw,
)
