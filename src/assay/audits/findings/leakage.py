"""Items that occur more than once: in training and in test, within a part, or under different labels."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.evidence.common import ItemCount
from assay.audits.evidence.profile import Overlap, ProfileEvidence
from assay.audits.findings.base import Finding, NotChecked, Outcome, Severity, make_finding, rule
from assay.base.wording import choose_verb, count_noun, format_share, quote
from assay.statistics import Interval, wilson

MATERIAL_SHARE = 0.01  # of a part: from here on its score is no longer about new items
NO_PARTS = NotChecked("The data has no parts to compare.")


def estimate_share(items: ItemCount) -> Interval:
    """Return the share of items with its Wilson interval."""
    return wilson(items.count, max(items.n, 1))


def describe_items(items: ItemCount, part: str) -> str:
    """Begin a sentence about items of a part.

    >>> describe_items(ItemCount(1, 20, ("x",)), "test")
    '1 item of test (5.0 % [0.89 %, 24 %])'
    """
    return f"{count_noun(items.count, 'item')} of {part} ({format_share(estimate_share(items))})"


def raise_severity(items: ItemCount, mild: Severity, serious: Severity) -> Severity:
    """Choose the more serious of two severities from 1 % of the items on."""
    return serious if items.share >= MATERIAL_SHARE else mild


@rule("A101", "Exact copies across parts", section="profile")
def find_exact_copies(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report every part with items that are also in training; an error from 1 % of the part on."""
    yield from find_overlaps(profile, "exact")


@rule("A102", "Near copies across parts", section="profile")
def find_near_copies(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report every part with near copies of training items; a warning from 1 % of the part on."""
    yield from find_overlaps(profile, "near")


def find_overlaps(profile: ProfileEvidence, kind: str) -> Iterator[Outcome]:
    """Report the overlaps of one kind, one finding per part."""
    if not profile.overlaps:
        yield NO_PARTS
    for overlap in profile.overlaps:
        if overlap.kind == kind and overlap.items.count:
            yield report_exact(overlap) if kind == "exact" else report_near(overlap)


def report_exact(overlap: Overlap) -> Finding:
    """Report items that are in the reference part verbatim."""
    items = overlap.items
    verb = choose_verb(items.count, "is", "are")
    return make_finding(
        raise_severity(items, "warning", "error"),
        f"{describe_items(items, overlap.part)} {verb} also in {overlap.reference}, verbatim.",
        "Remove these items from one of the parts, and score the systems again without them.",
        estimate_share(items),
        n=items.n,
        subject=overlap.part,
        items=items.ids,
    )


def report_near(overlap: Overlap) -> Finding:
    """Report items that share most of their words with an item of the reference part."""
    items = overlap.items
    claim = (
        f"{describe_items(items, overlap.part)} {choose_verb(items.count, 'shares', 'share')} at least 80 % of the "
        f"words and word pairs with an item of {overlap.reference}, not counting exact copies."
    )
    return make_finding(
        raise_severity(items, "note", "warning"),
        claim,
        "Look at them: where they are the same item, remove one; or split the data with duplicates kept together.",
        estimate_share(items),
        n=items.n,
        subject=overlap.part,
        items=items.ids,
    )


@rule("A103", "Copies within a part", section="profile")
def find_copies(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report copies within parts, not counting the first of each; a warning from 1 % on."""
    items = profile.copies
    if items.count:
        share = format_share(estimate_share(items))
        verb = choose_verb(items.count, "repeats", "repeat")
        yield make_finding(
            raise_severity(items, "note", "warning"),
            f"{count_noun(items.count, 'item')} of {items.n:,} ({share}) {verb} another item of the same part.",
            "Keep one of each: copies count several times in every score and make its interval too narrow.",
            estimate_share(items),
            n=items.n,
            items=items.ids,
        )


@rule("A104", "Conflicting labels", section="profile")
def find_conflicts(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report exact copies with different labels; an error from 1 % of the items on."""
    items = profile.conflicts
    if items.count:
        share = format_share(estimate_share(items))
        yield make_finding(
            raise_severity(items, "warning", "error"),
            f"{count_noun(items.count, 'item')} of {items.n:,} ({share}) have a copy with a different label.",
            "Decide on one label for each text, or remove them: no system can get both right.",
            estimate_share(items),
            n=items.n,
            items=items.ids,
        )


@rule("A109", "Groups across parts", section="profile")
def find_shared_groups(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report every part with items of groups that are also in training; a warning from 1 % of the part on."""
    if not profile.group_overlaps:
        yield NotChecked("The data has no groups, or no parts to compare.")
    for overlap in profile.group_overlaps:
        items = overlap.items
        if items.count:
            claim = (
                f"{describe_items(items, overlap.part)} {choose_verb(items.count, 'belongs', 'belong')} to "
                f"{count_noun(overlap.n_groups, 'group')} that {choose_verb(overlap.n_groups, 'is', 'are')} also in "
                f"{overlap.reference}, such as {quote(overlap.example or '')}."
            )
            yield make_finding(
                raise_severity(items, "note", "warning"),
                claim,
                "Keep groups whole when splitting, or report that systems may know the groups of the test part.",
                estimate_share(items),
                n=items.n,
                subject=overlap.part,
                items=items.ids,
            )
