"""The smallest difference that shows is one number of one result, wherever an audit says it."""

from __future__ import annotations

import math
from dataclasses import replace

from tests.example_audit import DISCRIMINATION, make_audit, with_results

from assay.audits.overview import build_overview
from assay.audits.verdict import describe_power
from assay.checks import FINDINGS
from assay.checks.discrimination.view import discrimination_facts
from assay.evaluation import SmallestDifference

DATA = make_audit().evidence
SMALLEST = SmallestDifference(0.0734, 0.02, 444)


def measure(**changes):
    return with_results(DATA, discrimination=replace(DISCRIMINATION, difference=SMALLEST, **changes))


def test_finding_verdict_and_fact_say_the_same_number():
    measured = measure()
    (finding,) = FINDINGS["A507"].run(measured)
    assert finding.claim == describe_power(measured, 444)
    assert finding.value == SMALLEST.value
    facts = {fact.name: fact.number for fact in discrimination_facts(measured.discrimination)}
    assert facts["Smallest difference that shows"] == "7.3 points"
    assert "7.3 points" in finding.claim


def test_the_row_of_quick_models_says_the_number_of_the_verdict():
    measured = replace(
        measure(basis="quick models"), results={"discrimination": measure(basis="quick models").discrimination}
    )
    row = build_overview(measured, []).find_row("ranking")
    assert (row.number, row.unit) == ("7.3", "points are needed to tell two systems apart")
    assert describe_power(measured, 444).startswith("The first two quick models must differ by 7.3 points")


def test_without_systems_the_number_of_items_gives_an_estimate():
    unknown = SmallestDifference(math.nan, math.nan, 100)
    for measured in (
        with_results(DATA, discrimination=None),
        with_results(DATA, discrimination=replace(DISCRIMINATION, difference=unknown)),
    ):
        assert describe_power(measured, 100).startswith(
            "With 100 test items, differences between systems below about 13"
        )
    assert describe_power(with_results(DATA, discrimination=None), 0) == ""
