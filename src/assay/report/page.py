"""The page: one self-contained HTML file that says what an audit found."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from assay.report.characters import visible
from assay.report.charts_of import Figure, charts_of
from assay.report.figures import is_private
from assay.report.items import items_of
from assay.report.plain_audit import plain_audit
from assay.report.privacy import without_texts

if TYPE_CHECKING:
    import jinja2

MOST_BYTES = 2_000_000
# Fewer rows of items and of chart tables, until the page fits.
SIZES = ((500, 100), (200, 40), (50, 12), (0, 0))
MOST_FINDINGS = 120


def render(audit: Any, *, private: bool = False) -> str:
    """Return the page of an audit, or of its saved JSON: at most 2 MB, no network, no item text where private."""
    told = plain_audit(audit)
    told = without_texts(told) if private and not is_private(told) else told
    private = private or is_private(told)
    figures = list(charts_of(told, private=private))
    page = ""
    for n_items, n_rows in SIZES:
        page = written(told, figures, n_items, n_rows, private=private)
        if len(page.encode()) <= MOST_BYTES:
            break
    return page


def written(told: Mapping[str, Any], figures: list[Figure], n_items: int, n_rows: int, *, private: bool) -> str:
    """Write the page with so many items, and so many rows below each chart."""
    from assay.report.contents import chapters, findings, severities, tiles

    home = environment()
    lead, rest = halves(visible(told["verdict"], 1_500))
    style, script = source(home, "page.css") + dark(), source(home, "page.js")
    return home.get_template("page.html").render(
        audit=told,
        name=visible((told.get("data") or {}).get("name") or "data", 120),
        verdict_lead=lead,
        verdict_rest=rest,
        severities=severities(told),
        findings=findings(told, MOST_FINDINGS),
        n_findings=len(told.get("findings") or []),
        tiles=tiles(told),
        chapters=chapters(told, figures, n_rows, private=private),
        items=items_of(told, n_items, private=private),
        private=private,
        style=style,
        script=script,
        policy=policy(style, script),
    )


def halves(verdict: str) -> tuple[str, str]:
    """Part a verdict into its first sentence and the rest.

    >>> halves("Trust it. Gravest: none.")
    ('Trust it.', 'Gravest: none.')
    """
    lead, stop, rest = verdict.partition(". ")
    return lead + stop.strip(), rest


def environment() -> jinja2.Environment:
    """Return the templates, which escape whatever they are given."""
    import jinja2

    from assay.report.filters import marked, spread

    home = jinja2.Environment(
        loader=jinja2.PackageLoader("assay.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    home.undefined = jinja2.StrictUndefined
    home.filters |= {"visible": visible, "marked": marked, "spread": spread}
    return home


def source(home: jinja2.Environment, name: str) -> Any:
    """Return our own style or script, which alone may stand unescaped."""
    import markupsafe

    assert home.loader is not None
    return markupsafe.Markup(home.loader.get_source(home, name)[0])  # noqa: S704, no data is in it


def dark() -> Any:
    """Return the dark colours of the charts, for those who ask for dark pages, but not for print."""
    import markupsafe

    from assay.report.theme import dark_rules

    return markupsafe.Markup("@media screen and (prefers-color-scheme:dark){") + markupsafe.Markup(dark_rules()) + "}"  # noqa: S704, our own colours


def policy(style: str, script: str) -> str:
    """Return a content security policy: nothing is loaded, and only our own style and script run."""
    hashes = [base64.b64encode(hashlib.sha256(str(text).encode()).digest()).decode() for text in (style, script)]
    rules = f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'"
    return f"{rules}; base-uri 'none'; form-action 'none'"
