"""Charts of information: what is left beyond shortcuts, cues, and trivial baselines."""

from __future__ import annotations

import math
from dataclasses import dataclass

import altair as alt

from assay.checks.information.results import InformationEvidence
from assay.information import Cue
from assay.information.cues.places import describe_kind
from assay.information.view import MAX_CUES as MAX_LISTED_CUES
from assay.information.view import name_shortcuts
from assay.views.blocks import format_value
from assay.views.charts.base import (
    PERCENT,
    ROW_HEIGHT,
    TOOLTIP,
    Plot,
    chart,
    color_by,
    set_size,
    sort_key,
    start_chart,
)
from assay.views.charts.whiskers import draw_whiskers
from assay.views.theme import BLUE, INK, MUTED, RED
from assay.wording.characters import shorten_names

MAX_CUES = 15


@dataclass(frozen=True)
class InformationBar:
    """The information of the full model beyond some shortcuts."""

    shortcuts: str
    value: float
    low: float
    high: float
    tooltip: str


@chart(
    "tsi",
    section="information",
    title="How much is there to learn beyond shortcuts?",
    method="Loss on held-out items of a control model that sees only these shortcuts, minus that of the full model "
    "(Zhu et al.), with the 95% interval over items. The dashed line is the entropy of the labels, the largest "
    "possible value (1 nat = 1.44 bits). A short bar: the shortcuts alone predict nearly as much as the texts. It is a "
    "lower bound, as far as the full model reaches.",
    columns={"shortcuts": "shortcuts known", "value": "information (nats)", "low": "low", "high": "high"},
)
def draw_information(information: InformationEvidence) -> Plot | None:
    """Draw a bar with its interval for each set of shortcuts, and the entropy of the labels as the upper bound."""
    bars = []
    entropy = information.shortcuts.entropy
    for row in information.shortcuts.control:
        estimate, name = row.tsi, name_shortcuts(row.shortcuts)
        if math.isfinite(estimate.value):
            text = f"{name}: {format_value(estimate)} nats"
            bars.append(InformationBar(name, estimate.value, estimate.low, estimate.high, text))
    if not bars:
        return None
    order = list(dict.fromkeys(bar.shortcuts for bar in bars))
    ends = [bound for bar in bars for bound in (bar.value, bar.low, bar.high) if math.isfinite(bound)]
    domain = [min(0.0, *ends), 1.05 * max(entropy, *ends)]
    x = alt.X(
        "value:Q",
        title=["information (nats)", "dashed: all there is,", "the entropy of the labels"],
        scale=alt.Scale(domain=domain),
    )
    y = alt.Y("shortcuts:N", sort=order, title=None)
    figure = start_chart(bars).mark_bar(color=BLUE, opacity=0.75, height=13, cornerRadiusEnd=2).encode(x, y, TOOLTIP)
    whiskers = start_chart(bars).mark_rule(color=INK, strokeWidth=2)
    figure += whiskers.encode(alt.X("low:Q"), alt.X2("high:Q"), y, TOOLTIP)
    limit = [{"entropy": entropy, "tooltip": f"entropy of the labels: {entropy:.3f} nats"}]
    line = start_chart(limit).mark_rule(color=RED, strokeDash=[5, 3], strokeWidth=1.5)
    figure += line.encode(alt.X("entropy:Q"), TOOLTIP)
    return Plot(bars, set_size(figure, max(90, ROW_HEIGHT * len(order))))


@dataclass(frozen=True)
class CueBar:
    """How often a cue's label is right if the cue is present."""

    token: str
    kind: str
    label: str
    legend: str
    name: str
    precision: float
    coverage: float
    p: float
    covers: str
    tooltip: str


@chart(
    "cues",
    section="information",
    title="Which cues predict the label?",
    method="Words, pairs of words and surface features, tested one by one against the label; p is adjusted for all "
    "that were tested. Precision: how often the cue's label is right if the cue is present. Coverage: the share of "
    "items that have it.",
    columns={
        "token": "cue",
        "kind": "kind",
        "label": "label",
        "precision": "precision",
        "coverage": "coverage",
        "p": "p",
    },
    shows_words=True,
)
def draw_cues(information: InformationEvidence) -> Plot | None:
    """Draw the precision of each cue, with its coverage next to it."""
    cues = [cue for cue in information.shortcuts.cues[:MAX_LISTED_CUES] if math.isfinite(cue.precision)][:MAX_CUES]
    if not cues:
        return None
    names = shorten_names((name_cue(cue) for cue in cues), 48)
    labels = shorten_names(sorted({cue.label for cue in cues}, key=sort_key))
    bars = []
    for cue in cues:
        full = name_cue(cue)
        covers = f"{100 * cue.coverage:.1f}%"
        tooltip = f"{full}: right {100 * cue.precision:.1f}%, on {covers} of items"
        parts = (cue.token, describe_kind(cue.kind), cue.label, labels[cue.label], names[full])
        bars.append(CueBar(*parts, cue.precision, cue.coverage, cue.p, covers, tooltip))
    title = ["right if present", "number: share of items"]
    x = alt.X("precision:Q", title=title, scale=alt.Scale(domain=[0, 1.18]))
    x = x.axis(labelExpr=PERCENT, values=[0, 0.5, 1])
    y = alt.Y("name:N", sort=list(names.values()), title=None)
    color = color_by("legend", list(labels.values()))
    figure = start_chart(bars).mark_bar(height=13, cornerRadiusEnd=2).encode(x, y, color, TOOLTIP)
    text = start_chart(bars).mark_text(align="left", dx=5, color=MUTED, fontSize=11)
    return Plot(bars, set_size(figure + text.encode(x, y, alt.Text("covers:N")), max(90, ROW_HEIGHT * len(names))))


def name_cue(cue: Cue) -> str:
    """Name a cue with its place and its label."""
    return f"{cue.token} ({describe_kind(cue.kind)}) → {cue.label}"


@dataclass(frozen=True)
class BaselinePoint:
    """The accuracy of a baseline."""

    name: str
    value: float
    low: float
    high: float
    tooltip: str


@chart(
    "baselines",
    section="information",
    title="What do trivial baselines score?",
    method="Models that see only a part of the input or none of it, on held-out items, with 95% Wilson intervals. "
    "What each scores above the majority shows how far one gets without solving the task.",
    columns={"name": "baseline", "value": "accuracy", "low": "low", "high": "high"},
)
def draw_baselines(information: InformationEvidence) -> Plot | None:
    """Draw the accuracy of each baseline with its interval."""
    points = [
        BaselinePoint(
            row.name,
            row.accuracy.value,
            row.accuracy.low,
            row.accuracy.high,
            f"{row.name}: {format_value(row.accuracy)}",
        )
        for row in information.shortcuts.baselines
        if math.isfinite(row.accuracy.value)
    ]
    if not points:
        return None
    order = [point.name for point in sorted(points, key=lambda point: -point.value)]
    return Plot(points, set_size(draw_whiskers(points, "name", order, "accuracy"), max(90, ROW_HEIGHT * len(order))))
