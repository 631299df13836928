"""What is on the page, as plain values for the templates."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.audits import Audit, Finding, ItemRow, Section
from assay.audits.evidence.audit import DataSummary
from assay.audits.findings import SEVERITIES
from assay.base.numbers import format_interval, format_number
from assay.base.wording import count_noun
from assay.kinds import KINDS
from assay.report.blocks import Fact, SectionView, Table
from assay.report.characters import make_visible
from assay.report.drawing import Figure
from assay.report.sections import SECTION_ORDER, SECTION_VIEWS
from assay.report.svg import inline_svg, svg_height
from assay.report.wording import SEVERITY_PLURALS

MAX_SVG_CHARACTERS = 150_000
MAX_FINDINGS = 120
MAX_NOTES = 12
CAPTION_HEIGHT = 100
TILES = ("Items", "Labels", "Information beyond shortcuts (nats)", "Obvious items", "Systems", "λ_hit")
# Item columns in the order people read them; the others are in the JSON and the item files only.
ITEM_COLUMNS = {
    "proposal": "proposal",
    "id": "id",
    "reasons": "why",
    "text": "text",
    "part": "part",
    "label": "label",
    "suggested": "suggested label",
    "case": "case",
    "leak": "leak",
    "divergence": "divergence",
    "information": "information",
    "n_systems_right": "systems right",
    "item_discrimination": "discrimination",
}


@dataclass(frozen=True)
class FindingView:
    """A finding with an anchor of its own and its number in words."""

    finding: Finding
    anchor: str
    number: str | None
    section_title: str


@dataclass(frozen=True)
class FigureView:
    """A chart for the inside of the page, with its points as a table."""

    name: str
    title: str
    method: str
    svg: Any
    height: int
    columns: list[str]
    rows: list[list[str]]
    n_rows: int


@dataclass(frozen=True)
class SectionContent:
    """A section with its numbers, charts and tables, or the reason why it was not measured."""

    view: SectionView
    status: str
    reason: str
    facts: list[Fact]
    tables: list[Table]
    columns: list[list[FigureView]]
    notes: list[str]
    anchors: list[str]


@dataclass(frozen=True)
class ItemTable:
    """The rows of the item table as text, and the columns that have any content."""

    columns: list[tuple[str, str]]
    rows: list[dict[str, str]]
    n_all: int


def count_items(data: DataSummary) -> str:
    """Write the number of items, under the noun of their kind of task."""
    return count_noun(data.rows, KINDS[data.task].item_noun if data.task in KINDS else "item")


def count_severities(audit: Audit) -> list[tuple[str, str]]:
    """Return each severity that occurs, with its count in words."""
    counts = Counter(finding.severity for finding in audit.findings)
    return [
        (severity, f"{counts[severity]} {severity if counts[severity] == 1 else SEVERITY_PLURALS[severity]}")
        for severity in SEVERITIES
        if counts[severity]
    ]


def view_findings(findings: Sequence[Finding]) -> list[FindingView]:
    """Return the first findings with anchors."""
    used: Counter[str] = Counter()
    views = []
    for finding in findings[:MAX_FINDINGS]:
        code = "".join(character for character in finding.code if character.isascii() and character.isalnum())[:12]
        used[code] += 1
        anchor = code if used[code] == 1 else f"{code}-{used[code]}"
        title = SECTION_VIEWS[finding.section].title if finding.section in SECTION_VIEWS else ""
        views.append(FindingView(finding, anchor, write_number(finding), title))
    return views


def write_number(finding: Finding) -> str | None:
    """Write the value of a finding with its interval, or beside what chance gives; None where it has none."""
    if not math.isfinite(finding.value):
        return None
    text = format_interval(finding.value, finding.low, finding.high)
    if not math.isfinite(finding.low) or finding.low <= finding.value <= finding.high:
        return text
    number, _, interval = text.partition(" [")
    return f"{number} [by chance {interval.replace(', ', ' to ')}"


def choose_tiles(audit: Audit) -> list[Fact]:
    """Return the few numbers at the top of the page."""
    facts = {
        fact.name: fact
        for name in SECTION_ORDER
        if name in audit.sections and audit.sections[name].status == "done"
        for fact in SECTION_VIEWS[name].facts(audit.sections[name].evidence)
    }
    return [facts[name] for name in TILES if name in facts]


def view_sections(
    audit: Audit, figures: Sequence[Figure], findings: Sequence[FindingView], n_rows: int
) -> list[SectionContent]:
    """Return every section that was requested."""
    return [
        view_section(audit, audit.sections[name], SECTION_VIEWS[name], figures, findings, n_rows)
        for name in SECTION_ORDER
        if name in audit.sections
    ]


def view_section(
    audit: Audit,
    section: Section,
    view: SectionView,
    figures: Sequence[Figure],
    findings: Sequence[FindingView],
    n_rows: int,
) -> SectionContent:
    """Return one section with at most `n_rows` rows in each table."""
    done = section.status == "done"
    private = audit.settings.private
    tables = [table for table in view.tables(section.evidence) if not (private and table.shows_words)] if done else []
    shown = [view_figure(figure, n_rows) for figure in figures if figure.chart.section == view.name] if done else []
    return SectionContent(
        view=view,
        status=section.status,
        reason=section.reason or "",
        facts=list(view.facts(section.evidence)) if done else [],
        tables=[cut_table(table, n_rows) for table in tables if table.rows],
        columns=arrange_in_columns(shown),
        notes=list(getattr(section.evidence, "notes", ()))[:MAX_NOTES] if done else [],
        anchors=[finding.anchor for finding in findings if finding.finding.section == view.name],
    )


def arrange_in_columns(figures: Sequence[FigureView]) -> list[list[FigureView]]:
    """Distribute charts over two columns of about the same height, in their order."""
    columns: list[list[FigureView]] = [[], []]
    heights = [0, 0]
    for figure in figures:
        shorter = int(heights[1] < heights[0])
        columns[shorter].append(figure)
        heights[shorter] += figure.height + CAPTION_HEIGHT
    return columns


def cut_table(table: Table, n_rows: int) -> Table:
    """Return a table of at most so many rows, safe to show."""
    rows = [[make_visible(cell, 160) for cell in row] for row in table.rows[: max(n_rows, 1)]]
    columns = [make_visible(name, 60) for name in table.columns]
    return Table(table.title, columns, rows, table.method, table.shows_words)


def view_figure(figure: Figure, n_rows: int) -> FigureView:
    """Return a chart for the inside of the page, with its points as a table."""
    import markupsafe

    chart = figure.chart
    svg = inline_svg(figure.svg, chart.name) if figure.svg else ""
    names = [name for name in chart.columns if any(getattr(point, name) is not None for point in figure.points)]
    rows = [[write_cell(getattr(point, name)) for name in names] for point in figure.points[:n_rows]]
    return FigureView(
        name=chart.name,
        title=chart.title,
        method=chart.method,
        svg=markupsafe.Markup(svg if len(svg) <= MAX_SVG_CHARACTERS else ""),  # noqa: S704, rebuilt from allowed elements
        height=svg_height(svg),
        columns=[chart.columns[name] for name in names],
        rows=rows,
        n_rows=len(figure.points),
    )


def write_cell(value: object) -> str:
    """Write one value of a chart's table."""
    return make_visible(format_number(value), 80)


def view_items(audit: Audit, n_rows: int) -> ItemTable:
    """Return at most so many items."""
    rows = audit.items_top
    names = [name for name in ITEM_COLUMNS if any(getattr(row, name) is not None for row in rows)]
    cells = [{name: write_item_cell(row, name) for name in names} for row in rows[:n_rows]]
    return ItemTable([(name, ITEM_COLUMNS[name]) for name in names], cells, audit.items_summary.total)


def write_item_cell(row: ItemRow, name: str) -> str:
    """Write one cell of the item table."""
    value = getattr(row, name)
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, float):
        return format_number(int(value)) if value.is_integer() else f"{value:.2f}"
    return str(value)
