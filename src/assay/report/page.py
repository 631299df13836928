"""The page: one self-contained HTML file that shows an audit."""

from __future__ import annotations

import base64
import hashlib
from typing import TYPE_CHECKING, Any

from assay.audits import Audit, make_private
from assay.checks import CHECKS
from assay.report.content import describe_subject, order_sections
from assay.report.drawing import draw_charts
from assay.report.parts import (
    PageContent,
    load_templates,
    prepare,
    render_findings,
    render_items,
    render_overview,
    render_sections,
)
from assay.system.json import JsonObject
from assay.views.theme import dark_rules
from assay.wording.characters import make_visible

if TYPE_CHECKING:
    import jinja2

MAX_BYTES = 2_000_000
MARGIN = 4_000  # for what the parts add to each other
MIN_ITEM_BYTES = 300_000
BYTES_PER_STATIC_ROW = 1_500
# Fewer rows in the tables, until the rest of the page leaves enough for the items.
SIZES = ((100, 100), (40, 50), (12, 20), (0, 0))


def render_page(audit: Audit, *, private: bool = False) -> str:
    """Return the page of an audit: at most 2 MB, no network, no text of items if private."""
    if private and not audit.settings.private:
        audit = make_private(audit)
    content = prepare(audit)
    figures = list(draw_charts(content.audit))
    parts: dict[str, Any] = {"overview": render_overview(content), "findings": render_findings(content)}
    for n_rows, n_static in SIZES:
        parts["sections"] = render_sections(content, None, figures, n_rows)
        page = fill_template(content, {**parts, "items": ""})
        left = MAX_BYTES - MARGIN - len(page.encode()) - BYTES_PER_STATIC_ROW * n_static
        if left >= MIN_ITEM_BYTES:
            break
    return fill_template(content, {**parts, "items": render_items(content, max(left, 0), n_static)})


def fill_template(content: PageContent, parts: JsonObject) -> str:
    """Write the page around its rendered parts."""
    templates, audit = load_templates(), content.audit
    style, script = (
        read_asset(templates, "page.css") + dark_style(),
        read_asset(templates, "charts.js") + read_asset(templates, "page.js"),
    )
    return templates.get_template("page.html").render(
        audit=audit,
        name=make_visible(audit.data.name or "data", 120),
        n_items=describe_subject(audit),
        parts=parts,
        contents=[(CHECKS[name], audit.sections[name].status) for name in order_sections(audit)],
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


def read_asset(templates: jinja2.Environment, name: str) -> Any:
    """Return our own style or script, which alone may be unescaped."""
    import markupsafe

    assert templates.loader is not None
    return markupsafe.Markup(templates.loader.get_source(templates, name)[0])  # noqa: S704, no data is in it


def dark_style() -> Any:
    """Return the dark colours of the charts, for readers who prefer dark pages, but not for print."""
    import markupsafe

    return markupsafe.Markup("@media screen and (prefers-color-scheme:dark){") + markupsafe.Markup(dark_rules()) + "}"  # noqa: S704, our own colours


def write_policy(style: str, script: str) -> str:
    """Return a content security policy: nothing is loaded, and only our own style and script run.

    Images inside the page are allowed, from which charts are saved as PNG and PDF.
    """
    hashes = [base64.b64encode(hashlib.sha256(str(text).encode()).digest()).decode() for text in (style, script)]
    rules = f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'"
    return f"{rules}; img-src data:; base-uri 'none'; form-action 'none'"
