"""Findings in the Static Analysis Results Interchange Format 2.1.0."""

from __future__ import annotations

from typing import Any

from assay import __version__
from assay.audits.findings import FINDINGS
from assay.base.codec import to_json

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(audit: dict[str, Any]) -> str:
    """Write one run whose rules are the finding codes."""
    rules = [
        {"id": check.code, "name": check.title.title().replace(" ", ""), "shortDescription": {"text": check.title}}
        for check in FINDINGS.values()
    ]
    driver = {"name": "assay", "version": __version__, "rules": rules}
    results = [_result(one, audit["data"]["name"]) for one in audit["findings"]]
    return to_json({"$schema": SCHEMA, "version": "2.1.0", "runs": [{"tool": {"driver": driver}, "results": results}]})


def _result(finding: dict[str, Any], name: str) -> dict[str, Any]:
    place = {"physicalLocation": {"artifactLocation": {"uri": name}}}
    message = {"text": f"{finding['claim']} {finding['action']}"}
    told = {"ruleId": finding["code"], "level": finding["severity"], "message": message, "locations": [place]}
    return {**told, "properties": {name: finding[name] for name in ("value", "low", "high")}}
