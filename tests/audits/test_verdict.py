"""The verdict in plain words."""

from __future__ import annotations

import dataclasses

from tests.example_audit import make_sections

from assay.audits import Section, audit
from assay.audits.overview import build_overview
from assay.audits.verdict import write_verdict
from assay.checks.findings import exact_number, make_finding
from assay.checks.measured import DataSummary, Measurements


def finding(code, severity, claim):
    return dataclasses.replace(make_finding(severity, claim, "Do something.", exact_number(1.0)), code=code)


def write(findings, sections):
    evidence = Measurements(DataSummary("toy", 10, "classification", "0", (), 2))
    return write_verdict(build_overview(evidence, findings), findings, sections)


def test_the_first_is_quoted_in_full_and_the_other_kinds_by_name():
    findings = [
        finding("A102", "warning", "Near."),
        finding("A102", "warning", "Nearer."),
        finding("A401", "warning", "W."),
        finding("A507", "note", "N."),
    ]
    verdict = write(findings, make_sections())
    assert verdict.startswith("Near. Trust scores with care. 3 warnings, no error. Then: word predicts the label.")


def test_an_error_is_the_most_serious_and_missing_sections_are_named():
    sections = {"splits": Section("splits", "failed", "x"), "forecast": Section("forecast", "skipped", "y")}
    verdict = write([finding("A101", "error", "Copies.")], sections)
    assert verdict.startswith(
        "Copies. Do not trust scores before this is fixed. 1 error. Not checked: copies and labels, the split,"
    )


def test_a_verdict_never_claims_more_than_was_checked():
    names = ("splits", "information", "discrimination")
    sections = {name: Section(name, "skipped", "There are no labels.") for name in names}
    assert write([], sections).startswith("Nothing could be checked. Not checked: copies and labels, the split")
    verdict = audit({"text": ["one", "two"], "label": ["a", "b"]}, only=["profile"]).verdict
    assert "No serious problem was found in" in verdict
    assert "Not checked: the split, difficulty, shortcuts, the ranking of systems." in verdict
    assert "With 2 test items, differences between systems below about 89 points" in verdict


def test_the_largest_effect_on_a_score_is_named():
    leak = dataclasses.replace(finding("A101", "error", "Copies."), stake=0.07)
    small = dataclasses.replace(finding("A104", "warning", "Conflicts."), stake=0.02)
    verdict = write([leak, small], make_sections())
    assert verdict.startswith(
        "Scores can be too high by up to about 7 points, because test items are also in training. Do not trust scores "
        "before this is fixed. 1 error and 1 warning."
    )
    assert "points" not in write([finding("A401", "warning", "W.")], make_sections())
