"""Findings as workflow commands of GitHub, which become annotations."""

from __future__ import annotations

from assay.audits import Audit
from assay.report.exports.base import EXPORTS, Locator
from assay.wording.characters import break_inner_commands, escape_hidden

LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


@EXPORTS.add("github")
def export_github(audit: Audit) -> str:
    """Write an annotation for each finding, at the line of the first item it names."""
    locator = Locator(audit)
    lines = []
    for finding in audit.findings:
        location = locator.locate(finding)
        properties = [f"file={escape_property(location.file)}"]
        properties += [f"line={line}" for line in location.lines[:1]]
        properties.append(f"title={escape_property(f'{finding.code} {finding.title}')}")
        message = escape_message(f"{finding.claim} {finding.action}")
        lines.append(f"::{LEVELS[finding.severity]} {','.join(properties)}::{message}")
    return "".join(f"{line}\n" for line in lines)


def escape_message(text: str) -> str:
    """Escape the message of a workflow command; control characters become visible."""
    visible = break_inner_commands(escape_hidden(text))
    return visible.replace("%", "%25").replace("\n", "%0A")


def escape_property(text: str) -> str:
    """Escape a property of a workflow command."""
    return escape_message(text).replace(":", "%3A").replace(",", "%2C")
