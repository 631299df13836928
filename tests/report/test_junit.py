"""JUnit XML of an audit: well formed, the counts add up, and every rule is one test case."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import assay
from assay.audits import audit_suite
from assay.cli.main import status
from assay.report.exports import EXPORTS, export_suite

LEAK = {
    "text": [f"text <{n}> & \x07 of them" for n in range(20)] * 2,
    "label": [str(n % 2) for n in range(20)] * 2,
    "split": ["train"] * 20 + ["test"] * 20,
}


@pytest.fixture(scope="module")
def leaking():
    return assay.audit(LEAK, only=["profile"])


def check_suite(suite, audit):
    """Check what the schema of JUnit asks for: attributes, kinds of children, and counts."""
    cases = suite.findall("testcase")
    assert {child.tag for child in suite} <= {"testcase", "system-out"}
    assert {child.tag for case in cases for child in case} <= {"failure", "skipped", "system-out"}
    assert all({"classname", "name", "time"} == case.attrib.keys() for case in cases)
    assert int(suite.get("tests")) == len(cases)
    assert int(suite.get("failures")) == sum(case.find("failure") is not None for case in cases)
    assert int(suite.get("skipped")) == sum(case.find("skipped") is not None for case in cases)
    codes = {finding.code for finding in audit.findings}
    assert len(cases) == len(codes) + len(audit.passed) + len(audit.not_checked)


def test_every_rule_is_a_test_case(leaking):
    suite = ET.fromstring(EXPORTS["junit"](leaking)).find("testsuite")
    check_suite(suite, leaking)
    failed = [case.get("name") for case in suite.findall("testcase") if case.find("failure") is not None]
    assert "A101 Exact copies across parts" in failed


def test_several_tasks_are_several_suites(leaking):
    result = audit_suite({"one": LEAK, "two": LEAK}, only=["profile"])
    suites = ET.fromstring(export_suite(result, "junit")).findall("testsuite")
    assert len(suites) == 2
    for suite, audit in zip(suites, result.audits.values(), strict=True):
        check_suite(suite, audit)


def test_the_command_writes_the_step_summary(tmp_path, monkeypatch, capsys):
    (tmp_path / "data.tsv").write_text("text\tlabel\n" + "".join(f"text {n}\t{n % 2}\n" for n in range(20)))
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "summary.md"))
    command = ["audit", str(tmp_path / "data.tsv"), "--only", "profile", "--no-cache", "--format", "junit"]
    assert status([*command, "--step-summary"]) == 0
    assert ET.fromstring(capsys.readouterr().out.encode()).tag == "testsuites"
    assert "20 items" in (tmp_path / "summary.md").read_text(encoding="utf-8")
    monkeypatch.delenv("GITHUB_STEP_SUMMARY")
    assert status([*command, "--step-summary"]) == 2
