"""Checklists: nothing is ticked without evidence, and every point names what is missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

import assay
from assay.cli.commands.benchmark.checklist import NAMES
from assay.report.checklists import CHECKLISTS, fill_checklist
from assay.report.checklists.filling import Question, judge_question

DATA = {"text": [f"text number {n} of them" for n in range(40)], "label": [str(n % 2) for n in range(40)]}


@pytest.fixture(scope="module")
def audit():
    return assay.audit({**DATA, "split": ["train"] * 20 + ["test"] * 20}, only=["profile"])


@pytest.fixture(scope="module")
def leaking():
    texts = [*DATA["text"][:20], *DATA["text"][:20]]
    return assay.audit({**DATA, "text": texts, "split": ["train"] * 20 + ["test"] * 20}, only=["profile"])


@pytest.mark.parametrize("name", CHECKLISTS)
def test_every_point_is_shown_by_checks_or_names_what_is_missing(audit, name):
    assert NAMES == CHECKLISTS
    result = fill_checklist(audit, name)
    for point in result.points:
        assert point.status == "shown" or point.missing or point.status == "problem"
        assert point.evidence or point.status == "open"
        assert point.question.endswith("?")
    assert result.to_markdown().count("\n|") > len(result.points)
    assert "\\begin{tabular}" in result.to_latex()


def test_a_point_is_ticked_only_if_all_its_checks_passed(audit, leaking):
    passed = [row.code for row in audit.passed]
    point = Question("?", ("A101", "A102"))
    assert {"A101", "A102"} <= set(passed)
    assert judge_question(audit, point).status == "shown"
    assert judge_question(audit, replace(point, authors="A plan.")).status == "partly"
    assert judge_question(audit, Question("?", ("A101", "A801"))).status == "partly"
    assert judge_question(audit, Question("?", ("A801",))).status == "open"
    assert judge_question(audit, Question("?", (), "A plan.")).status == "open"
    assert judge_question(leaking, point).status == "problem"
    accepted = replace(audit, passed=tuple(row for row in audit.passed if row.code != "A101"))
    assert judge_question(accepted, point).status == "partly"
