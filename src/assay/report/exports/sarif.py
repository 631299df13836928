"""Findings in the Static Analysis Results Interchange Format 2.1.0."""

from __future__ import annotations

import inspect
from typing import Any
from urllib.parse import quote

from assay import __version__
from assay.audits import Audit, Finding
from assay.base.codec import to_json
from assay.checks.findings import FINDINGS
from assay.report.exports.base import EXPORTS, Location, Locator
from assay.system.json import JsonObject

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
MAX_LINES = 10  # of one finding


@EXPORTS.add("sarif")
def export_sarif(audit: Audit) -> str:
    """Write one run whose rules are the finding codes."""
    rules = [
        {
            "id": rule.code,
            "name": rule.title.title().replace(" ", ""),
            "shortDescription": {"text": rule.title},
            "fullDescription": {"text": " ".join((inspect.getdoc(rule.judge) or rule.title).split())},
        }
        for rule in FINDINGS.values()
    ]
    locator = Locator(audit)
    driver = {"name": "assay", "version": __version__, "rules": rules}
    results = [write_result(finding, locator.locate(finding)) for finding in audit.findings]
    return to_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]})


def write_result(finding: Finding, location: Location) -> JsonObject:
    """Return the SARIF result of a finding, with a location for each item it names."""
    artifact: dict[str, Any] = {"artifactLocation": {"uri": quote(location.file)}}
    places = [{**artifact, "region": {"startLine": line}} for line in location.lines[:MAX_LINES]] or [artifact]
    return {
        "ruleId": finding.code,
        "level": finding.severity,
        "message": {"text": f"{finding.claim} {finding.action}"},
        "locations": [{"physicalLocation": place} for place in places],
        "properties": {"value": finding.value, "low": finding.low, "high": finding.high},
    }
