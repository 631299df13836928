"""Findings as workflow commands of GitHub, which become annotations."""

from __future__ import annotations

from assay.audits import Audit
from assay.report.exports.base import EXPORTS

LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


@EXPORTS.add("github")
def export_github(audit: Audit) -> str:
    """Write an annotation for each finding."""
    lines = [
        f"::{LEVELS[finding.severity]} title={escape_property(finding.code)}::"
        f"{escape_message(f'{finding.claim} {finding.action}')}"
        for finding in audit.findings
    ]
    return "".join(f"{line}\n" for line in lines)


def escape_message(text: str) -> str:
    """Escape the message of a workflow command."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape a property of a workflow command."""
    return escape_message(text).replace(":", "%3A").replace(",", "%2C")
