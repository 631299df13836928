"""The verdict in plain words."""

from __future__ import annotations

from assay.audits import FINDINGS
from assay.audits.intervals import exact
from assay.audits.section import Section
from assay.audits.verdict import verdict


def finding(code: str, severity: str, claim: str):
    return FINDINGS[code].finding(severity, claim, exact(1.0), "Do something.")


def test_the_first_is_told_in_full_and_the_other_kinds_by_name():
    found = [
        finding("A102", "warning", "Near."),
        finding("A102", "warning", "Nearer."),
        finding("A401", "warning", "W."),
    ]
    told = verdict([*found, finding("A507", "note", "N.")], {})
    assert told.endswith("3 warnings, no error. First: Near. Then: token shortcut.")


def test_an_error_is_the_gravest_and_missing_sections_are_named():
    sections = {"splits": Section("splits", "failed", "x"), "forecast": Section("forecast", "skipped", "y")}
    told = verdict([finding("A101", "error", "Copies.")], sections)
    assert told.endswith("1 error. Gravest: Copies. Not looked at: splits.")


def test_where_nothing_that_judges_scores_could_run_no_trust_is_spoken():
    names = ("splits", "information", "discrimination")
    sections = {name: Section(name, "skipped", "There are no labels.") for name in names}
    assert verdict([], sections).startswith("Nothing grave was found, but nothing could be said of scores")
    sections["information"] = Section("information", "done")
    assert verdict([], sections).startswith("Nothing grave was found: scores on this benchmark mean what they say")
