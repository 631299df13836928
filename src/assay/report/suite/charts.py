"""Charts of several tasks: what systems score on each, and how many items have something against them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import altair as alt

from assay.audits import Audit, SuiteAudit
from assay.report.drawing import DrawnChart
from assay.report.svg import render_svg
from assay.views.charts.base import ROW_HEIGHT, TOOLTIP, Chart, Plot, color_by, link_tooltip, set_size, start_chart
from assay.views.theme import BLUE, INK
from assay.wording.characters import shorten_names
from assay.wording.numbers import write_rounded
from assay.wording.sentences import count_noun

MAX_TASKS = 60
MAX_SYSTEMS = 50
PROPOSALS = ("keep", "repair", "retire")


@dataclass(frozen=True)
class SuiteContent:
    """The content of the charts: the overview, the audit of each task, and the names of the tasks in addresses."""

    suite: SuiteAudit
    audits: Mapping[str, Audit]
    anchors: Mapping[str, str]


@dataclass(frozen=True)
class ScorePoint:
    """The score of a system on a task, or the mean over its systems."""

    task: str
    name: str
    system: str
    value: float
    tooltip: str


@dataclass(frozen=True)
class ProposalBar:
    """How many items of a task have a proposal."""

    task: str
    name: str
    proposal: str
    share: float
    count: int
    tooltip: str


def draw_suite_charts(content: SuiteContent) -> Iterator[DrawnChart]:
    """Draw the charts that have something to show."""
    for chart in (SCORES, PROPOSED):
        plot = chart.draw(content)
        if plot is not None:
            yield DrawnChart(chart, plot.points, render_svg(plot.figure))


def draw_scores(content: SuiteContent) -> Plot | None:
    """Draw a point for each system on each task, and a stroke at the mean of the task."""
    suite = content.suite
    means = [row for row in suite.tasks if math.isfinite(row.mean)][:MAX_TASKS]
    if not means:
        return None
    names = shorten_names(row.task for row in means)
    points = [
        ScorePoint(row.task, names[row.task], "mean", row.mean, f"{row.task}: mean {write_rounded(row.mean, 1)}")
        for row in means
    ]
    comparison = suite.comparison
    for number, task in enumerate(() if comparison is None else comparison.tasks):
        for system in () if comparison is None else comparison.systems[:MAX_SYSTEMS]:
            score = system.scores[number]
            if task.task in names and math.isfinite(score):
                tooltip = f"{task.task}, {system.system}: {write_rounded(score, 1)}"
                points.append(ScorePoint(task.task, names[task.task], system.system, score, tooltip))
    x = alt.X("value:Q", title=["score", "points: systems, stroke: their mean"], scale=alt.Scale(padding=8))
    y = alt.Y("name:N", sort=list(names.values()), title=None)
    dots = start_chart([point for point in points if point.system != "mean"])
    strokes = start_chart([point for point in points if point.system == "mean"])
    figure = dots.mark_circle(size=70, opacity=0.75, color=BLUE).encode(x, y, TOOLTIP)
    figure += strokes.mark_tick(thickness=2.5, height=16, color=INK).encode(x, y, TOOLTIP)
    return Plot(points, set_size(figure, max(90, ROW_HEIGHT * len(names))))


def draw_proposals(content: SuiteContent) -> Plot | None:
    """Draw the share of the items of each task to keep, repair and retire; bars lead to these items."""
    audits, anchors = content.audits, content.anchors
    tasks = [task for task, audit in audits.items() if audit.items_summary.total][:MAX_TASKS]
    if not tasks:
        return None
    names = shorten_names(tasks)
    bars = [bar for task in tasks for bar in list_proposals(task, names[task], audits[task], anchors[task])]
    x = alt.X("share:Q", title="items, in percent", scale=alt.Scale(domain=[0, 100]))
    y = alt.Y("name:N", sort=list(names.values()), title=None)
    order = alt.Order("proposal:N")
    figure = start_chart(bars).mark_bar(height=14).encode(x, y, color_by("proposal", PROPOSALS), order, TOOLTIP)
    return Plot(bars, set_size(figure, max(90, ROW_HEIGHT * len(tasks))))


def list_proposals(task: str, name: str, audit: Audit, anchor: str) -> Sequence[ProposalBar]:
    """Return a bar for each proposal that a task has."""
    bars = []
    for proposal in PROPOSALS:
        count = getattr(audit.items_summary, proposal)
        if count:
            text = f"{task}: {proposal} {count_noun(count, 'item')}"
            tooltip = link_tooltip(text, task=anchor, proposal=proposal)
            bars.append(ProposalBar(task, name, proposal, 100 * count / audit.items_summary.total, count, tooltip))
    return bars


SCORES = Chart(
    "suite-scores",
    "suite",
    "What do systems score on each task?",
    "One point per system, at most 50 systems. Scores are in percent if the scale is known.",
    {"task": "task", "system": "system", "value": "score"},
    draw_scores,
)
PROPOSED = Chart(
    "suite-proposals",
    "suite",
    "How many items have something against them?",
    "Retire: also in training, repeats another item, or solved by shortcuts and by every system. Repair: probably "
    "bad, or a copy with a different label. Keep: everything else. Counted.",
    {"task": "task", "proposal": "proposal", "count": "items"},
    draw_proposals,
)
