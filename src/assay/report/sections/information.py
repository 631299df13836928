"""How the page shows shortcuts and labels."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.evidence.information import Cue, InformationEvidence
from assay.base.numbers import format_number
from assay.report.blocks import (
    Fact,
    Table,
    add_section_view,
    estimate_facts,
    number_facts,
    write_estimate,
    write_share,
)
from assay.report.wording import name_shortcuts
from assay.statistics import wilson

MAX_CUES = 30


def information_facts(information: InformationEvidence) -> Iterator[Fact]:
    """Yield entropy, the information beyond all shortcuts, and the doubtful labels."""
    method = "The most that texts can tell about labels. Exact."
    yield from number_facts("Entropy of the labels (nats)", information.entropy, method)
    if information.control:
        control = max(information.control, key=lambda row: len(row.shortcuts))
        method = (
            f"Beyond {name_shortcuts(control.shortcuts)}, on {format_number(control.n_items)} held-out items; 95 % "
            "interval over items (Zhu et al.)."
        )
        yield from estimate_facts("Information beyond shortcuts (nats)", control.information, method)
    doubts = information.labels
    if doubts is not None:
        method = "Confident learning on cross-validated predictions of a quick model; Wilson interval, 95 %."
        share = wilson(doubts.doubtful.count, doubts.doubtful.n)
        yield from estimate_facts("Doubtful labels", share, method, percent=True)
        method = (
            "Among the 5 to 40 % of the items with the most confident predictions; the upper end bounds the share of "
            "labels that are wrong at random. Wilson, Bonferroni."
        )
        name = "Labels that differ where the model is most confident"
        yield from estimate_facts(name, doubts.where_surest, method, percent=True)
        method = "Cohen's kappa of that model with the gold labels: the lower, the less its doubts mean."
        yield from estimate_facts("Agreement of the doubting model", doubts.agreement, method)


def information_tables(information: InformationEvidence) -> Iterator[Table]:
    """Yield the control models and the cues."""
    rows = [
        [name_shortcuts(row.shortcuts), write_estimate(row.information), format_number(row.loss), row.model]
        for row in information.control
    ]
    method = (
        "How much more a model loses in nats that sees only these shortcuts than the full model. Below 0 the full "
        "model is too weak to show information. The loss of the control is a mean over the same items."
    )
    if rows:
        columns = ["shortcuts", "information", "loss of control", "control model"]
        yield Table("Control models", columns, rows, method)
    method = (
        "How often the cue's label is right where the cue is present, with a Wilson interval (95 %) over these items, "
        "and the share of items that have it (counted, exact). p is adjusted for all cues that were tested."
    )
    cues = [write_cue(cue) for cue in information.cues[:MAX_CUES]]
    if cues:
        columns = ["cue", "kind", "label", "precision", "coverage", "p"]
        yield Table("Cues", columns, cues, method, shows_words=True)


def write_cue(cue: Cue) -> list[str]:
    """Write a cue as the cells of a table."""
    precision = write_share(cue.precision, cue.n_items, percent=False)
    p = "< 1e-300" if cue.p == 0 else format_number(cue.p)
    return [cue.token, cue.kind, cue.label, precision, f"{100 * cue.coverage:.1f} %", p]


add_section_view(
    "information",
    "Shortcuts and labels",
    "Can a system win by shortcuts, and are the labels right?",
    facts=information_facts,
    tables=information_tables,
)
