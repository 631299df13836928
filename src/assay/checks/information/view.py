"""How the page shows shortcuts and labels."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.base import CHECKS
from assay.checks.information.results import InformationEvidence
from assay.information.view import show_controls, show_cues, show_information_beyond
from assay.suspects.view import show_bad_share
from assay.views.blocks import Block, make_fact


@CHECKS["information"].view
def show_shortcuts_and_labels(information: InformationEvidence) -> Iterator[Block]:
    """Yield the information beyond all shortcuts, how many items are probably bad, control models and cues."""
    yield from show_information_beyond(information.shortcuts)
    if information.suspects is not None:
        yield from show_bad_share(information.suspects)
    if information.agreement is not None:
        method = "Cohen's kappa of the quick model with the gold labels on random folds: 0 is chance, 1 is perfect."
        yield from make_fact("Agreement of the quick model", information.agreement, method)
    yield from show_controls(information.shortcuts)
    yield from show_cues(information.shortcuts)
