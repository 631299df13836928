"""The parts of the page, each rendered separately from an audit: first screen, findings, items and sections.

The page and the local web page use the same parts; `Links` says where each finds the others.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from assay.audits import Audit, ItemRow
from assay.base.marks import make_text_visible
from assay.checks import list_tab
from assay.report.content import SectionContent, count_severities, order_sections, view_sections
from assay.report.drawing import DrawnChart, draw_charts
from assay.report.finding_groups import MAX_FINDINGS, FindingGroup, find_flagged, group_findings, name_anchors
from assay.report.items import ItemIndex, PackedItems, index_items, pack_items

if TYPE_CHECKING:
    import jinja2
    import markupsafe

STATES = {"ok": "good", "warning": "warning", "problem": "error", "unclear": "unknown", "not checked": "unknown"}
MAX_STATIC_ROWS = 100
MAX_PACKED_BYTES = 1_000_000
# Item columns in the order people read them; the others are in the JSON and the item files only.
ITEM_COLUMNS = {
    "proposal": "proposal",
    "id": "id",
    "reasons": "why",
    "text": "text",
    "part": "part",
    "label": "label",
    "suggested": "suggested label",
    "n_systems_right": "systems right",
}
FILTERS = (
    ("finding", "Finding"),
    ("proposal", "Proposal"),
    ("part", "Part"),
    ("label", "Label"),
    ("solved", "Right for"),
    ("wrong", "Wrong for"),
    ("state", "Response"),
    ("suspicion", "Suspicion"),
    ("order", "Order"),
)


@dataclass(frozen=True)
class Links:
    """The addresses of the parts before `#`, empty for the same page, and of the items before their filter.

    `sections` is None if the sections are nowhere. `prefix` is in front of every anchor, so that a page can have the
    findings of several audits.
    """

    findings: str = ""
    sections: str | None = ""
    items: str = "#items?"
    prefix: str = ""


SAME_PAGE = Links()


@dataclass(frozen=True, eq=False)
class PageContent:
    """An audit with everything its parts share: visible text, the item table, and the items of each finding."""

    audit: Audit
    index: ItemIndex
    flagged: dict[str, Any]

    @property
    def anchors(self) -> list[str]:
        """The anchors of the findings that are shown."""
        return list(self.flagged)


def prepare(audit: Audit) -> PageContent:
    """Return what the parts of a page share."""
    index = index_items(audit)
    return PageContent(make_text_visible(audit), index, find_flagged(audit, index))


def render_overview(content: Audit | PageContent, links: Links = SAME_PAGE) -> markupsafe.Markup:
    """Render the first screen: the headline, six rows, and what to do first."""
    page = _as_content(content)
    audit = page.audit
    groups = group_findings(audit.findings[:MAX_FINDINGS], page.index, page.flagged)
    by_code: dict[str, FindingGroup] = {}
    for group in groups:
        by_code.setdefault(group.code, group)
    return _render(
        "overview.html",
        audit=audit,
        overview=audit.overview,
        severities=count_severities(audit),
        states=STATES,
        anchors=page.anchors,
        actions=[(action, by_code.get(action.code)) for action in audit.overview.actions],
        sections_shown=order_sections(audit),
        **_addresses(links),
    )


def render_findings(content: Audit | PageContent, links: Links = SAME_PAGE) -> markupsafe.Markup:
    """Render the findings by rule, with examples, and the checks that passed or could not be made."""
    page = _as_content(content)
    return _render("findings.html", has_findings=bool(page.audit.findings), findings=render_finding_list(page, links))


def render_finding_list(
    content: Audit | PageContent, links: Links = SAME_PAGE, n_findings: int = MAX_FINDINGS
) -> markupsafe.Markup:
    """Render the findings and checks without a heading of their own."""
    page = _as_content(content)
    shown = page.audit.findings[: min(n_findings, MAX_FINDINGS)]
    return _render(
        "finding_list.html",
        audit=page.audit,
        groups=group_findings(shown, page.index, page.flagged),
        n_left_out=len(page.audit.findings) - len(shown),
        sections_shown=[] if links.sections is None else order_sections(page.audit),
        **_addresses(links),
    )


def render_items(
    content: Audit | PageContent, max_bytes: int = MAX_PACKED_BYTES, max_rows: int = MAX_STATIC_ROWS
) -> markupsafe.Markup:
    """Render the items: compressed for the page's script in at most `max_bytes`, and a table for readers without it."""
    page = _as_content(content)
    if not len(page.index.items):
        return _render_empty()
    packed = pack_items(page.index, page.flagged, max_bytes)
    columns, rows = list_static_rows(page.audit.items_top, max_rows)
    used = choose_filters(page, packed)
    return _render(
        "items.html",
        audit=page.audit,
        packed=packed,
        columns=columns,
        rows=rows,
        anchors=[anchor for anchor, found in page.flagged.items() if len(found)],
        filters=[(name, title) for name, title in FILTERS if name in used],
    )


