"""Charts of the splits: divergence next to chance, scores, where folds lie, their sizes and words."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import altair as alt

from assay.checks.profile.charts import draw_word_panels
from assay.checks.splits.results import GIVEN, SplitsEvidence, name_split
from assay.splits.comparison.measuring import MEASURES
from assay.views.charts.base import (
    FEW_NAMES,
    ROW_HEIGHT,
    TOOLTIP,
    Plot,
    chart,
    color_by,
    inline_data,
    set_size,
    shape_by,
    sort_key,
    start_chart,
)
from assay.views.theme import BAND, BLUE, INK, RED
from assay.wording.characters import shorten_names
from assay.wording.numbers import format_number

MAX_SPLITS = 14
MAX_BARS = 24
MAX_LABELS = 12
MAX_POINTS = 1_500
MAX_GIVEN, MAX_DRAWN = 2_000, 1_000  # points of a split of which those are chosen
MAX_SHAPES = 700  # shapes other than circles take more bytes
OTHER = "(other labels)"


@dataclass(frozen=True)
class DivergencePoint:
    """One measure of one split next to the band of random splits."""

    split: str
    measure: str
    value: float
    null_low: float
    null_high: float
    position: str
    tooltip: str


@chart(
    "divergence",
    section="splits",
    title="Do held-out texts differ from training texts?",
    method="How the held-out side of each split differs from its training side (for folds: the mean), and the 95% "
    "band of the same measure over random splits of the same sizes (permutations). A point outside its band: the sides "
    "differ more, or less, than in a random split. “given” are the parts of the data itself.",
    columns={
        "split": "split",
        "measure": "measure",
        "value": "value",
        "null_low": "random, low",
        "null_high": "random, high",
    },
)
def draw_divergence(splits: SplitsEvidence) -> Plot | None:
    """Draw each measure on its own scale: the band of random splits, and the point of this one."""
    points = []
    for split, name, row in splits.list_divergence():
        ends = (row.value, row.null.low, row.null.high)
        if all(map(math.isfinite, ends)):
            value, low, high = map(format_number, ends)
            tooltip = f"{split}, {MEASURES[name]}: {value}; random splits {low} to {high}"
            position = "beyond random splits" if row.is_beyond_null else "like random splits"
            points.append(DivergencePoint(split, MEASURES[name], *ends, position, tooltip))
    if not points:
        return None
    order = list(dict.fromkeys(point.measure for point in points))
    header = alt.Facet("measure:N", header=alt.Header(labelAnchor="start"), sort=order)
    panel = _draw_divergence_panel(points)
    figure = panel.facet(header, columns=2, spacing={"row": 10, "column": 22}).resolve_scale(x="independent")
    return Plot(points, figure)


def _draw_divergence_panel(points: Sequence[DivergencePoint]) -> Any:
    names = list(dict.fromkeys(point.split for point in points))[:MAX_SPLITS]
    axis = alt.Axis(tickCount=3)
    y = alt.Y("split:N", sort=names, title=None, axis=alt.Axis() if len(names) > 1 else None)
    colors = alt.Scale(domain=["like random splits", "beyond random splits"], range=[BLUE, RED])
    color = alt.Color("position:N", scale=colors, legend=alt.Legend(title=None))
    scale = alt.Scale(zero=False, padding=8)
    band = alt.Chart().mark_rule(strokeWidth=9, color=BAND, strokeCap="round")
    dots = alt.Chart().mark_circle(size=90, opacity=1)
    low = alt.X("null_low:Q", title=None, scale=scale, axis=axis)
    bands = band.encode(low, alt.X2("null_high:Q"), y, TOOLTIP)
    marks = dots.encode(alt.X("value:Q", title=None, scale=scale, axis=axis), y, color, TOOLTIP)
    return alt.layer(bands, marks, data=inline_data(points)).properties(width=166, height=alt.Step(24))


@dataclass(frozen=True)
class FoldPoint:
    """The score of a model on one fold."""

    split: str
    model: str
    fold: int
    value: float
    tooltip: str


@chart(
    "scores",
    section="splits",
    title="What does a quick model score under each split?",
    method="Models trained and scored again on every fold (points); the stroke is a model's mean under a split. Splits "
    "that hold out the longest, rarest or most remote texts show what a random split hides. The spread of the points "
    "is between folds; grey lines are 95% Wilson intervals over all held-out items, with several models of the first.",
    columns={"split": "split", "model": "model", "fold": "fold", "value": "accuracy"},
)
def draw_scores(splits: SplitsEvidence) -> Plot | None:
    """Draw every fold as a point, and the mean of each model under each split as a stroke."""
    points = [
        FoldPoint(
            name_split(row.split),
            row.model,
            row.fold,
            row.accuracy,
            f"{name_split(row.split)}, {row.model}, fold {row.fold}: {format_number(row.accuracy)}",
        )
        for row in splits.fold_scores
    ]
    if not points:
        return None
    order = sorted({point.split for point in points}, key=lambda name: (-_mean_score(points, name), name))[:MAX_SPLITS]
    models = list(dict.fromkeys(point.model for point in points))
    title = ["accuracy", "points: folds, stroke: mean, grey: 95% interval"]
    x = alt.X("value:Q", title=title, scale=alt.Scale(zero=False, padding=12), axis=alt.Axis(grid=True))
    y = alt.Y("split:N", sort=order, title=None)
    dots = start_chart(points).mark_circle(size=55, opacity=0.75).encode(x, y, color_by("model", models), TOOLTIP)
    mean = alt.X("mean(value):Q", title=title)
    color = color_by("model", models) if len(models) > 1 else alt.value(INK)
    ticks = start_chart(points).mark_tick(thickness=2.5, height=18, aria=False)
    means = ticks.encode(mean, y, color=color, detail="model:N")
    return Plot(
        points, set_size(_draw_intervals(splits, order, models[0], title) + dots + means, max(100, 30 * len(order)))
    )


def _draw_intervals(splits: SplitsEvidence, order: Sequence[str], model: str, title: list[str]) -> Any:
    """Draw the interval over items of one model under each split."""
    rows = [row for row in splits.scores if name_split(row.split) in order and row.model == model and row.n]
    lines = [
        {"split": name_split(row.split), "low": row.accuracy.low, "high": row.accuracy.high}
        for row in rows
        if math.isfinite(row.accuracy.value)
    ]
    x = alt.X("low:Q", title=title, scale=alt.Scale(zero=False, padding=12))
    rule = start_chart(lines).mark_rule(strokeWidth=6, color=BAND, strokeCap="round", aria=False)
    return rule.encode(x, alt.X2("high:Q"), alt.Y("split:N", sort=list(order), title=None))


def _mean_score(points: Sequence[FoldPoint], split: str) -> float:
    values = [point.value for point in points if point.split == split]
    return sum(values) / len(values)


@dataclass(frozen=True)
class PlanePoint:
    """Where an item lies on the plane of the two main directions, and which fold it is in."""

    split: str
    fold: str
    x: float
    y: float


@chart(
    "scatter",
    section="splits",
    title="Where do parts and folds lie?",
    method="Texts as TF-IDF vectors, reduced to their first two principal components (a projection: texts that are "
    "close here may still differ). At most 1,500 points are drawn (700 if shapes differ). Colours that lie apart "
    "show parts on different topics.",
    columns={"split": "split", "fold": "part or fold", "x": "x", "y": "y"},
)
def draw_scatter(splits: SplitsEvidence) -> Plot | None:
    """Draw texts in two dimensions, coloured by fold, with a panel for each split if there are several."""
    points = list(list_points(splits))
    if not points:
        return None
    n_points = MAX_POINTS if len({point.fold for point in points}) <= FEW_NAMES else MAX_SHAPES
    points = points[:: max(1, -(-len(points) // n_points))]
    names = list(dict.fromkeys(point.split for point in points))[:4]
    folds = sorted({point.fold for point in points}, key=sort_key)
    bare = alt.Axis(labels=False, ticks=False, grid=False, domain=False)
    base = (
        start_chart(points)
        .mark_point(filled=True, size=16, opacity=0.65, aria=False, strokeWidth=0)
        .encode(
            x=alt.X("x:Q", axis=bare, title="first principal component", scale=alt.Scale(zero=False)),
            y=alt.Y("y:Q", axis=bare, title="second principal component", scale=alt.Scale(zero=False)),
            color=color_by("fold", folds),
            shape=shape_by("fold", folds),
        )
    )
    if len(names) == 1:
        return Plot(points, set_size(base, 300))
    header = alt.Facet("split:N", header=alt.Header(labelAnchor="start"), sort=names)
    return Plot(points, base.properties(width=180, height=170).facet(header, columns=2))


def list_points(splits: SplitsEvidence) -> Iterator[PlanePoint]:
    """Yield the items of the given parts, and of the drawn folds that have a plane, with their part or fold."""
    for split, comparison in splits.comparisons.items():
        plane = comparison.projection
        limit = MAX_GIVEN if split == GIVEN else MAX_DRAWN
        if plane is not None:
            for part, x, y in zip(plane.part[:limit], plane.x[:limit], plane.y[:limit], strict=True):
                yield PlanePoint(split, part, x, y)


@dataclass(frozen=True)
class FoldBar:
    """How many held-out items of a fold have a label."""

    split: str
    fold: int
    where: str
    label: str
    name: str
    count: int
    tooltip: str


@chart(
    "fold_sizes",
    section="splits",
    title="How large are the folds, and which labels have they?",
    method="Items held out in each fold, by label. Counted, so exact.",
    columns={"split": "split", "fold": "fold", "label": "label", "count": "items"},
)
def draw_fold_sizes(splits: SplitsEvidence) -> Plot | None:
    """Draw a bar for each fold of each split, stacked by label; labels beyond twelve are summed."""
    folds: dict[str, set[int]] = {}
    totals: dict[str, int] = {}
    for row in splits.fold_labels:
        folds.setdefault(name_split(row.split), set()).add(row.fold)
        totals[row.label] = totals.get(row.label, 0) + row.count
    labels = list(totals)
    if len(labels) > MAX_LABELS:
        labels = sorted(labels, key=lambda label: -totals[label])[: MAX_LABELS - 1]
    counts: dict[tuple[str, int, str], int] = {}
    for row in splits.fold_labels:
        key = (name_split(row.split), row.fold, row.label if row.label in labels else OTHER)
        counts[key] = counts.get(key, 0) + row.count
    names = shorten_names(sorted({label for _, _, label in counts}, key=lambda name: (name == OTHER, sort_key(name))))
    bars = []
    for (split, fold, label), count in counts.items():
        where = f"{split} {fold}" if len(folds[split]) > 1 else split
        tooltip = f"{where}, {label}: {format_number(count)} items"
        bars.append(FoldBar(split, fold, where, label, names[label], count, tooltip))
    order = list(dict.fromkeys(bar.where for bar in bars))[:MAX_BARS]
    if not order:
        return None
    figure = (
        start_chart([bar for bar in bars if bar.where in set(order)])
        .mark_bar()
        .encode(
            x=alt.X("count:Q", title="held-out items"),
            y=alt.Y("where:N", sort=order, title=None),
            color=color_by("name", list(names.values())),
            order=alt.Order("name:N"),
            description=TOOLTIP,
        )
    )
    return Plot(bars, set_size(figure, max(90, len(order) * ROW_HEIGHT)))


@chart(
    "fold_words",
    section="splits",
    title="Which words go with a fold?",
    method="The same z-score as for labels, of a fold compared with the rest, and the same threshold for chance: "
    "random folds have next to none. Folds with words of their own test whether a model generalises to new topics.",
    columns={"group": "fold", "word": "word", "z": "z"},
    shows_words=True,
)
def draw_fold_words(splits: SplitsEvidence) -> Plot | None:
    """Draw a small panel for each fold of each split with its words."""
    return draw_word_panels([(f"{row.split} {row.fold}", row.word, row.z) for row in splits.fold_words])
