"""The verdict in plain words."""

from __future__ import annotations

import dataclasses

from tests.example_audit import EVIDENCE

from assay.audits import FINDINGS, audit
from assay.audits.overview import build_overview
from assay.audits.verdict import write_verdict
from assay.checks.findings import exact_number, make_finding
from assay.checks.measured import DataSummary, Measurements
from assay.features.profiling.overlaps import Overlap
from assay.views.values import ItemCount


def finding(code, severity, claim):
    return dataclasses.replace(make_finding(severity, claim, "Do something.", exact_number(1.0)), code=code)


def write(findings, **options):
    evidence = Measurements(DataSummary("toy", 10, "classification", "0", (), 2))
    return write_verdict(build_overview(evidence, findings), findings, **options)


def test_the_first_is_quoted_in_full_and_the_other_kinds_by_name():
    findings = [
        finding("A102", "warning", "Near."),
        finding("A102", "warning", "Nearer."),
        finding("A401", "warning", "W."),
        finding("A507", "note", "N."),
    ]
    verdict = write(findings)
    assert verdict.startswith(
        "Near. This is one of 2 such findings. Trust scores with care. 3 warnings, no error. Then: word predicts the label."
    )


def test_an_error_is_the_most_serious_and_rows_that_were_not_checked_are_named():
    verdict = write([finding("A101", "error", "Copies.")], n_not_checked=30)
    assert verdict == (
        "Copies. Do not trust scores before this is fixed. 1 error. Not checked: shortcuts, labels, split, ranking, "
        f"difficulty. 30 of {len(FINDINGS)} checks were not made."
    )


def test_a_verdict_never_claims_more_than_was_checked():
    assert write([]).startswith("Nothing could be checked. Not checked: leakage, shortcuts, labels, split,")
    result = audit({"text": ["one", "two"], "label": ["a", "b"]}, only=["profile"])
    assert "No serious problem was found in" in result.verdict
    assert "Not checked: leakage, shortcuts, labels, split, ranking, difficulty." in result.verdict
    assert {row.status for row in result.overview.rows} == {"not checked"}
    assert f"{len(result.not_checked)} of {len(FINDINGS)} checks were not made." in result.verdict
    assert "cannot be distinguished" not in result.verdict


def test_the_largest_effect_on_a_score_is_named():
    leak = dataclasses.replace(finding("A101", "error", "Copies."), stake=0.07)
    small = dataclasses.replace(finding("A104", "warning", "Conflicts."), stake=0.02)
    overlap = Overlap("test", "train", "exact", ItemCount(7, 100))
    profile = dataclasses.replace(EVIDENCE["profile"], overlaps=(overlap,))
    evidence = Measurements(DataSummary("toy", 10, "classification", "0", (), 2), {"profile": profile})
    verdict = write_verdict(build_overview(evidence, [leak, small]), [leak, small])
    assert verdict.startswith(
        "Scores on test can be too high by up to 7.0 points, because so many items are also in train, exactly or nearly. "
        "Do not trust scores before this is fixed. 1 error and 1 warning."
    )
    assert "points" not in write([finding("A401", "warning", "W.")])
