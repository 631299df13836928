"""Charts of difficulty: how far items diverge, and how systems do on obvious and non-obvious items."""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt

from assay.checks.difficulty.results import DifficultyEvidence
from assay.views.blocks import format_value
from assay.views.charts.base import Plot, chart, set_size
from assay.views.charts.outlines import draw_outlines
from assay.views.charts.whiskers import draw_whiskers
from assay.views.theme import BLUE, ORANGE
from assay.wording.characters import shorten_names

MAX_SYSTEMS = 200
MAX_LABELS = 200  # the rare ones are summed
MANY_ROWS = 24  # more systems than this make narrow rows
CASES = ("obvious", "non-obvious")


@chart(
    "divergence_histogram",
    section="difficulty",
    title="Do words give the label away?",
    method="For pairs: the Jensen–Shannon divergence (base 2) between the word frequencies of the two sides (Peinelt "
    "et al.). For single texts: how much closer the nearest training text of another label is than that of the same "
    "label. Where the labels' outlines are apart, words alone give the answer away. Counts are exact.",
    columns={"label": "label", "low": "from", "high": "to", "count": "items"},
)
def draw_divergence_histogram(difficulty: DifficultyEvidence) -> Plot | None:
    """Draw the distribution of divergence by label."""
    spreads = difficulty.items.distribution_by_label or {"": difficulty.items.distribution}
    bins = [each for label, spread in list(spreads.items())[:MAX_LABELS] for each in spread.list_bins(label)]
    signed = any(row.low < 0 for row in bins)
    axis = "same label far (1), another label far (−1)" if signed else "divergence (0 = same words)"
    return draw_outlines(bins, axis)


@dataclass(frozen=True)
class SystemPoint:
    """The accuracy of a system on one case."""

    system: str
    name: str
    case: str
    value: float
    low: float
    high: float
    n: int
    tooltip: str


@chart(
    "systems",
    section="difficulty",
    title="How do systems do on obvious and on non-obvious items?",
    method="An item is obvious if its words suggest its label: positives whose sides are similar, negatives whose "
    "sides differ, with the median as threshold (Peinelt et al.). Lines are 95% Wilson intervals over items. A wide "
    "gap: the score depends on items whose words give the answer away.",
    columns={"system": "system", "case": "items", "value": "accuracy", "low": "low", "high": "high", "n": "n"},
)
def draw_systems_on_cases(difficulty: DifficultyEvidence) -> Plot | None:
    """Draw two points per system with their intervals, the best on non-obvious items first."""
    scores = {row.system: row.accuracy.value for row in difficulty.systems if row.case == "non-obvious"}
    systems = list(dict.fromkeys(row.system for row in difficulty.systems))
    order = sorted(systems, key=lambda name: -scores.get(name, 0.0))[:MAX_SYSTEMS]
    names = shorten_names(order)
    points = []
    for row in difficulty.systems:
        if row.system in names:
            tooltip = f"{row.system}, {row.case}: {format_value(row.accuracy)}"
            ends = (row.accuracy.value, row.accuracy.low, row.accuracy.high)
            points.append(SystemPoint(row.system, names[row.system], row.case, *ends, row.n, tooltip))
    if not points:
        return None
    scale = alt.Scale(domain=list(CASES), range=[BLUE, ORANGE])
    color = alt.Color("case:N", scale=scale, legend=alt.Legend(title=None))
    offset = alt.YOffset("case:N", sort=list(CASES), scale=alt.Scale(paddingOuter=0.35))
    figure = draw_whiskers(points, "name", list(names.values()), "accuracy", color=color, offset=offset)
    return Plot(points, set_size(figure, max(110, (30 if len(order) <= MANY_ROWS else 18) * len(order))))
