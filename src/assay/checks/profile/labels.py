"""Labels: one that dominates, and rare ones."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.findings import (
    NotChecked,
    Outcome,
    Severity,
    exact_number,
    make_finding,
    rule,
)
from assay.checks.profile.results import ProfileEvidence
from assay.kinds import KINDS
from assay.kinds.facts import CommonAnswer
from assay.statistics import wilson
from assay.wording.numbers import format_interval
from assay.wording.sentences import choose_verb, count_noun, quote

DOMINANT_SHARE = 0.8
MIN_LABEL_ITEMS = 10
MAX_LABELS = 200
MAX_NAMES = 10


@rule("A105", "One label dominates", section="profile")
def find_dominant_label(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report a label with more than 80% of the items with 95% confidence; an error if it has all."""
    if profile.common_answer is not None:
        yield from report_common_answer(profile.common_answer)
        return
    labels = profile.data.labels
    if not labels:
        yield NotChecked("The data has no labels, or they are not classes.")
        return
    name, largest = next(iter(labels.items()))
    n = sum(label.count for label in labels.values())
    share = wilson(largest.count, n)
    if share.low <= DOMINANT_SHARE:
        return
    severity: Severity = "warning"
    action = "Report macro-averaged scores and the majority baseline next to accuracy."
    if len(labels) == 1:
        severity = "error"
        action = "Check that the label column is the right one, or add items with other labels."
    number = format_interval(share, "percent")
    claim = f"The label {quote(name)} has {number} of the items: a constant answer scores as much."
    yield make_finding(severity, claim, action, share, n=n, subject=name)


def report_common_answer(common: CommonAnswer) -> Iterator[Outcome]:
    """Report a label of sets, or a written answer, that is right for more than 80% of the items."""
    share = wilson(common.count, common.n)
    if share.low <= DOMINANT_SHARE:
        return
    constant = common.n_answers == 1
    number = format_interval(share, "percent")
    claim = f"{quote(common.answer)} is right for {number} of the items, and so is a constant answer."
    action = "Report the constant answer next to every system, or add items with other answers."
    if constant:
        action = "Check that the column of answers is the right one, or add items with other answers."
    yield make_finding("error" if constant else "warning", claim, action, share, n=common.n, subject=common.answer)


@rule("A106", "Rare labels", section="profile")
def find_rare_labels(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report labels with fewer than ten items in test, or in dev if test has no labels, or in data without parts."""
    rows = profile.label_set_counts or profile.label_counts
    if KINDS[profile.data.task].gold.has_grades:
        yield NotChecked("Labels are grades, which are not classes.")
        return
    counts = dict.fromkeys(list(profile.data.labels) or [row.label for row in rows], 0)
    if not 2 <= len(counts) <= MAX_LABELS:
        yield NotChecked(f"The data has {len(counts)} labels; this check takes 2 to {MAX_LABELS}.")
        return
    part = next((name for name in ("test", "dev") if any(row.part == name for row in rows)), None)
    for row in rows:
        if part is None or row.part == part:
            counts[row.label] += row.count
    rare = sorted((name for name, n in counts.items() if n < MIN_LABEL_ITEMS), key=lambda name: (counts[name], name))
    if not rare or not sum(counts.values()):
        return
    place = part or "the data"
    claim = (
        f"{count_noun(len(rare), 'label')} of {len(counts)} {choose_verb(len(rare), 'has', 'have')} fewer than "
        f"{MIN_LABEL_ITEMS} items in {place}, such as {quote(rare[0])} with {counts[rare[0]]}: too few to measure how "
        "well such a label is recognised."
    )
    evidence = {"rare labels": ", ".join(f"{name} ({counts[name]})" for name in rare[:MAX_NAMES])}
    action = f"Collect at least {MIN_LABEL_ITEMS} items of each in {place}, better 100, or merge labels."
    yield make_finding("note", claim, action, exact_number(len(rare)), n=sum(counts.values()), evidence=evidence)
