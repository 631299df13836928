"""Gold labels that text models, copies and annotators contradict."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.findings import NotChecked, Outcome, rule
from assay.checks.information.results import InformationEvidence
from assay.checks.suspects import report_suspects


@rule("A108", "Wrong gold labels or bad items", section="information", topic="labels", decides=True)
def find_doubtful_labels(information: InformationEvidence) -> Iterator[Outcome]:
    """Report items that are probably bad by all evidence; a warning if at least 1% of all items are, an error from 5%.

    The severity goes by the lower end of the expected number, and is a note if fewer than half of the suspects are
    expected to be bad.
    """
    if information.suspects is None:
        yield NotChecked("There is nothing to judge the labels by.")
        return
    yield from report_suspects(information.suspects)
