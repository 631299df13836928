"""Gold labels that text models, copies and annotators contradict."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.findings import NotChecked, Outcome, rule
from assay.checks.information.results import InformationEvidence
from assay.checks.measured import Measurements
from assay.checks.suspects import find_judgement, report_suspects


@rule("A108", "Wrong gold labels or bad items", section="information", topic="labels", decides=True)
def find_doubtful_labels(information: InformationEvidence, measured: Measurements) -> Iterator[Outcome]:
    """Report items that are probably bad by all evidence; a warning if at least 1% of all items are, an error from 5%.

    The severity goes by the lower end of the expected number, and is a note if fewer than half of the suspects are
    expected to be bad. It is a warning too if a text model contradicts so many of the labels of which it is sure that
    at least 1% of all labels must be wrong.
    """
    if information.suspects is None:
        yield NotChecked("There is nothing to judge the labels by.")
        return
    if find_judgement(measured) != ("A108", information.suspects):
        yield NotChecked("The answers of the systems judge more of the labels (A509).")
        return
    yield from report_suspects(information.suspects, information.contradictions)
