"""Sections of an audit as HTML, drawn once after the audit with the templates of the report."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.audits import Audit

N_TABLE_ROWS = 100


def render_fragments(audit: Audit) -> dict[str, str]:
    """Return the HTML of every section by its name; all text is escaped by the report's templates."""
    from assay.report.characters import make_text_visible
    from assay.report.content import view_findings, view_sections
    from assay.report.drawing import draw_charts
    from assay.report.page import load_templates

    figures = list(draw_charts(audit))
    visible = make_text_visible(audit)
    template = load_templates().get_template("section.html")
    sections = view_sections(visible, figures, view_findings(visible.findings), N_TABLE_ROWS)
    return {section.view.name: template.render(section=section, audit=visible) for section in sections}
