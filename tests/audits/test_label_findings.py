"""Findings about labels: grades are not classes, and labels that are probably the same."""

from __future__ import annotations

import numpy as np
import pytest
from tests.example_audit import EVIDENCE

import assay
from assay.checks.suspects import describe_suspects, report_suspects
from assay.statistics import Interval
from assay.suspects.shares.contradictions import Contradictions


def audit_labels(labels, texts=None, **columns):
    texts = texts or [f"text number {row} about {row * row}" for row in range(len(labels))]
    result = assay.audit({"text": texts, "label": labels, **columns}, only=["profile"])
    return {finding.code: finding for finding in result.findings}, {rule.code for rule in result.not_checked}


def test_grades_get_no_findings_of_classes():
    grades = [str(round(grade, 2)) for grade in np.linspace(0, 5, 60)]
    texts = [f"text number {row} about {row * row}" for row in range(60)]
    texts[11] = texts[10]
    findings, not_checked = audit_labels(grades, texts)
    assert "A106" in not_checked
    assert not {"A104", "A106", "A111"} & set(findings)
    grades[11] = "5.0"
    assert "A104" in audit_labels(grades, texts)[0]


@pytest.mark.parametrize(
    ("odd", "words"),
    [("subjective ", "subjective"), ("SUBJECTIVE", "SUBJECTIVE"), ("nan", "probably a missing label")],
)
def test_labels_that_are_probably_the_same_are_reported(odd, words):
    clean = ["subjective", "objective"] * 20
    assert "A111" not in audit_labels(clean)[0]
    findings, _ = audit_labels([odd, *clean[1:]])
    assert words in findings["A111"].claim
    assert findings["A111"].severity == "warning"


def test_true_next_to_1_is_reported():
    assert "A111" in audit_labels(["true", "1", "0", "0"] * 10)[0]
    assert "A111" not in audit_labels(["1", "0"] * 20)[0]
    assert "A111" not in audit_labels(["yes", "no"] * 20)[0]


@pytest.mark.parametrize(("low", "limit"), [(0.0165, "1.0% for a warning"), (0.035, "")])
def test_contradictions_that_barely_need_one_percent_of_wrong_labels_say_so(low, limit):
    contradictions = Contradictions(800, 160, 12, 1.8, Interval(0.05, low, 0.08, method="profile likelihood"))
    suspects = describe_suspects(EVIDENCE["information"].suspects, contradictions=contradictions)
    finding = next(iter(report_suspects(suspects, contradictions)))
    assert (finding.severity, finding.limit) == ("warning", limit)


def test_copies_that_differ_in_another_column_may_be_other_items():
    rng = np.random.default_rng(4)
    words = "river stone house tree bird cloud road lamp glass paper ship horse".split()
    texts = [" ".join(rng.choice(words, 6)) for _ in range(100)] * 2
    labels = ["yes"] * 100 + ["no"] * 100
    users = [{"age": int(age), "name": f"u{row}"} for row, age in enumerate(rng.integers(18, 80, 200))]
    for extra, severity, column in (
        ({}, "error", ""),
        ({"worker": [f"w{row}" for row in range(200)]}, "error", ""),
        ({"user_info": users}, "warning", '"user_info"'),
        ({"notes": ["the same words"] * 200}, "error", ""),
    ):
        result = assay.audit({"text": texts, "label": labels, **extra}, only=["profile"])
        finding = next(row for row in result.findings if row.code == "A104")
        assert finding.severity == severity
        assert column in finding.claim
        assert ("nearly all of these copies differ in" in finding.claim) == bool(column)


def test_contradictions_of_a_model_of_words_do_not_count_for_pairs():
    rng = np.random.default_rng(6)
    words = np.array("river stone house tree bird cloud road lamp glass paper ship horse".split())
    labels = np.array(["yes", "no"] * 300)
    texts = [f"{'good' if label == 'yes' else 'bad'} {' '.join(rng.choice(words, 6))}" for label in labels]
    flipped = np.where(rng.random(600) < 0.08, np.where(labels == "yes", "no", "yes"), labels).tolist()
    single = assay.audit({"text": texts, "label": flipped}, only=["information"], cache=False)
    assert single.evidence.information.contradictions.is_decisive
    others = [" ".join(rng.choice(words, 6)) for _ in texts]
    pairs = assay.audit({"text_a": texts, "text_b": others, "label": flipped}, only=["information"], cache=False)
    assert pairs.evidence.information.contradictions is None
