"""The page of several tasks: an overview, the verdict and findings of each task, and all their items."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.audits import Audit, SuiteAudit, make_private
from assay.base.parameters import Options
from assay.checks.topics import TOPICS
from assay.report.content import FigureView, count_items, count_severities, cut_table, view_figure
from assay.report.items import PackedItems, pack_items
from assay.report.page import MARGIN, MAX_BYTES, dark_style, read_asset, split_verdict, write_policy
from assay.report.parts import FILTERS, STATES, Links, PageContent, load_templates, prepare, render_finding_list
from assay.report.suite.charts import SuiteContent, draw_suite_charts
from assay.views.blocks import collect_blocks
from assay.wording.characters import make_visible
from assay.wording.sentences import count_noun

MAX_FINDINGS = (120, 40, 12, 3)  # of a task, fewer until the page leaves enough for the items
MIN_ITEM_BYTES = 300_000
MAX_POINTS = 100  # in the tables of charts
MAX_ROWS = 1_000  # of a table


@dataclass(frozen=True)
class TopicCell:
    """The status of a topic in a task, and the finding to read first."""

    status: str
    state: str
    anchor: str
    label: str


@dataclass(frozen=True)
class TaskView:
    """One task on the page."""

    anchor: str
    name: str
    about: str
    lead: str
    rest: str
    severities: Sequence[tuple[str, str]]
    cells: Sequence[TopicCell]
    findings: Any
    n_findings: int
    audit: Audit


@dataclass(frozen=True)
class TaskItems:
    """The packed items of one task."""

    anchor: str
    name: str
    packed: PackedItems


def render_suite(suite: SuiteAudit, *, private: bool = False) -> str:
    """Return the page of several tasks: at most 2 MB, no network, no text of items if private."""
    audits = suite.audits
    if private:
        audits = {task: audit if audit.settings.private else make_private(audit) for task, audit in audits.items()}
    contents = {task: prepare(audit) for task, audit in audits.items()}
    anchors = {task: f"task-{number}" for number, task in enumerate(audits, start=1)}
    visible = {task: content.audit for task, content in contents.items()}
    figures = [view_figure(figure, MAX_POINTS) for figure in draw_suite_charts(SuiteContent(suite, visible, anchors))]
    values = describe_suite(suite, next(iter(visible.values())), figures)
    for n_findings in MAX_FINDINGS:
        tasks = [view_task(anchors[task], task, content, n_findings) for task, content in contents.items()]
        left = MAX_BYTES - MARGIN - len(fill_suite_template(values, tasks, ()).encode())
        if left >= MIN_ITEM_BYTES:
            break
    return fill_suite_template(values, tasks, pack_tasks(contents, anchors, max(left, 0)))


def pack_tasks(contents: dict[str, PageContent], anchors: dict[str, str], max_bytes: int) -> list[TaskItems]:
    """Pack the items of all tasks, the smallest task first: what it does not need is left to the others."""
    order = sorted(contents, key=lambda task: len(contents[task].index.items))
    packs: dict[str, TaskItems] = {}
    for number, task in enumerate(order):
        content = contents[task]
        if len(content.index.items):
            packed = pack_items(content.index, content.flagged, max_bytes // (len(order) - number))
            max_bytes -= len(packed.data)
            packs[task] = TaskItems(anchors[task], make_visible(task, 120), packed)
    return [packs[task] for task in contents if task in packs and packs[task].packed.n_rows]


def describe_suite(suite: SuiteAudit, first: Audit, figures: Sequence[FigureView]) -> Options:
    """Return what the page says about all tasks together."""
    lead, rest = split_verdict(suite.verdict)
    return {
        "name": make_visible(suite.name, 120),
        "about": describe_size(suite),
        "lead": lead,
        "rest": rest,
        "topics": [topic.title for topic in TOPICS.values()],
        "figures": figures,
        "tables": [cut_table(table, MAX_ROWS) for table in collect_blocks(suite.blocks()).tables],
        "left_out": [(make_visible(task, 120), reason) for task, reason in suite.left_out.items()],
        "settings": first.settings,
        "filters": FILTERS,
    }


def fill_suite_template(values: Options, tasks: Sequence[TaskView], packs: Sequence[TaskItems]) -> str:
    """Write the page around its tasks and their items."""
    templates = load_templates()
    style = read_asset(templates, "page.css") + read_asset(templates, "suite.css") + dark_style()
    script = read_asset(templates, "charts.js") + read_asset(templates, "page.js")
    assets = {"style": style, "script": script, "policy": write_policy(style, script)}
    return templates.get_template("suite.html").render(tasks=tasks, packs=packs, **values, **assets)


def describe_size(suite: SuiteAudit) -> str:
    """Write the numbers of tasks, items and systems."""
    n_items = sum(row.n_items for row in suite.tasks)
    n_systems = max((row.n_systems for row in suite.tasks), default=0)
    if suite.comparison is not None:
        n_systems = len(suite.comparison.systems)
    names = {"task": len(suite.tasks), "item": n_items, "system": n_systems}
    return " · ".join(count_noun(n, name) for name, n in names.items())


def view_task(anchor: str, task: str, content: PageContent, n_findings: int) -> TaskView:
    """Return what the page shows of one task."""
    audit = content.audit
    lead, rest = split_verdict(audit.verdict)
    links = Links(items=f"#items?task={anchor}&", prefix=f"{anchor}-", sections=None)
    return TaskView(
        anchor=anchor,
        name=make_visible(task, 120),
        about=f"{count_items(audit.data)} · {audit.data.task}",
        lead=lead,
        rest=rest,
        severities=count_severities(audit),
        cells=view_topics(anchor, content, n_findings),
        findings=render_finding_list(content, links, n_findings),
        n_findings=len(audit.findings),
        audit=audit,
    )


def view_topics(anchor: str, content: PageContent, n_findings: int) -> list[TopicCell]:
    """Return the status of every topic, with a link to its first finding if the page has it."""
    cells = []
    shown = set(content.anchors[:n_findings])
    for row in content.audit.overview.rows:
        target = f"{anchor}-{row.code}" if row.code in shown else anchor
        detail = f"{row.number} {row.unit}" if row.number else row.reason
        label = f"{row.title}: {row.status}{f', {detail}' if detail else ''}"
        cells.append(TopicCell(row.status, STATES[row.status], target, make_visible(label, 200)))
    return cells
