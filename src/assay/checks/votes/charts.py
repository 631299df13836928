"""The chart of ratings from votes."""

from __future__ import annotations

import math

from assay.views.charts.base import Plot, chart
from assay.views.charts.intervals import IntervalPoint, draw_intervals
from assay.votes import VoteRatings
from assay.wording.characters import shorten_names
from assay.wording.numbers import write_rounded

MAX_SYSTEMS = 60
MEAN_RATING = 1000.0


@chart(
    "ratings",
    section="votes",
    title="Which systems do the votes put first?",
    method="Ratings of a Bradley–Terry model with ties as half a win, with 95% sandwich intervals; the dashed line is the "
    "mean of all systems, and 400 points are odds of ten to one. At most 60 systems are drawn.",
    columns={"name": "system", "value": "rating", "low": "low", "high": "high"},
)
def draw_ratings(votes: VoteRatings) -> Plot | None:
    """Draw a rating with its interval for each system, the best first."""
    rows = [row for row in votes.ratings if math.isfinite(row.rating)][:MAX_SYSTEMS]
    names = shorten_names(row.system for row in rows)
    points = [
        IntervalPoint(
            names[row.system],
            row.rating,
            row.low,
            row.high,
            MEAN_RATING,
            f"{row.system}: {write_rounded(row.rating)}, {write_rounded(row.low)} to {write_rounded(row.high)}",
        )
        for row in rows
    ]
    return draw_intervals(points, ["rating", "dashed: the mean of all systems"], from_zero=False)
