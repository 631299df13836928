"""How the page shows shortcuts and labels."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.numbers import format_number
from assay.checks.base import CHECKS
from assay.checks.information.results import Cue, InformationEvidence, name_shortcuts
from assay.statistics import Interval, wilson
from assay.views.blocks import (
    Block,
    Fact,
    Table,
    format_value,
    make_fact,
)

MAX_CUES = 30


def divide(interval: Interval, whole: float) -> Interval:
    """Return an interval as a share of a whole."""
    return Interval(interval.value / whole, interval.low / whole, interval.high / whole)


def information_facts(information: InformationEvidence) -> Iterator[Fact]:
    """Yield entropy, the information beyond all shortcuts, and how many items are probably bad."""
    if information.control:
        control = max(information.control, key=lambda row: len(row.shortcuts))
        method = (
            f"What a model that sees the texts knows beyond {name_shortcuts(control.shortcuts)}, as a share of all that "
            f"decides the label ({format_value(control.information)} of {format_number(information.entropy)} nats; 1 "
            f"nat = 1.44 bits); {format_number(control.n_items)} held-out items, 95% interval (Zhu et al.)."
        )
        share = divide(control.information, information.entropy) if information.entropy else control.information
        yield from make_fact("Information beyond shortcuts", share, method, "percent")
    if information.suspects is not None:
        n = max(information.suspects.n_judged, 1)
        share = divide(information.suspects.expected, n)
        method = (
            f"Of {format_number(n)} items, estimated from {', '.join(information.suspects.evidence)}; 95% interval. "
            "assay suspects lists them with reasons."
        )
        yield from make_fact("Wrong gold labels or bad items", share, method, "percent")
    if information.agreement is not None:
        method = "Cohen's kappa of the quick model with the gold labels on random folds: 0 is chance, 1 is perfect."
        yield from make_fact("Agreement of the quick model", information.agreement, method)


def information_tables(information: InformationEvidence) -> Iterator[Table]:
    """Yield the control models and the cues."""
    rows = [
        [name_shortcuts(row.shortcuts), format_value(row.information), format_number(row.loss), row.model]
        for row in information.control
    ]
    method = (
        "How much more a model loses that sees only these shortcuts than the full model, in nats (1 nat = 1.44 bits). "
        "Below 0 the full "
        "model is too weak to show information. The loss of the control is a mean over the same items."
    )
    if rows:
        columns = ["shortcuts", "information", "loss of control", "control model"]
        yield Table("Control models", columns, rows, method)
    method = (
        "How often the cue's label is right where the cue is present, with a Wilson interval (95%) over these items, "
        "and the share of items that have it (counted, exact). p is adjusted for all cues that were tested."
    )
    cues = [write_cue(cue) for cue in information.cues[:MAX_CUES]]
    if cues:
        columns = ["cue", "kind", "label", "precision", "coverage", "p"]
        yield Table("Cues", columns, cues, method, shows_words=True)


def write_cue(cue: Cue) -> list[str]:
    """Write a cue as the cells of a table."""
    precision = format_value(wilson(cue.precision * cue.n_items, cue.n_items))
    return [cue.token, cue.kind, cue.label, precision, f"{100 * cue.coverage:.1f}%", format_value(cue.p, "p")]


@CHECKS["information"].view
def show_information(information: InformationEvidence) -> Iterator[Block]:
    """Yield the facts and tables of the check."""
    yield from information_facts(information)
    yield from information_tables(information)
