"""What people read of suspects."""

from __future__ import annotations

from dataclasses import replace

from tests.example_audit import INFORMATION, make_suspects

from assay.checks import FINDINGS
from assay.checks.measured import DataSummary, Measurements
from assay.statistics import Interval
from assay.suspects.results import SuspectItem

DATA = DataSummary("toy", 40, "classification", "0", (), 2)


def test_the_summary_and_the_finding_are_the_same_sentences():
    suspects = INFORMATION.suspects
    assert suspects.summary == (
        "1 item of 40 (2.5%) is suspected of a wrong gold label or another defect. About 70% of these are expected to be "
        "bad. In all, about 2 [0, 4] bad items are expected."
    )
    (finding,) = FINDINGS["A108"].run(Measurements(DATA, {"information": INFORMATION}))
    assert finding.claim == suspects.summary
    assert (finding.value, finding.low, finding.high) == (1.5 / 40, 0.5 / 40, 4 / 40)


def test_without_suspects_the_summary_says_so():
    suspects = make_suspects(0, 10, Interval(0.5, 0.0, 2.0), float("nan"), "systems")
    assert suspects.summary.startswith("None of 10 items is suspected")


def test_items_that_would_be_bad_elsewhere_are_counted():
    top = [SuspectItem(str(row), "a", "b", 0.8 - 0.1 * row, "") for row in range(6)]
    suspects = replace(make_suspects(0, 10, Interval(3.0, 0.0, 5.0), float("nan"), "systems"), items_top=top)
    assert "Of the first 4 items, about 65% would be bad" in suspects.summary
