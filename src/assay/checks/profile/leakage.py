"""Items that occur more than once: in training and in test, within a part, or under different labels."""

from __future__ import annotations

from collections.abc import Iterator

from assay.base.errors import join_names
from assay.checks.findings import (
    NO_ACTION,
    Finding,
    NotChecked,
    Outcome,
    count_share,
    describe_count,
    make_finding,
    report_items,
    rule,
    subtract_shares,
)
from assay.checks.measured import Measurements
from assay.checks.profile.results import ProfileEvidence
from assay.checks.splits.results import SplitsEvidence
from assay.features.profiling.overlaps import Overlap
from assay.views.values import ItemCount
from assay.wording.numbers import format_interval, format_percent
from assay.wording.sentences import choose_verb, count_noun, quote

NO_PARTS = NotChecked("The data has no parts to compare.")
MIN_SEEN_SIDES = 0.05  # of the test pairs


def describe_items(items: ItemCount, part: str) -> str:
    """Begin a sentence about items of a part.

    >>> describe_items(ItemCount(1, 20, ("x",)), "test")
    '1 item of 20 in test (5.0%)'
    """
    return f"{count_noun(items.count, 'item')} of {items.n:,} in {part} ({format_percent(items.share)})"


@rule("A101", "Exact copies across parts", section="profile", topic="leakage", decides=True)
def find_exact_copies(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report every part with items that are also in training; an error from 5% of the part on."""
    yield from find_overlaps(profile, "exact")


@rule("A102", "Near copies across parts", section="profile", topic="leakage", decides=True)
def find_near_copies(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report every part with near copies of training items; a warning from 1% of the part on.

    Near copies with another label are a note: a system that repeats the answer of the training item is wrong.
    """
    yield from find_overlaps(profile, "near")
    for overlap in profile.overlaps:
        if overlap.kind == "contrast" and overlap.items.count:
            yield report_contrast(overlap)


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
    claim = f"{describe_items(items, overlap.part)} {verb} also in {overlap.reference}, verbatim."
    action = f"Remove these items from {overlap.part} or {overlap.reference}, and score the systems again without them."
    return report_items(items, claim, action, subject=overlap.part, stake=items.share)


def report_near(overlap: Overlap) -> Finding:
    """Report items that share most of their words with an item of the reference part."""
    items = overlap.items
    claim = (
        f"{describe_items(items, overlap.part)} {choose_verb(items.count, 'shares', 'share')} at least 80% of the "
        f"words and word pairs, or all words but one or two, with an item of {overlap.reference}, not counting exact copies."
    )
    action = (
        f"Look at these items of {overlap.part}: if an item is the same as in {overlap.reference}, remove one; or split the "
        "data with duplicates kept together."
    )
    return report_items(items, claim, action, subject=overlap.part, stake=items.share)


def report_contrast(overlap: Overlap) -> Finding:
    """Report near copies that have another label than their original, as in pairs that differ on purpose."""
    claim = (
        f"{describe_items(overlap.items, overlap.part)} {choose_verb(overlap.items.count, 'shares', 'share')} at least "
        f"80% of the words and word pairs, or all words but one or two, with an item of {overlap.reference} that has "
        "another label."
    )
    action = f"{NO_ACTION} if they differ on purpose; else check their labels."
    return report_items(overlap.items, claim, action, most="note", subject=f"{overlap.part}, another label")


@rule("A103", "Copies within a part", section="profile", topic="leakage")
def find_copies(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report copies within parts, not counting the first of each; a warning from 1% on."""
    items = profile.copies
    if items.count:
        where = " of the same part" if len(profile.data.parts) > 1 else ""
        claim = f"{describe_count(items)} {choose_verb(items.count, 'repeats', 'repeat')} an earlier item{where}."
        action = "Keep one of each: copies count several times in every score and make its interval too narrow."
        yield report_items(items, claim, action, most="warning")


@rule("A104", "Conflicting labels", section="profile")
def find_conflicts(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report exact copies with different labels; an error from 1% of the items on.

    Grades are different if they differ by more than a fifth of the range of all grades. If nearly all copies differ in
    another column of texts, which systems may see, it is at most a warning.
    """
    items = profile.conflicts
    if not items.count:
        return
    claim = f"{describe_count(items)} {choose_verb(items.count, 'has', 'have')} a copy with a different label."
    action = "Decide on one label for each text, or remove them: no system can get both right."
    columns = profile.differing_columns
    if columns:
        claim = f"{claim[:-1]}; nearly all of these copies differ in {join_names(map(quote, columns), 3)}."
        action = "Add these columns to the text if systems see them. If they do not: decide on one label for each text."
    yield report_items(items, claim, action, most="warning" if columns else "error", stake=items.share / 2)


@rule("A109", "Groups across parts", section="profile", topic="leakage")
def find_shared_groups(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report every part with items of groups that are also in training; a warning from 1% of the part on."""
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
            action = f"Keep groups whole when splitting, or report that systems may know the groups of {overlap.part}."
            yield report_items(items, claim, action, most="warning", subject=overlap.part)


@rule("A110", "One side seen in training", section="profile", topic="leakage")
def find_seen_sides(profile: ProfileEvidence, measured: Measurements) -> Iterator[Outcome]:
    """Report parts in which at least 5% of the pairs have a side that is also in training, with scores on both kinds.

    A warning if both sides are known for 5% of the pairs, or if the quick model scores higher on known sides.
    """
    if not profile.side_overlaps:
        yield NotChecked("The items are not pairs, or there are no parts to compare.")
    splits = measured.find(SplitsEvidence)
    scores = () if splits is None else splits.side_scores
    for overlap in profile.side_overlaps:
        seen = ItemCount(overlap.one.count + overlap.both.count, overlap.one.n, overlap.one.ids)
        if seen.share < MIN_SEEN_SIDES:
            continue
        claim = (
            f"In {format_percent(seen.share)} of the {seen.n:,} pairs of {overlap.part} a side is also in "
            f"{overlap.reference}; in {format_percent(overlap.both.share)} both sides are."
        )
        by_sides = {score.sides: score for score in scores if overlap.part == "test"}
        new, known = by_sides.get("none"), by_sides.get("some")
        gain = None
        if new is not None and known is not None:
            gain = subtract_shares((known.accuracy.value, known.n), (new.accuracy.value, new.n))
            claim += (
                f" The quick model scores {format_percent(known.accuracy.value)} on these pairs and "
                f"{format_percent(new.accuracy.value)} on the {new.n:,} pairs with two new sides "
                f"({format_interval(gain, 'points')} more)."
            )
        material = overlap.both.share >= MIN_SEEN_SIDES or (gain is not None and gain.low > 0)
        yield make_finding(
            "warning" if material else "note",
            claim,
            "Split by text, so that no sentence is in two parts (assay split --group), or report scores on new sides.",
            count_share(seen),
            n=seen.n,
            subject=overlap.part,
            items=seen.ids,
        )
