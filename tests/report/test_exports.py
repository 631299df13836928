"""Findings for build servers: no text of the data leaves its annotation."""

from dataclasses import replace

from tests.example_audit import make_audit

from assay.report.exports import EXPORTS


def test_text_of_the_data_cannot_leave_its_annotation():
    audit = make_audit()
    claim = "a\x1b[2J\r\n::error::b ##[group]c\u2028::warning::d % e"
    hostile = replace(audit, findings=(replace(audit.findings[0], claim=claim),))
    (line,) = EXPORTS["github"](hostile).splitlines()
    assert line.startswith("::error file=")
    assert "a\\x1b[2J\\r%0A::error::b #\\#[group]c\\u2028::warning::d %25 e" in line
    assert "\x1b" not in EXPORTS["sarif"](hostile)
