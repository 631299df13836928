"""Findings as JSON."""

from __future__ import annotations

from assay.audits import Audit
from assay.base.codec import to_json
from assay.report.exports.base import EXPORTS


@EXPORTS.add("json")
def export_json(audit: Audit) -> str:
    """Write the verdict, the findings and those that were ignored."""
    return to_json({"verdict": audit.verdict, "findings": audit.findings, "ignored": audit.ignored})
