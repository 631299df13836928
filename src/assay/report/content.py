"""The content of the page, as plain values for the templates."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from assay.audits import Audit, Section
from assay.checks import CHECKS, Check
from assay.checks.findings import SEVERITIES
from assay.checks.measured import DataSummary
from assay.data.left_out import count_left_out
from assay.kinds import KINDS
from assay.report.drawing import DrawnChart
from assay.report.svg import inline_svg, is_wide, svg_height
from assay.views.blocks import Fact, Table, collect_blocks
from assay.wording.characters import make_visible
from assay.wording.numbers import format_number
from assay.wording.sentences import count_noun

MAX_SVG_CHARACTERS = 180_000
MAX_NOTES = 12
SEVERITY_PLURALS = {"error": "errors", "warning": "warnings", "note": "notes"}
CAPTION_HEIGHT = 100
MAX_CHARACTERS, CELL_GAP, CELL_LINES = 58, 2, 2  # of a table in a column
MAX_FILL = 1.3  # of the gap below a column, that a table may fill
ROW_PIXELS, MAX_TABLE_HEIGHT = 34, 430


@dataclass(frozen=True)
class FigureView:
    """A chart for the inside of the page, with its points as a table."""

    name: str
    title: str
    method: str
    svg: Any
    height: int
    is_wide: bool
    columns: list[str]
    rows: list[list[str]]
    n_rows: int


@dataclass(frozen=True)
class SectionContent:
    """A section with its numbers, charts and tables, or the reason why it was not measured."""

    view: Check
    status: str
    reason: str
    facts: list[Fact]
    tables: list[Table]
    columns: list[list[FigureView | Table]]
    notes: list[str]
    anchors: list[str]


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


def view_sections(
    audit: Audit, figures: Sequence[DrawnChart], anchors: Sequence[str], n_rows: int
) -> list[SectionContent]:
    """Return every section that was requested and has something to show."""
    return [
        view_section(audit, audit.sections[name], CHECKS[name], figures, anchors, n_rows)
        for name in order_sections(audit)
    ]


def order_sections(audit: Audit) -> list[str]:
    """Return the sections that were requested and have something to show, those that could not be measured last."""
    names = [name for name in CHECKS if name in audit.sections and has_content(audit, name)]
    return sorted(names, key=lambda name: audit.sections[name].status != "done")


def has_content(audit: Audit, name: str) -> bool:
    """Return whether a section has anything to show; the leaderboard of a single system was measured but has not."""
    section = audit.sections[name]
    if section.status != "done" or any(finding.section == name for finding in audit.findings):
        return True
    notes = getattr(section.evidence, "notes", ())
    blocks = collect_blocks(CHECKS[name].show(section.evidence))
    return bool(notes or blocks.facts or blocks.sentences) or any(table.rows for table in blocks.tables)


def view_section(
    audit: Audit,
    section: Section,
    view: Check,
    figures: Sequence[DrawnChart],
    anchors: Sequence[str],
    n_rows: int,
) -> SectionContent:
    """Return one section with at most `n_rows` rows in each table."""
    done = section.status == "done"
    private = audit.settings.private
    blocks = collect_blocks(view.show(section.evidence) if done else ())
    tables = [table for table in blocks.tables if not (private and table.shows_words)]
    shown = [view_figure(figure, n_rows) for figure in figures if figure.chart.section == view.name] if done else []
    columns, wide = arrange_in_columns(shown, [cut_table(table, n_rows) for table in tables if table.rows])
    return SectionContent(
        view=view,
        status=section.status,
        reason=end_sentence(section.reason or ""),
        facts=blocks.facts,
        tables=wide,
        columns=columns,
        notes=list(getattr(section.evidence, "notes", ()))[:MAX_NOTES] if done else [],
        anchors=[
            anchor for finding, anchor in zip(audit.findings, anchors, strict=False) if finding.section == view.name
        ],
    )


def end_sentence(text: str) -> str:
    """End a reason with a full stop, as the sentences around it.

    >>> end_sentence("4 rows are too few"), end_sentence("There are no parts."), end_sentence("")
    ('4 rows are too few.', 'There are no parts.', '')
    """
    return f"{text}." if text and text[-1].isalnum() else text


def arrange_in_columns(
    figures: Sequence[FigureView], tables: Sequence[Table]
) -> tuple[list[list[FigureView | Table]], list[Table]]:
    """Distribute charts over two columns of about the same height, and fill what is left with narrow tables.

    The tables that are too wide, or not needed to fill a column, are returned as well.
    """
    columns: list[list[FigureView | Table]] = [[], []]
    heights = [0, 0]
    for figure in figures:
        shorter = int(heights[1] < heights[0])
        columns[shorter].append(figure)
        heights[shorter] += figure.height + CAPTION_HEIGHT
    wide = []
    for table in tables:
        height, shorter = estimate_height(table), int(heights[1] < heights[0])
        gap = heights[1 - shorter] - heights[shorter]
        if is_narrow(table) and height <= MAX_FILL * gap:
            columns[shorter].append(table)
            heights[shorter] += height
        else:
            wide.append(table)
    return columns, wide


def is_narrow(table: Table) -> bool:
    """Return True if a table fits into a column, whose cells have at most two lines and unbroken intervals."""
    columns = zip(table.headings, *table.cells, strict=True)
    return sum(max(map(count_characters, column)) + CELL_GAP for column in columns) <= MAX_CHARACTERS


def count_characters(cell: str) -> int:
    """Return how wide a cell is on two lines: at least its longest word, and the whole of a number with its interval.

    >>> count_characters("0.81 [0.77, 0.85]"), count_characters("texts that are hard to read"), count_characters("")
    (17, 14, 0)
    """
    if "[" in cell:
        return len(cell)
    return max(*(len(word) for word in cell.split() or [""]), (len(cell) + 1) // CELL_LINES)


def estimate_height(table: Table) -> int:
    """Return about how many pixels a table takes; long ones scroll."""
    return min(ROW_PIXELS * (len(table.rows) + 1), MAX_TABLE_HEIGHT) + CAPTION_HEIGHT


def cut_table(table: Table, n_rows: int) -> Table:
    """Return a table of at most so many rows, safe to show, without columns that have no value in any row."""
    table = table.without_empty_columns()
    rows = [[make_visible(cell, 160) for cell in row] for row in table.cells[: max(n_rows, 1)]]
    columns = [make_visible(heading, 60) for heading in table.headings]
    return Table(table.title, columns, rows, table.method, table.shows_words)


def view_figure(figure: DrawnChart, n_rows: int) -> FigureView:
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
        is_wide=is_wide(svg),
        columns=[chart.columns[name] for name in names],
        rows=rows,
        n_rows=len(figure.points),
    )


def write_cell(value: object) -> str:
    """Write one value of a chart's table."""
    return make_visible(format_number(value), 80)


