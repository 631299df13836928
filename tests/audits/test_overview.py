"""The first screen: a sentence about scores, six rows, and what to do first."""

from __future__ import annotations

import dataclasses
import math

import pytest
from tests.example_audit import EVIDENCE, make_audit

import assay
from assay.audits import Audit
from assay.audits.evidence.audit import AuditEvidence, DataSummary
from assay.audits.evidence.common import ItemCount
from assay.audits.evidence.profile import Overlap
from assay.audits.findings import FINDINGS
from assay.audits.findings.base import exact_number, make_finding
from assay.audits.overview import TOPICS, build_overview, find_topic

EMPTY = AuditEvidence(DataSummary("toy", 10, "classification", "0", (), 2))
ORDER = ["leakage", "shortcuts", "labels", "split", "ranking", "difficulty"]


def finding(code, severity="warning", stake=math.nan, subject=""):
    row = make_finding(severity, f"Claim of {code}.", f"Action of {code}.", exact_number(1.0), stake=stake)
    return dataclasses.replace(row, code=code, subject=subject)


def test_there_are_always_six_rows_in_the_same_order():
    for evidence in (EMPTY, AuditEvidence(EMPTY.data, **EVIDENCE)):
        assert [row.topic for row in build_overview(evidence, []).rows] == ORDER


def test_without_evidence_nothing_is_ok():
    overview = build_overview(EMPTY, [], [], {"A101": "The data has no parts to compare."})
    assert {row.status for row in overview.rows} == {"not checked"}
    assert overview.find_row("leakage").reason == "The data has no parts to compare."
    assert overview.headline == "Nothing could be checked."
    assert overview.actions == ()


def test_exact_and_near_copies_of_one_part_add_up():
    overlaps = tuple(
        Overlap(part, "train", kind, ItemCount(n, 100))
        for part, kind, n in (("test", "exact", 3), ("test", "near", 4), ("dev", "exact", 5))
    )
    profile = dataclasses.replace(EVIDENCE["profile"], overlaps=overlaps)
    findings = [finding("A101", "warning", 0.03, "test"), finding("A102", "warning", 0.04, "test")]
    overview = build_overview(dataclasses.replace(EMPTY, profile=profile), findings)
    assert overview.stake == pytest.approx(0.07)
    assert "Scores can be too high by up to about 7 points" in overview.headline
    row = overview.find_row("leakage")
    assert (row.number, row.unit) == ("7.0 %", "of test items are also in train, exactly or nearly")
    assert (row.status, row.code) == ("warning", "A102")


def test_effects_of_different_causes_do_not_add_up():
    overview = build_overview(EMPTY, [finding("A108", "error", 0.06), finding("A401", "warning", 0.05)])
    assert overview.stake == 0.06
    assert "Scores can be wrong by up to about 6 points, because of wrong gold labels" in overview.headline


def test_actions_are_three_by_severity_and_effect_one_per_rule():
    findings = [
        finding("A401", "warning", 0.02),
        finding("A102", "warning", 0.04),
        finding("A102", "warning", 0.03),
        finding("A206", "error"),
        finding("A404", "warning"),
        finding("A108", "note", 0.5),
    ]
    actions = build_overview(EMPTY, findings).actions
    assert [action.code for action in actions] == ["A206", "A102", "A401"]


def test_a_note_with_an_effect_is_named_as_uncertain():
    overview = build_overview(EMPTY, [finding("A509", "note", 0.06), finding("A507", "note")], ["A101"])
    assert overview.headline == (
        "No serious problem was found in 3 checks. Uncertain: scores can be wrong by up to about 6 points, because of "
        "wrong gold labels or bad items."
    )
    assert [action.code for action in overview.actions] == ["A509"]
    assert overview.find_row("labels").status == "ok"


def test_a_row_has_the_status_of_its_worst_finding():
    findings = [finding("A401", "note"), finding("A402", "warning"), finding("A410", "error")]
    for n, status in ((1, "ok"), (2, "warning"), (3, "problem")):
        overview = build_overview(EMPTY, findings[:n])
        assert overview.find_row("shortcuts").status == status
        assert overview.find_row("labels").status == "not checked"


@pytest.mark.parametrize("code", FINDINGS)
def test_every_rule_belongs_to_a_topic(code):
    assert find_topic(code).name in TOPICS


def test_deciding_rules_exist():
    assert {code for topic in TOPICS.values() for code in (*topic.codes, *topic.deciding)} <= set(FINDINGS)


def test_numbers_are_in_words_without_symbols():
    for row in make_audit().overview.rows:
        assert row.number
        assert not set("λκ") & set(row.unit)
        assert "nats" not in row.unit


def test_the_overview_survives_json_and_files_without_it_are_read():
    audit = make_audit()
    plain = audit.to_dict()
    assert Audit.from_dict(plain).overview == audit.overview
    del plain["overview"]
    assert Audit.from_dict(plain).overview == audit.overview


def test_a_real_leak_is_a_problem_on_the_first_screen():
    texts = [f"sentence number {n} about some thing" for n in range(40)]
    data = {"text": texts + texts[:10], "label": ["a", "b"] * 25, "split": ["train"] * 40 + ["test"] * 10}
    overview = assay.audit(data, only=["profile"]).overview
    row = overview.find_row("leakage")
    assert (row.status, row.number) == ("problem", "100 %")
    assert overview.headline.startswith("Scores can be too high by up to about 100 points")
