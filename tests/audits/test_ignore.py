"""Findings that are ignored on request: kept with the reason, and counted nowhere else."""

from __future__ import annotations

import json

import pytest
from tests.example_audit import make_audit

from assay.audits import Audit, audit, compare_audits, make_private
from assay.audits.failing import has_failed
from assay.audits.ignore import IgnoreRule, find_unused, parse_ignore, read_ignore
from assay.audits.run import assemble
from assay.base.codec import to_json
from assay.base.errors import UsageError
from assay.cli.main import status
from assay.report import render_page
from assay.report.exports import EXPORTS


def ignore(result: Audit, *entries: str) -> Audit:
    """Draw the conclusions of an audit again, with some findings ignored."""
    return assemble(result.sections, result.data, result.settings, result.items, None, read_ignore(entries))


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("A401", IgnoreRule("A401")),
        ("a401", IgnoreRule("A401")),
        ("A401:not", IgnoreRule("A401", "not")),
        ("A401=a reason = why", IgnoreRule("A401", "", "a reason = why")),
        ("A401 : not = negation", IgnoreRule("A401", "not", "negation")),
    ],
)
def test_an_entry_names_a_code_a_subject_and_a_reason(text, rule):
    assert parse_ignore(text) == rule


@pytest.mark.parametrize("entries", ["A999", ["A401", ""], [3]])
def test_what_names_no_finding_is_refused(entries):
    with pytest.raises(UsageError):
        read_ignore(entries)


def test_an_ignored_finding_moves_and_takes_its_reason_along():
    full = make_audit()
    finding = full.findings[0]
    result = ignore(full, f"{finding.code}=known and accepted")
    moved = [row for row in full.findings if row.code == finding.code]
    assert [row.claim for row in result.ignored] == [row.claim for row in moved]
    assert {row.reason for row in result.ignored} == {"known and accepted"}
    assert result.findings == tuple(row for row in full.findings if row.code != finding.code)
    assert (result.passed, result.not_checked) == (full.passed, full.not_checked)
    assert finding.claim not in result.verdict
    assert result.verdict != full.verdict


def test_a_subject_ignores_one_finding_of_a_rule():
    full = make_audit()
    subjects = [row.subject for row in full.findings if row.code == "A401"]
    assert len(subjects) > 1
    result = ignore(full, f"A401:{subjects[0].upper()}")
    assert [row.subject for row in result.ignored] == subjects[:1]
    assert [row.subject for row in result.findings if row.code == "A401"] == subjects[1:]


def test_ignored_findings_fail_no_check_and_are_in_no_export():
    full = make_audit()
    codes = sorted({finding.code for finding in full.findings})
    result = ignore(full, *codes)
    assert result.findings == ()
    assert has_failed(full.findings, ["note"])
    assert not has_failed(result.findings, ["note"])
    assert EXPORTS["github"](result) == ""
    assert json.loads(EXPORTS["sarif"](result))["runs"][0]["results"] == []
    assert [row["code"] for row in json.loads(EXPORTS["json"](result))["ignored"]] == [
        row.code for row in result.ignored
    ]
    assert f"{len(result.ignored)} findings were ignored on request." in result.verdict


def test_the_json_keeps_them():
    result = ignore(make_audit(), "A401=by design")
    values = json.loads(to_json(result))
    assert {"code", "subject", "reason", "claim"} <= values["ignored"][0].keys()
    assert Audit.from_dict(values).ignored == result.ignored
    del values["ignored"]
    assert Audit.from_dict(values).ignored == ()  # an audit written before


def test_a_private_audit_ignores_a_word_it_does_not_show():
    full = make_audit()
    word = "secretive"
    assert word in [row.subject for row in full.findings if row.code == "A401"]
    result = make_private(ignore(full, f"A401:{word}=the topic"))
    assert [row.reason for row in result.ignored] == ["the topic"]
    assert (
        len([row for row in result.findings if row.code == "A401"])
        == len([row for row in full.findings if row.code == "A401"]) - 1
    )
    assert word not in to_json(result)
    settings = make_audit(private=True).settings
    fresh = assemble(full.sections, full.data, settings, full.items, None, read_ignore(f"A401:{word}"))
    assert len(fresh.ignored) == 1
    assert word not in to_json(fresh)


def test_a_finding_that_is_ignored_now_is_not_gone():
    full = make_audit()
    comparison = compare_audits(full, ignore(full, "A401"))
    assert {finding.code for finding in comparison.ignored} == {"A401"}
    assert comparison.gone == ()
    assert {finding.code for finding in compare_audits(ignore(full, "A401"), full).new} == {"A401"}


def test_an_entry_that_matches_nothing_is_named():
    result = ignore(make_audit(), "A401:not")
    rules = read_ignore(["A401", "A401:not", "A401:absent", "A206"])
    assert find_unused(rules, result.ignored) == [IgnoreRule("A401", "absent"), IgnoreRule("A206")]


def test_the_page_lists_ignored_passed_and_unchecked_rules():
    result = ignore(make_audit(), "A401:not=<b>negation</b>")
    page = render_page(result)
    assert "Ignored: 1" in page
    assert "&lt;b&gt;negation&lt;/b&gt;" in page
    assert "<b>negation</b>" not in page
    assert f"Passed: {len(result.passed)}" in page
    assert f"Not checked: {len(result.not_checked)}" in page
    assert all(rule.title in page for rule in (*result.passed, *result.not_checked))


def test_audit_takes_it_and_refuses_before_any_work():
    data = {"id": list("abcd"), "text": ["x y", "x y", "p q", "r s"], "label": list("abab"), "split": ["train"] * 4}
    codes = {finding.code for finding in audit(data, only=["profile"]).findings}
    result = audit(data, only=["profile"], ignore=sorted(codes))
    assert codes
    assert {finding.code for finding in result.ignored} == codes
    with pytest.raises(UsageError, match="A999"):
        audit("no such file", ignore="A999")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    rows = [f"text number {n} of them\t{n % 2}\ttrain" for n in range(20)]
    rows += [f"text number {n} of them\t{n % 2}\ttest" for n in range(10)]
    (tmp_path / "data.tsv").write_text("text\tlabel\tsplit\n" + "\n".join(rows) + "\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_command_line_and_the_plan(folder, capfd):
    command = ["audit", "data.tsv", "--only", "profile", "--no-cache", "--check"]
    with pytest.raises(SystemExit, match="1"):
        status(command)
    output = capfd.readouterr().out
    assert "A101" in output
    assert "0 ignored." in output
    assert status([*command, "--ignore", "A101=same texts on purpose", "--ignore", "A401:zz"]) == 0
    printed = capfd.readouterr()
    assert "same texts on purpose" in printed.out
    assert "1 ignored." in printed.out
    assert "Nothing to ignore: A401:zz." in printed.err
    (folder / "assay.toml").write_text('[audit]\nignore = ["A101:test=from the plan"]\n')
    assert status([*command, "--json", "audit.json"]) == 0
    assert "from the plan" in capfd.readouterr().out
    assert [row["reason"] for row in json.loads((folder / "audit.json").read_text())["result"]["ignored"]] == [
        "from the plan"
    ]
    assert status([*command, "--ignore", "A999"]) == 2
