"""The page: one self-contained HTML file that shows an audit."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from assay.audits import Audit, make_private
from assay.report.characters import make_text_visible, make_visible
from assay.report.drawing import Figure, draw_charts
from assay.report.subject import describe_subject

if TYPE_CHECKING:
    import jinja2

MAX_BYTES = 2_000_000
# Fewer rows of items and of chart tables, until the page fits.
SIZES = ((500, 100), (200, 40), (50, 12), (0, 0))


def render_page(audit: Audit, *, private: bool = False) -> str:
    """Return the page of an audit: at most 2 MB, no network, no text of items where private."""
    if private and not audit.settings.private:
        audit = make_private(audit)
    figures = list(draw_charts(audit))
    visible = make_text_visible(audit)
    page = ""
    for n_items, n_rows in SIZES:
        page = fill_template(visible, figures, n_items, n_rows)
        if len(page.encode()) <= MAX_BYTES:
            break
    return page


def fill_template(audit: Audit, figures: Sequence[Figure], n_items: int, n_rows: int) -> str:
    """Write the page with so many items, and so many rows below each chart."""
    from assay.report.content import (
        choose_tiles,
        count_severities,
        view_findings,
        view_items,
        view_sections,
    )

    templates = load_templates()
    lead, rest = split_verdict(audit.verdict)
    style, script = read_asset(templates, "page.css") + dark_style(), read_asset(templates, "page.js")
    findings = view_findings(audit.findings)
    return templates.get_template("page.html").render(
        audit=audit,
        name=make_visible(audit.data.name or "data", 120),
        n_items=describe_subject(audit),
        verdict_lead=lead,
        verdict_rest=rest,
        severities=count_severities(audit),
        findings=findings,
        tiles=choose_tiles(audit),
        sections=view_sections(audit, figures, findings, n_rows),
        items=view_items(audit, n_items),
        style=style,
        script=script,
        policy=write_policy(style, script),
    )


def split_verdict(verdict: str) -> tuple[str, str]:
    """Split a verdict into its first sentence and the rest.

    >>> split_verdict("Trust it. Most serious: none.")
    ('Trust it.', 'Most serious: none.')
    """
    lead, stop, rest = verdict.partition(". ")
    return lead + stop.strip(), rest


def load_templates() -> jinja2.Environment:
    """Return the templates, which escape whatever they are given."""
    import jinja2

    from assay.report.filters import mark_quotes, split_interval

    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("assay.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    templates.undefined = jinja2.StrictUndefined
    templates.filters |= {"visible": make_visible, "quotes": mark_quotes, "interval": split_interval}
    return templates


def read_asset(templates: jinja2.Environment, name: str) -> Any:
    """Return our own style or script, which alone may be unescaped."""
    import markupsafe

    assert templates.loader is not None
    return markupsafe.Markup(templates.loader.get_source(templates, name)[0])  # noqa: S704, no data is in it


def dark_style() -> Any:
    """Return the dark colours of the charts, for readers who prefer dark pages, but not for print."""
    import markupsafe

    from assay.report.theme import dark_rules

    return markupsafe.Markup("@media screen and (prefers-color-scheme:dark){") + markupsafe.Markup(dark_rules()) + "}"  # noqa: S704, our own colours


def write_policy(style: str, script: str) -> str:
    """Return a content security policy: nothing is loaded, and only our own style and script run."""
    hashes = [base64.b64encode(hashlib.sha256(str(text).encode()).digest()).decode() for text in (style, script)]
    rules = f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'"
    return f"{rules}; base-uri 'none'; form-action 'none'"
