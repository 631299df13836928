"""Findings of several tasks in the formats of one."""

from __future__ import annotations

import json

from assay.audits import SuiteAudit
from assay.base.codec import to_json
from assay.report.exports.base import EXPORTS


def export_suite(suite: SuiteAudit, format_name: str) -> str:
    """Write the findings of all tasks: annotations below each other, JSON by task, SARIF as one run per task."""
    texts = {task: EXPORTS[format_name](audit) for task, audit in suite.audits.items()}
    if format_name == "json":
        return to_json({"verdict": suite.verdict, "tasks": {task: json.loads(text) for task, text in texts.items()}})
    if format_name == "sarif":
        logs = [json.loads(text) for text in texts.values()]
        return to_json({**logs[0], "runs": [run for log in logs for run in log["runs"]]})
    return "".join(texts.values())
