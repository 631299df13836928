"""The smallest difference that shows is one number of one result, wherever an audit says it."""

from __future__ import annotations

import math
from dataclasses import replace

from tests.example_audit import DISCRIMINATION, make_audit, with_results

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
    assert finding.claim == describe_power(measured)
    assert finding.value == SMALLEST.value
    facts = {fact.name: fact.number for fact in discrimination_facts(measured.discrimination)}
    assert facts["Smallest difference that shows"] == "7.3 points"
    assert "7.3 points" in finding.claim


def test_without_given_systems_no_difference_is_claimed():
    unknown = SmallestDifference(math.nan, math.nan, 100)
    for measured in (
        with_results(DATA, discrimination=None),
        measure(basis="quick models"),
        with_results(DATA, discrimination=replace(DISCRIMINATION, difference=unknown)),
    ):
        assert describe_power(measured) == ""
