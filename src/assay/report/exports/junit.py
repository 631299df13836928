"""Checks as test cases of JUnit XML, which most build servers show."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from assay.audits import Audit, Finding
from assay.checks.findings import FINDINGS
from assay.report.exports.base import EXPORTS
from assay.wording.characters import make_visible

FAILURES = ("error", "warning")  # of severities; notes are output of a test that passed
MAX_TEXT = 1_000


@EXPORTS.add("junit")
def export_junit(audit: Audit) -> str:
    """Write a test case per rule: passed, failed by an error or a warning, or skipped if it could not be checked."""
    findings: dict[str, list[Finding]] = {}
    for finding in audit.findings:
        findings.setdefault(finding.code, []).append(finding)
    failed = [code for code, rows in findings.items() if any(row.severity in FAILURES for row in rows)]
    cases = [_write_case(rows[0].code, rows[0].title, _write_findings(rows)) for rows in findings.values()]
    cases += [_write_case(row.code, row.title, "") for row in audit.passed]
    reasons = [_write_attribute(row.reason or "The section was not measured.") for row in audit.not_checked]
    cases += [
        _write_case(row.code, row.title, f"<skipped message={reason}/>")
        for row, reason in zip(audit.not_checked, reasons, strict=True)
    ]
    sizes = f'tests="{len(cases)}" failures="{len(failed)}" errors="0" skipped="{len(audit.not_checked)}"'
    name = _write_attribute(f"assay audit {audit.data.name}")
    output = f"<system-out>{escape(make_visible(audit.verdict, MAX_TEXT))}</system-out>"
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        f'<testsuites><testsuite name={name} {sizes} time="0">\n{"".join(cases)}{output}</testsuite></testsuites>\n'
    )


def _write_case(code: str, title: str, inner: str) -> str:
    section = FINDINGS[code].section if code in FINDINGS else "audit"
    name = _write_attribute(f"{code} {title}")
    return f'<testcase classname={_write_attribute(f"assay.{section}")} name={name} time="0">{inner}</testcase>\n'


def _write_findings(findings: list[Finding]) -> str:
    """Return one failure with all claims, or the claims of notes as output."""
    claims = "\n".join(make_visible(f"{row.severity}: {row.claim} {row.action}", MAX_TEXT) for row in findings)
    serious = [row for row in findings if row.severity in FAILURES]
    if not serious:
        return f"<system-out>{escape(claims)}</system-out>"
    kind = _write_attribute(serious[0].severity)
    return f"<failure message={_write_attribute(serious[0].claim)} type={kind}>{escape(claims)}</failure>"


def _write_attribute(text: str) -> str:
    return quoteattr(make_visible(text, MAX_TEXT))
