"""Reports of an audit: a page, charts, a block for a dataset card, Croissant metadata, and exports."""

from typing import TYPE_CHECKING

from assay.base.lazy import lazy_exports

if TYPE_CHECKING:
    from assay.report.figures import write_figures
    from assay.report.page import render_page
    from assay.report.parts import (
        Links,
        prepare,
        render_findings,
        render_items,
        render_overview,
        render_sections,
        render_splits,
        render_systems,
    )
    from assay.report.publication.card import write_card
    from assay.report.publication.citation import write_bibtex
    from assay.report.publication.croissant import write_croissant
    from assay.report.suite import render_suite

__all__ = [
    "Links",
    "prepare",
    "render_findings",
    "render_items",
    "render_overview",
    "render_page",
    "render_sections",
    "render_splits",
    "render_suite",
    "render_systems",
    "write_bibtex",
    "write_card",
    "write_croissant",
    "write_figures",
]

__getattr__, __dir__ = lazy_exports(__name__)