def render_sections(
    content: Audit | PageContent,
    names: Sequence[str] | None = None,
    figures: Sequence[DrawnChart] | None = None,
    n_rows: int = 100,
) -> markupsafe.Markup:
    """Render some sections (all by default) with their numbers, charts and tables, each table with at most `n_rows` rows."""
    return _render("sections.html", sections=list_sections(content, names, figures, n_rows))


def render_systems(content: Audit | PageContent) -> markupsafe.Markup:
    """Render what the audit says about systems: discrimination, its forecast, votes and judges."""
    return render_sections(content, list_tab("systems"))


def render_splits(content: Audit | PageContent) -> markupsafe.Markup:
    """Render what the audit says about the split."""
    return render_sections(content, list_tab("splits"))


def list_sections(
    content: Audit | PageContent,
    names: Sequence[str] | None,
    figures: Sequence[DrawnChart] | None = None,
    n_rows: int = 100,
) -> list[SectionContent]:
    """Return the content of some sections."""
    page = _as_content(content)
    drawn = list(draw_charts(page.audit, names)) if figures is None else figures
    found = name_anchors(page.audit.findings[:MAX_FINDINGS])
    rows = view_sections(page.audit, drawn, found, n_rows)
    return [row for row in rows if names is None or row.view.name in names]


def choose_filters(page: PageContent, packed: PackedItems) -> set[str]:
    """Name the filters that can leave out something."""
    items = page.index.items
    used = {"proposal", "order"} if packed.n_rows else set()
    used |= {"finding"} if any(len(rows) for rows in page.flagged.values()) else set()
    used |= {name for name in ("part", "label") if items[name].n_unique() > 1}
    used |= {"solved", "wrong"} if page.index.systems else set()
    used |= {"state"} if page.index.responses is not None else set()
    return used | ({"suspicion"} if items["suspicion"].null_count() < len(items) else set())


def list_static_rows(rows: Sequence[ItemRow], n_rows: int) -> tuple[list[tuple[str, str]], list[dict[str, str]]]:
    """Return the columns with any content, and the first items with something against them."""
    chosen = [row for row in rows if row.proposal != "keep" or row.reasons][:n_rows]
    names = [name for name in ITEM_COLUMNS if any(getattr(row, name) is not None for row in chosen)]
    cells = [{name: write_item_cell(row, name) for name in names} for row in chosen]
    return [(name, ITEM_COLUMNS[name]) for name in names], cells


def write_item_cell(row: ItemRow, name: str) -> str:
    """Write one cell of the item table."""
    value = getattr(row, name)
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return ""
    if isinstance(value, float):
        return f"{int(value):,}" if value.is_integer() else f"{value:.2f}"
    return str(value)


def load_templates() -> jinja2.Environment:
    """Return the templates, which escape whatever they are given."""
    import jinja2

    from assay.report.filters import FILTERS

    templates = jinja2.Environment(
        loader=jinja2.PackageLoader("assay.report"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    templates.undefined = jinja2.StrictUndefined
    templates.filters |= FILTERS
    return templates


def _as_content(content: Audit | PageContent) -> PageContent:
    return content if isinstance(content, PageContent) else prepare(content)


def _addresses(links: Links) -> dict[str, str]:
    return {
        "findings_at": links.findings,
        "sections_at": links.sections or "",
        "items_at": links.items,
        "prefix": links.prefix,
    }


def _render(name: str, **values: Any) -> markupsafe.Markup:
    import markupsafe

    return markupsafe.Markup(load_templates().get_template(name).render(**values))  # noqa: S704, the template escaped it


def _render_empty() -> markupsafe.Markup:
    import markupsafe

    return markupsafe.Markup("")
