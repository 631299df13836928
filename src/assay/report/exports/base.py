"""Shared code of the export formats: their registry, the places of findings, and several tasks."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass

from assay.audits import Audit, Finding, SuiteAudit
from assay.base.codec import to_json
from assay.base.registry import Registry

EXPORTS: Registry[Callable[[Audit], str]] = Registry("format")


def export_suite(suite: SuiteAudit, format_name: str) -> str:
    """Write the findings of all tasks: annotations below each other, JSON by task, SARIF as one run per task."""
    texts = {task: EXPORTS[format_name](audit) for task, audit in suite.audits.items()}
    if format_name == "json":
        return to_json({"verdict": suite.verdict, "tasks": {task: json.loads(text) for task, text in texts.items()}})
    if format_name == "sarif":
        logs = [json.loads(text) for text in texts.values()]
        return to_json({**logs[0], "runs": [run for log in logs for run in log["runs"]]})
    if format_name == "junit":
        suites = [text.partition("<testsuites>")[2].rpartition("</testsuites>")[0] for text in texts.values()]
        return f'<?xml version="1.0" encoding="utf-8"?>\n<testsuites>{"".join(suites)}</testsuites>\n'
    return "".join(texts.values())


@dataclass(frozen=True)
class Location:
    """A file, as it was named, and the lines of some items in it; none if rows are not lines."""

    file: str
    lines: tuple[int, ...] = ()


class Locator:
    """Find the lines of items in the audited file."""

    def __init__(self, audit: Audit) -> None:
        """Number the items of an audit; an audit read from JSON has no items, so only files are known then."""
        self.file = audit.data.file or audit.data.name
        first = audit.data.first_line
        has_lines = first is not None and audit.items is not None
        ids = audit.items["id"].to_list() if has_lines and audit.items is not None else []
        self.lines = {item: row + (first or 1) for row, item in enumerate(ids)}

    def locate(self, finding: Finding) -> Location:
        """Return where a finding is."""
        return Location(self.file, tuple(self.lines[item] for item in finding.items if item in self.lines))
