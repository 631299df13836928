"""Audits to show: one written by hand, and one whose every name and text is hostile."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.example_audit import make_audit

from assay.audits import Audit
from assay.base.marks import rewrite_text
from assay.report import render_page

HOSTILE = (
    "</script><script>document.title='PWNED'</script><img src=x onerror=\"document.title='PWNED'\"> "
    "{{ 7*7 }} {% raw %} ${7*7} ]]> --> \u202e\u2066abc \x00\x01\x1b\x7f\ud800\ufffe\u2028 🙂𝔘"
)


def make_hostile() -> Audit:
    audit = rewrite_text(make_audit(), lambda text, mark: text if mark == "own" else f"{text} {HOSTILE}")
    rows = audit.items_top
    long_text, long_id = replace(rows[0], text="<b>" + "x" * 1_000_000), replace(rows[1], id="&" * 1_000_000)
    finding = replace(audit.findings[0], claim=audit.findings[0].claim + "<i>" * 400_000)
    return replace(
        audit,
        items_top=(long_text, long_id, *rows[2:]),
        findings=(finding, *audit.findings[1:]),
        data=replace(audit.data, name=HOSTILE * 1_000),
    )


@pytest.fixture(scope="session")
def page() -> str:
    return render_page(make_audit())


@pytest.fixture(scope="session")
def hostile_page() -> str:
    return render_page(make_hostile())


@pytest.fixture
def audit() -> Audit:
    return make_audit()


@pytest.fixture
def hostile() -> Audit:
    return make_hostile()
