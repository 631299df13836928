"""Findings about responses: each is raised by a planted defect, and by nothing in clean responses."""

from __future__ import annotations

import pytest

import assay

N = 100
ITEMS = {
    "id": [f"q{n}" for n in range(N)],
    "question": [f"What is {n} + {n}?" for n in range(N)],
    "choices": [[str(2 * n + d) for d in (1, 0, 2, 3)] for n in range(N)],
    "answer": ["B"] * N,
}
RIGHT, WRONG = "We add the numbers. The answer is (B).", "We add the numbers. The answer is (A)."


def make_table(change=None, systems=("x", "y")):
    """Return responses of two systems, right to three of four questions; `change` may replace those of the first."""
    rows = []
    for system in systems:
        for n in range(N):
            is_right = (n + (system == "y")) % 4 != 0
            row = {"system": system, "id": f"q{n}", "response": RIGHT if is_right else WRONG, "stop_reason": "stop"}
            row["extracted"] = "B" if is_right else "A"
            rows.append(row | ((change(n, row) or {}) if change is not None and system == "x" else {}))
    return rows


def audit(rows):
    return assay.audit(ITEMS, responses=rows, only=["responses"])


def find_codes(result):
    return {finding.code for finding in result.findings}


@pytest.fixture(scope="module")
def clean():
    return audit(make_table())


def test_clean_responses_raise_nothing(clean):
    assert find_codes(clean) == set()
    passed = {rule.code for rule in clean.passed}
    assert passed >= {"A901", "A902", "A903", "A904", "A905", "A906", "A907", "A908", "A909"}
    assert "A910" in {rule.code for rule in clean.not_checked}


LOOP = "It is so because it is so. " * 20
CUT = "First we look at all of the numbers that are"


@pytest.mark.parametrize(
    ("code", "response", "values"),
    [
        ("A901", CUT, {"extracted": None, "stop_reason": "max_tokens"}),
        ("A902", "This gives the sum, or (B).", {"extracted": None}),
        ("A903", CUT, {"extracted": "C"}),
        ("A905", "", {"extracted": None, "stop_reason": "message_limit"}),
        ("A906", "I'm sorry, but I can't help with that.", {"extracted": None}),
        ("A907", "", {"extracted": None, "stop_reason": "error"}),
        ("A908", LOOP, {"extracted": None}),
    ],
)
def test_a_planted_defect_is_found(code, response, values):
    result = audit(make_table(lambda n, row: {"response": response} | values if n % 8 == 0 else None))
    finding = next(finding for finding in result.findings if finding.code == code)
    assert finding.subject == "x"
    assert finding.n == N
    assert "this system" not in finding.action


def test_many_systems_near_a_threshold_raise_no_more_alarms_than_one():
    """Five of 100 truncated responses are above 2% for a single system, but not for one of ten."""
    cut = {"response": CUT, "extracted": None, "stop_reason": "max_tokens"}
    table = [
        row | (cut if number % 20 == 0 else {}) for number, row in enumerate(make_table(systems=tuple("abcdefghij")))
    ]
    assert "A901" not in find_codes(audit(table))
    cut_often = [row | (cut if row["system"] == "a" and number % 8 == 0 else {}) for number, row in enumerate(table)]
    assert [f.subject for f in audit(cut_often).findings if f.code == "A901"] == ["a"]


def test_small_subjects_without_a_right_answer_are_not_an_alarm():
    """Of a system that is right on a third of the items, a subject of three items may well have none right."""
    items = ITEMS | {"subject": [f"s{n // 3}" for n in range(N)]}
    rows = [
        {
            "system": "x",
            "id": f"q{n}",
            "response": RIGHT if n % 9 < 3 else WRONG,
            "extracted": "B" if n % 9 < 3 else "A",
        }
        for n in range(N)
    ]
    assert assay.audit_responses(items, rows).uniform == ()
    items = ITEMS | {"subject": ["low" if n < 25 else f"s{n % 3}" for n in range(N)]}
    rows = [row | ({"response": WRONG, "extracted": "A"} if n < 25 else {}) for n, row in enumerate(rows)]
    assert assay.audit_responses(items, rows).uniform == ("low",)


def test_a_task_that_nobody_solves_is_found():
    rows = make_table(systems=("x", "y"))
    result = audit([row | {"response": WRONG, "extracted": "A"} for row in rows])
    assert "A904" in find_codes(result)


def test_ranks_that_change_are_found():
    lost = {"response": "This gives the sum, or (B).", "extracted": None}
    result = audit(make_table(lambda n, row: lost if n % 2 else {"response": RIGHT, "extracted": "B"}))
    finding = next(finding for finding in result.findings if finding.code == "A909")
    assert finding.severity == "warning"
    assert "A902" in find_codes(result)


def test_candidate_tasks_of_agents_are_found(shared):
    result = assay.audit(shared("tau_airline/trajectories.jsonl.gz"), only=["responses"])
    findings = [finding for finding in result.findings if finding.code == "A910"]
    assert {finding.subject: len(finding.items) for finding in findings} == {
        "never solved": 14,
        "solved without calling a tool": 4,
    }


def test_the_section_has_tables_and_a_chart_and_is_stored(clean, tmp_path):
    from assay.audits import Audit
    from assay.checks import load_charts
    from assay.views.charts import CHARTS

    load_charts()
    assert CHARTS["states"].plot(clean.evidence.responses) is None
    result = audit(make_table(lambda n, row: {"response": LOOP} if n % 8 == 0 else None))
    plot = CHARTS["states"].plot(result.evidence.responses)
    assert [(bar.system, bar.state, bar.n) for bar in plot.points] == [("x", "looping", 13)]
    result.save(tmp_path / "audit.json")
    restored = Audit.from_json(tmp_path / "audit.json")
    assert restored.evidence.responses.systems == result.evidence.responses.systems
