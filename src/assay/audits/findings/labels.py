"""Labels: one that dominates, rare ones, and those a model contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.evidence.common import SuspectItems
from assay.audits.evidence.information import InformationEvidence
from assay.audits.evidence.profile import ProfileEvidence
from assay.audits.findings.base import (
    NotChecked,
    Outcome,
    Severity,
    describe_count,
    exact_number,
    judge_stake,
    make_finding,
    rule,
)
from assay.base.wording import choose_verb, count_noun, format_percent, format_share, quote
from assay.kinds.facts import CommonAnswer
from assay.statistics import Interval, wilson
from assay.suspects.reviews import describe_review

DOMINANT_SHARE = 0.8
MIN_LABEL_ITEMS = 10
MAX_LABELS = 200
MIN_PRECISION = 0.5  # expected share of bad items among the suspects
MAX_NAMES = 10


@rule("A105", "One label dominates", section="profile")
def find_dominant_label(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report a label with more than 80% of the items with 95% confidence; an error where it has all."""
    if profile.common_answer is not None:
        yield from report_common_answer(profile.common_answer)
        return
    if not profile.labels:
        yield NotChecked("The data has no labels, or they are no classes.")
        return
    largest = profile.labels[0]
    n = sum(label.count for label in profile.labels)
    share = wilson(largest.count, n)
    if share.low <= DOMINANT_SHARE:
        return
    severity: Severity = "warning"
    action = "Report macro-averaged scores and the majority baseline beside accuracy."
    if len(profile.labels) == 1:
        severity = "error"
        action = "Check that the label column is the right one, or add items with other labels."
    claim = (
        f"The label {quote(largest.label)} has {format_share(share)} of the items: a constant answer scores as much."
    )
    yield make_finding(severity, claim, action, share, n=n, subject=largest.label)


def report_common_answer(common: CommonAnswer) -> Iterator[Outcome]:
    """Report a label of sets, or a written answer, that is right for more than 80% of the items."""
    share = wilson(common.count, common.n)
    if share.low <= DOMINANT_SHARE:
        return
    constant = common.n_answers == 1
    claim = f"{quote(common.answer)} is right for {format_share(share)} of the items, and so is a constant answer."
    action = "Report the constant answer beside every system, or add items with other answers."
    if constant:
        action = "Check that the column of answers is the right one, or add items with other answers."
    yield make_finding("error" if constant else "warning", claim, action, share, n=common.n, subject=common.answer)


@rule("A106", "Rare labels", section="profile")
def find_rare_labels(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report labels with fewer than ten items in test (in all the data where there are no parts)."""
    rows = profile.label_set_counts or profile.label_counts
    counts = dict.fromkeys([label.label for label in profile.labels] or [row.label for row in rows], 0)
    if not 2 <= len(counts) <= MAX_LABELS:
        yield NotChecked(f"The data has {len(counts)} labels; this check takes 2 to {MAX_LABELS}.")
        return
    parts = {size.part for size in profile.parts}
    part = next((name for name in ("test", "dev") if name in parts), None)
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


@rule("A108", "Wrong gold labels or bad items", section="information")
def find_doubtful_labels(information: InformationEvidence) -> Iterator[Outcome]:
    """Report items that are probably bad by all evidence; a warning where at least 1% of all items are, an error from 5%.

    The severity goes by the lower end of the expected number, and is a note where fewer than half of the suspects are
    expected to be bad.
    """
    if information.suspects is None:
        yield NotChecked("There is nothing to judge the labels by.")
        return
    yield from report_suspects(information.suspects)


def report_suspects(suspects: SuspectItems) -> Iterator[Outcome]:
    """Report suspects by their number and expected precision."""
    items, n = suspects.items, max(suspects.n_judged, 1)
    if not items.count:
        return
    expected = suspects.expected
    claim = (
        f"{describe_count(items)} {choose_verb(items.count, 'is', 'are')} suspected of a wrong gold label or another "
        f"defect, rightly so for about {format_percent(suspects.precision)} of them. In all, about "
        f"{expected.value:.0f} bad items are expected [{expected.low:.0f}, {expected.high:.0f}]."
    )
    if suspects.review is not None:
        claim += f" {describe_review(suspects.review)}"
    share = Interval(expected.value / n, expected.low / n, expected.high / n, method=expected.method)
    action = "Review these items, the most suspicious first (assay suspects gives reasons, assay repair applies fixes)."
    evidence = {"evidence": ", ".join(suspects.evidence)}
    severity: Severity = judge_stake(share.low) if suspects.precision >= MIN_PRECISION else "note"
    yield make_finding(severity, claim, action, share, n=n, items=items.ids, evidence=evidence, stake=share.value)
