"""What holds for every finding, every section and all evidence."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest
from tests.marks import unmarked_fields

from assay.audits import CHECKS, FINDINGS, Audit
from assay.checks import TOPICS

ROOT = Path(__file__).resolve().parents[2]


@cache
def read_tests() -> dict[str, str]:
    """Return the code of all tests but this one, by their paths."""
    paths = [path for path in (ROOT / "tests").rglob("test_*.py") if path != Path(__file__)]
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}


@pytest.mark.parametrize("code", FINDINGS)
def test_codes_have_a_stable_form_a_title_and_a_section(code):
    rule = FINDINGS[code]
    assert re.fullmatch(r"A[1-9]\d\d", code)
    assert rule.section in CHECKS
    assert rule.topic in TOPICS
    assert rule.title
    assert rule.judge.__doc__


@pytest.mark.parametrize("code", FINDINGS)
def test_every_finding_is_raised_in_a_test_from_data(code):
    """A test names the code in double quotes and audits data, as a user would."""
    assert [path for path, text in read_tests().items() if f'"{code}"' in text and "assay.audit(" in text]


def test_the_page_of_findings_has_the_titles_of_the_rules():
    page = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (A\d+)\n\n\*\*(.+?)\*\* \(section `(\w+)`", page, re.M)
    assert sections == [(code, FINDINGS[code].title, FINDINGS[code].section) for code, _, _ in sections]
    assert len(sections) == len(re.findall(r"^## A\d+", page, re.M))


@pytest.mark.parametrize("name", CHECKS)
def test_every_field_of_evidence_that_holds_text_says_where_it_comes_from(name):
    assert list(unmarked_fields(CHECKS[name].result)) == []


def test_every_field_of_an_audit_that_holds_text_says_where_it_comes_from():
    assert list(unmarked_fields(Audit)) == []