def describe_subject(audit: Audit) -> str:
    """Count the items, those without a gold label, and what was not used.

    Without data the votes, verdicts, systems and datasets of the tables that were audited are counted.
    """
    known = [count_items(audit.data), *_count_unlabelled(audit), *_count_responses(audit)]
    counts = known if audit.data.rows else _count_tables(audit)
    left_out = count_left_out(audit.data.left_out)
    return " · ".join([*counts, *([f"not used: {left_out}"] if left_out else [])])


def _count_unlabelled(audit: Audit) -> list[str]:
    profile = audit.evidence.profile
    n = 0 if profile is None else profile.data.n_unlabelled
    return [f"{'all' if n == audit.data.rows else f'{n:,}'} without a gold label"] if n else []


def _count_responses(audit: Audit) -> list[str]:
    """Count the systems whose responses were read, if no other answers of systems were given."""
    responses = audit.evidence.responses
    if responses is None or audit.settings.systems:
        return []
    return [f"responses of {count_noun(len(responses.systems), 'system')}"]


def _count_tables(audit: Audit) -> list[str]:
    evidence = audit.evidence
    counts: list[str] = []
    if evidence.votes is not None:
        counts += [count_noun(evidence.votes.n_votes, "vote"), count_noun(evidence.votes.n_systems, "system")]
    if evidence.discrimination is not None:
        rows = evidence.discrimination.datasets
        datasets = count_noun(len({(row.benchmark, row.dataset) for row in rows}), "dataset")
        if len(rows) > len({(row.benchmark, row.dataset) for row in rows}):
            datasets += f" with {len(rows):,} metrics"
        counts += [count_noun(evidence.discrimination.n_systems, "system"), datasets]
    if evidence.judges is not None:
        judges = evidence.judges
        counts += [count_noun(judges.n_verdicts, "verdict"), count_noun(len(judges.judges), "judge")]
    return list(dict.fromkeys(counts)) or ["no items"]
