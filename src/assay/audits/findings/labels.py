"""Labels: one that dominates, rare ones, and those a model contradicts."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.evidence.information import InformationEvidence, LabelDoubts
from assay.audits.evidence.profile import ProfileEvidence
from assay.audits.findings.base import NotChecked, Outcome, Severity, exact_number, make_finding, rule
from assay.base.wording import choose_verb, count_noun, format_share, quote
from assay.statistics import wilson

DOMINANT_SHARE = 0.8
MIN_LABEL_ITEMS = 10
MAX_LABELS = 200
WRONG_LABEL_SHARE = 0.01  # of doubtful labels, from which on they are a warning
WEAK_AGREEMENT = 0.5  # kappa of a model whose doubts, and whose silence, mean little
MAX_NAMES = 10


@rule("A105", "One label dominates", section="profile")
def find_dominant_label(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report a label with more than 80 % of the items with 95 % confidence; an error where it has all."""
    if not profile.labels:
        yield NotChecked("The data has no labels.")
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


@rule("A106", "Rare labels", section="profile")
def find_rare_labels(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report labels with fewer than ten items in test (in all the data where there are no parts)."""
    if not 2 <= len(profile.labels) <= MAX_LABELS:
        yield NotChecked(f"The data has {len(profile.labels)} labels; this check takes 2 to {MAX_LABELS}.")
        return
    parts = {size.part for size in profile.parts}
    part = next((name for name in ("test", "dev") if name in parts), None)
    counts = {label.label: 0 for label in profile.labels}
    for row in profile.label_counts:
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


@rule("A108", "Doubtful labels", section="information")
def find_doubtful_labels(information: InformationEvidence) -> Iterator[Outcome]:
    """Report labels that cross-validated predictions contradict; a warning where a good model finds more than 1 %."""
    doubts = information.labels
    if doubts is None:
        yield NotChecked("No model could be trained on these labels.")
        return
    if not doubts.doubtful.count:
        yield from report_weak_model(doubts)
        return
    bound = doubts.where_surest
    weak = doubts.agreement.value < WEAK_AGREEMENT
    items = doubts.doubtful
    claim = (
        f"{count_noun(items.count, 'label')} of {items.n:,} {choose_verb(items.count, 'is', 'are')} doubtful: a model "
        f"that was not trained on them confidently predicts another label. Where it is most confident, "
        f"{format_share(bound)} of the labels differ from its prediction; if labels are wrong at random, their share "
        "is no larger than the upper end of this interval."
    )
    if weak:
        claim += " The model is weak, so many of these doubts are its own errors."
    severity: Severity = "warning" if bound.low > WRONG_LABEL_SHARE and not weak else "note"
    action = "Review these items, the most confident first; some are wrong labels, others are hard items to keep."
    yield make_finding(severity, claim, action, bound, n=items.n, items=items.ids)


def report_weak_model(doubts: LabelDoubts) -> Iterator[Outcome]:
    """Report that the model has some signal, but is hardly ever confident enough to doubt a label."""
    agreement, n = doubts.agreement, doubts.doubtful.n
    if agreement.low > 0 and agreement.value < WEAK_AGREEMENT:
        claim = (
            f"Cannot tell which labels are wrong: the quick model is too weak to doubt any (kappa "
            f"{agreement.value:.2f} over {n:,} items)."
        )
        action = "Run a full audit, which trains a stronger model, or label several times as many items."
        yield make_finding("note", claim, action, wilson(doubts.n_trusted, n), n=n)
