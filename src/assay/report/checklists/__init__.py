"""Checklists for papers, filled in as far as an audit has evidence."""

from assay.report.checklists.filling import CHECKLISTS, fill_checklist

__all__ = ["CHECKLISTS", "fill_checklist"]
