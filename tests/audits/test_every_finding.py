"""What holds for every finding and every section."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import assay.audits.findings
import assay.audits.sections
from assay.audits import FINDINGS, SECTIONS
from assay.audits.finding import Seen

HOME = Path(assay.audits.findings.__file__).parent
SECTION_HOME = Path(assay.audits.sections.__file__).parent
PAGES = Path(__file__).resolve().parents[2] / "docs" / "findings.md"


def files(folder: Path) -> set[str]:
    return {path.stem for path in folder.glob("*.py") if path.stem != "__init__"}


def test_every_file_of_the_folder_is_registered_once():
    assert len(FINDINGS) == len(files(HOME))
    assert {check.find.__module__.rpartition(".")[2] for check in FINDINGS.values()} == files(HOME)


def test_every_section_file_is_registered_once():
    assert {section.measure.__module__.rpartition(".")[2] for section in SECTIONS.values()} == files(SECTION_HOME)


@pytest.mark.parametrize("code", FINDINGS)
def test_codes_are_stable_in_form_and_grouped_by_room(code):
    check = FINDINGS[code]
    assert re.fullmatch(r"A[1-6]\d\d", code)
    assert check.section in SECTIONS
    assert check.title


@pytest.mark.parametrize("code", FINDINGS)
def test_every_finding_is_silent_where_no_section_was_done(code):
    assert list(FINDINGS[code].find(Seen({"name": "x", "rows": 0}, {}))) == []


@pytest.mark.parametrize("code", FINDINGS)
def test_every_finding_has_a_page(code):
    assert f"\n## {code}" in PAGES.read_text(encoding="utf-8")


@pytest.mark.parametrize("code", FINDINGS)
def test_every_finding_has_a_test_of_its_own(code):
    name = FINDINGS[code].find.__module__.rpartition(".")[2]
    assert f"def test_{name}" in (Path(__file__).parent / "test_findings.py").read_text(encoding="utf-8")
