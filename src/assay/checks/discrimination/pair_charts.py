"""Charts that compare systems item by item: paired differences, shared failures, and outcomes from hard to easy."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from assay.checks.discrimination.results import DiscriminationEvidence
from assay.views.charts.base import TOOLTIP, Plot, chart, link_tooltip, start_chart
from assay.views.theme import BLUE, GREY, ORANGE
from assay.wording.characters import shorten_names
from assay.wording.numbers import format_interval, format_number

MAX_SYSTEMS = 30
CELL = 19  # pixels of a row
WIDTH = 310
SCALE_STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)
MAX_LARGE_LABELS = 20  # systems whose numbers fit above their columns in the usual size
LEGEND = alt.Legend(title=None, symbolType="square", orient="top")


@dataclass(frozen=True)
class DifferenceCell:
    """How far one system is ahead of another."""

    first: str
    second: str
    row: str
    column: str
    difference: float
    low: float
    high: float
    p: float
    state: str
    strength: float
    tooltip: str


@chart(
    "differences",
    section="discrimination",
    title="How many points is each system ahead of those below it?",
    method="Differences of the systems' scores on the same items, in points, with 95% intervals over items. Blue: the "
    "interval is above zero. Grey: it contains zero, so the order of the two can be chance. The stronger the colour, the "
    "larger the difference. Columns have the numbers of the rows. At most 30 systems are compared, the best ones. With "
    "answers of systems, cells lead to the items that only the first gets right.",
    columns={
        "first": "system",
        "second": "ahead of",
        "difference": "points",
        "low": "low",
        "high": "high",
        "p": "p, adjusted",
    },
)
def draw_differences(discrimination: DiscriminationEvidence) -> Plot | None:
    """Draw one cell per pair of systems."""
    rows = [row for row in discrimination.comparisons if math.isfinite(row.difference.value)]
    if discrimination.basis == "quick models" or len(rows) < 3:
        return None
    order = order_systems([(row.first, row.second) for row in rows])
    names, numbers = number_systems(order)
    largest = max(abs(row.difference.value) for row in rows) or 0.01
    cells = []
    for row in rows:
        gap = row.difference
        state = "beyond chance" if gap.low > 0 else "can be chance"
        values = (100 * gap.value, 100 * gap.low, 100 * gap.high)
        text = f"{row.first} is {format_interval(gap, 'points')} ahead of {row.second}"
        has_items = discrimination.basis == "predictions"
        tooltip = link_tooltip(text, solved=row.first, wrong=row.second) if has_items else text
        place = (names[row.first], numbers[row.second])
        strength = 0.25 + 0.75 * min(1.0, abs(gap.value) / largest)
        cells.append(DifferenceCell(row.first, row.second, *place, *values, row.p_adjusted, state, strength, tooltip))
    scale = alt.Scale(domain=["beyond chance", "can be chance"], range=[BLUE, GREY])
    matrix = draw_matrix(cells, order, names, numbers, alt.Color("state:N", scale=scale, legend=LEGEND))
    digits = 1 if largest >= 0.04 else 2
    steps = {f"{100 * share * largest:.{digits}f}": 0.25 + 0.75 * share for share in SCALE_STEPS}
    return Plot(cells, add_scale(matrix, "points", steps))


@dataclass(frozen=True)
class FailureCell:
    """How far two systems fail on the same items."""

    first: str
    second: str
    row: str
    column: str
    correlation: float
    n_both: int
    n_either: int
    state: str
    strength: float
    tooltip: str


@chart(
    "failures",
    section="discrimination",
    title="Which systems fail on the same items?",
    method="The correlation of the errors of two systems over the items: 1 if they fail on the same items, 0 if "
    "the failures of one say nothing about those of the other. Blue: the same items, orange: different items. Systems "
    "that fail together often share training data or a method. Computed on all items, so exact for them.",
    columns={
        "first": "system",
        "second": "other system",
        "correlation": "correlation",
        "n_both": "both wrong",
        "n_either": "either wrong",
    },
)
def draw_failures(discrimination: DiscriminationEvidence) -> Plot | None:
    """Draw one cell per pair of systems."""
    rows = [row for row in discrimination.failures if math.isfinite(row.correlation)]
    if discrimination.basis == "quick models" or len(rows) < 3:
        return None
    order = order_systems([(row.first, row.second) for row in rows])
    names, numbers = number_systems(order)
    cells = []
    for row in rows:
        state = "fail together" if row.correlation >= 0 else "fail on different items"
        tooltip = (
            f"{row.first} and {row.second}: correlation of errors {format_number(round(row.correlation, 2))}, both wrong on "
            f"{row.n_both:,} of {row.n_either:,} items that either gets wrong"
        )
        strength = max(0.06, min(1.0, abs(row.correlation)))
        systems = (row.first, row.second, names[row.first], numbers[row.second])
        counts = (row.n_both, row.n_either)
        cells.append(FailureCell(*systems, row.correlation, *counts, state, strength, tooltip))
    scale = alt.Scale(domain=["fail together", "fail on different items"], range=[BLUE, ORANGE])
    matrix = draw_matrix(cells, order, names, numbers, alt.Color("state:N", scale=scale, legend=LEGEND))
    return Plot(cells, add_scale(matrix, "correlation", {f"{share:g}": max(0.06, share) for share in SCALE_STEPS}))


@dataclass(frozen=True)
class MapCell:
    """The share of items of one difficulty that a system gets right."""

    system: str
    name: str
    bin: int
    share: float
    n: int
    strength: float
    tooltip: str


@chart(
    "outcome-map",
    section="discrimination",
    title="What does each system get right, from the hardest items to the easiest?",
    method="Items are sorted by how many systems get them right (a partly right answer counts in part) and cut into at most "
    "40 groups of the same size; a cell is the mean outcome of one system on one group, full colour if it is right on all. "
    "Gaps on the right are items that others find easy; colour on the left, items that others fail. Cells lead to the "
    "items. Counted, so exact.",
    columns={"system": "system", "bin": "group, hardest first", "share": "mean outcome", "n": "items"},
)
def draw_outcome_map(discrimination: DiscriminationEvidence) -> Plot | None:
    """Draw systems by groups of items."""
    rows = [row for row in discrimination.outcome_map if math.isfinite(row.share)]
    if discrimination.basis == "quick models" or not rows:
        return None
    order = list(dict.fromkeys(row.system for row in rows))[:MAX_SYSTEMS]
    names, _ = number_systems(order)
    cells = []
    for row in rows:
        if row.system in names:
            right = f"{row.fewest} to {row.most}" if row.most > row.fewest else f"{row.most}"
            text = f"{row.system}: {100 * row.share:.0f}% of {row.n:,} items that {right} of {len(order)} systems get right"
            tooltip = link_tooltip(text, wrong=row.system, right=f"{row.fewest}-{row.most}")
            cells.append(
                MapCell(row.system, names[row.system], row.bin, row.share, row.n, round(row.share, 2), tooltip)
            )
    n_bins = max(cell.bin for cell in cells)
    base = start_chart(cells).mark_rect(color=BLUE)
    x = alt.X("bin:O", title="items, hardest to easiest", axis=alt.Axis(labels=False, ticks=False))
    y = alt.Y("name:N", sort=[names[name] for name in order], title=None)
    opacity = alt.FillOpacity("strength:Q", scale=None)
    figure = base.encode(x, y, opacity, TOOLTIP)
    figure = figure.properties(width=WIDTH, height=max(60, CELL * len(order)))
    steps = {f"{100 * share:.0f}%": share for share in SCALE_STEPS}
    return Plot(cells, add_scale(figure, "mean outcome", steps)) if n_bins > 1 else None


def add_scale(figure: Any, title: str, steps: dict[str, float]) -> Any:
    """Put a strip below a chart that says what the strength of a colour means."""
    rows = [{"label": label, "strength": strength} for label, strength in steps.items()]
    x = alt.X("label:O", sort=list(steps), title=title, axis=alt.Axis(labelAngle=0, ticks=False, domain=False))
    strip = start_chart(rows).mark_rect(color=BLUE).encode(x, alt.FillOpacity("strength:Q", scale=None))
    return alt.vconcat(figure, strip.properties(width=180, height=9), spacing=8)


def order_systems(pairs: Sequence[tuple[str, str]]) -> list[str]:
    """Return the first systems of some pairs in their order."""
    return list(dict.fromkeys([*(first for first, _ in pairs), *(second for _, second in pairs)]))[:MAX_SYSTEMS]


def number_systems(order: Sequence[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return a short name with a number for every system, and the number alone."""
    short = shorten_names(order, 22)
    numbers = {name: str(place) for place, name in enumerate(order, start=1)}
    return {name: f"{short[name]} {numbers[name]}" for name in order}, numbers


def draw_matrix(
    cells: Sequence[object], order: Sequence[str], names: dict[str, str], numbers: dict[str, str], color: alt.Color
) -> Any:
    """Draw the upper half of a table of pairs."""
    x = alt.X("column:N", sort=[numbers[name] for name in order[1:]], title=None)
    x = x.axis(
        orient="top",
        labelAngle=0,
        ticks=False,
        domain=False,
        labelOverlap=True,
        labelFontSize=12 if len(order) <= MAX_LARGE_LABELS else 10,
    )
    y = alt.Y("row:N", sort=[names[name] for name in order[:-1]], title=None)
    opacity = alt.FillOpacity("strength:Q", scale=None)
    figure = start_chart(cells).mark_rect(strokeWidth=0).encode(x, y, color, opacity, TOOLTIP)
    return figure.properties(width=WIDTH, height=max(60, CELL * (len(order) - 1)))
