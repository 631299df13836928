"""Texts that look broken."""

from __future__ import annotations

from collections.abc import Iterator

from assay.checks.findings import Outcome, describe_count, report_items, rule
from assay.checks.profile.results import ProfileEvidence
from assay.wording.sentences import choose_verb

READ_AGAIN = "Read the source again with the right encoding, or fix or remove these texts."
# What the items have, and what to do about it.
BROKEN = {
    "empty": ("no text", "Remove these items, or find the texts that were lost."),
    "no_words": ("a text without words", "Look at these items, and remove those that cannot be answered."),
    "control_characters": ("control characters in the text", "Remove the control characters."),
    "replacement_characters": ("replacement characters (�) in the text", READ_AGAIN),
    "wrong_encoding": ("a text that was read in a wrong encoding", READ_AGAIN),
}
UNTIDY = {
    "markup": ("markup in the text", "Remove the markup, unless it belongs to the task."),
    "escaped_characters": (
        "escaped characters such as &amp; in the text",
        "Unescape them (html.unescape in Python); do not delete them, they stand for characters of the text.",
    ),
    "only_a_link": ("nothing but a link", "Remove these items, or replace the link by the text behind it."),
    "very_long": (
        "a text more than ten times as long as three quarters of all texts",
        "Look at these items: several texts may have been joined; if not, say how systems should truncate them.",
    ),
}


@rule("A107", "Broken texts", section="profile")
def find_broken_texts(profile: ProfileEvidence) -> Iterator[Outcome]:
    """Report each defect: broken texts are a warning from 1% of the items on, untidy ones a note."""
    for kind, items in profile.data.odd_texts.count_items(profile.data.n_items).items():
        description, action = (BROKEN | UNTIDY)[kind]
        claim = f"{describe_count(items)} {choose_verb(items.count, 'has', 'have')} {description}."
        yield report_items(items, claim, action, most="warning" if kind in BROKEN else "note", subject=kind)
