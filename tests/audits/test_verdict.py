"""The verdict in plain words."""

from __future__ import annotations

import dataclasses

from tests.example_audit import make_sections

from assay.audits import Section
from assay.audits.findings.base import exact_number, make_finding
from assay.audits.verdict import write_verdict


def finding(code, severity, claim):
    return dataclasses.replace(make_finding(severity, claim, "Do something.", exact_number(1.0)), code=code)


def test_the_first_is_quoted_in_full_and_the_other_kinds_by_name():
    findings = [
        finding("A102", "warning", "Near."),
        finding("A102", "warning", "Nearer."),
        finding("A401", "warning", "W."),
        finding("A507", "note", "N."),
    ]
    assert write_verdict(findings, {}).endswith("3 warnings, no error. First: Near. Then: word predicts the label.")


def test_an_error_is_the_most_serious_and_missing_sections_are_named():
    sections = {"splits": Section("splits", "failed", "x"), "forecast": Section("forecast", "skipped", "y")}
    verdict = write_verdict([finding("A101", "error", "Copies.")], sections)
    assert verdict.endswith("1 error. Most serious: Copies. Not checked: splits.")


def test_without_any_section_that_judges_scores_nothing_is_said_about_them():
    names = ("splits", "information", "discrimination")
    sections = {name: Section(name, "skipped", "There are no labels.") for name in names}
    assert "nothing could be said about scores" in write_verdict([], sections)
    sections["information"] = make_sections()["information"]
    assert "scores on this benchmark mean what they say" in write_verdict([], sections)
