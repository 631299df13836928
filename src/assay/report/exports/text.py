"""Findings as lines of text."""

from __future__ import annotations

from assay.audits import Audit
from assay.report.exports.base import EXPORTS


@EXPORTS.add("text")
def export_text(audit: Audit) -> str:
    """Write the verdict, and a line for each finding."""
    lines = [audit.verdict]
    lines += [f"{finding.severity:<7} {finding.code}  {finding.claim}" for finding in audit.findings]
    return "\n".join(lines) + "\n"
