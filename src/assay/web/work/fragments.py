"""The parts of the report for the tabs, drawn once after the audit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from assay.audits import Audit
    from assay.web.store import Version

N_TABLE_ROWS = 100


def write_fragments(version: Version, audit: Audit) -> None:
    """Write first screen, findings and sections as HTML, and the items of each finding.

    All text is escaped by the report's templates.
    """
    from assay.report import Links, prepare, render_findings, render_overview, render_sections
    from assay.report.drawing import draw_charts
    from assay.web.items.writing import write_flagged

    home = f"/versions/{version.id}"
    links = Links(findings=f"{home}/findings", sections=f"{home}/sections", items=f"{home}/items?")
    content = prepare(audit)
    figures = list(draw_charts(content.audit))
    fragments: dict[str, Any] = {}
    for name in audit.sections:
        section = str(render_sections(content, (name,), figures, N_TABLE_ROWS))
        fragments[f"section {name}"] = section.replace('href="#A', f'href="{home}/findings#A')  # quotes are escaped
    fragments["overview"] = str(render_overview(content, links))
    fragments["findings"] = str(render_findings(content, links))
    version.write("sections.json", fragments)
    write_flagged(version.folder, content.flagged)
