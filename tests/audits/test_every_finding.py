"""What holds for every finding, every section and all evidence."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from assay.audits import CHECKS, FINDINGS, Audit
from assay.base.marks import unmarked_fields

PAGES = Path(__file__).resolve().parents[2] / "docs" / "findings.md"


@pytest.mark.parametrize("code", FINDINGS)
def test_codes_have_a_stable_form_a_title_and_a_section(code):
    rule = FINDINGS[code]
    assert re.fullmatch(r"A[1-9]\d\d", code)
    assert rule.section in CHECKS
    assert rule.title
    assert rule.judge.__doc__


@pytest.mark.parametrize("code", FINDINGS)
def test_every_finding_has_a_page(code):
    assert f"\n## {code}" in PAGES.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", FINDINGS)
def test_every_finding_has_a_test_of_its_own(code):
    assert f'"{code}"' in (Path(__file__).parent / "test_findings.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", CHECKS)
def test_every_field_of_evidence_that_holds_text_says_where_it_comes_from(name):
    assert list(unmarked_fields(CHECKS[name].result)) == []


def test_every_field_of_an_audit_that_holds_text_says_where_it_comes_from():
    assert list(unmarked_fields(Audit)) == []
