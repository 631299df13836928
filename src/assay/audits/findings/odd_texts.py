"""Texts that look broken."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import choose_verb, count_noun, format_share
from assay.statistics import wilson

READ_ANEW = "Read the source anew with the right encoding, or mend or remove these texts."
# What is said of the items, and what to do.
BROKEN = {
    "empty": ("no text", "Remove these items, or look for the texts that were lost."),
    "no_words": ("a text without a word", "Look at these items, and remove those that nobody can answer."),
    "control_characters": ("control characters in the text", "Take the control characters out."),
    "replacement_characters": ("the mark of a lost character in the text", READ_ANEW),
    "wrong_encoding": ("a text that was once read in a wrong encoding", READ_ANEW),
}
UNTIDY = {
    "markup": ("markup in the text", "Take the markup out, unless it belongs to the task."),
    "only_a_link": ("nothing but a link", "Remove these items, or put the text behind the link in its place."),
    "very_long": (
        "a text more than ten times as long as three quarters of all",
        "Look at these items: several texts may have run together; if not, say how systems should cut them.",
    ),
}
GRAVE = 0.001


def find(seen: Seen) -> Iterator[Finding]:
    """Report each oddity: broken texts are a warning from 0.1 % of the items on, untidy ones a note."""
    result = seen.result("profile")
    odd = result.get("odd_texts", {"counts": {}, "examples": {}})
    for name, count in odd["counts"].items():
        share = wilson(count, result["n_items"])
        what, action = (BROKEN | UNTIDY).get(name, (name, READ_ANEW))
        claim = f"{count_noun(count, 'item')} ({format_share(share)}) {choose_verb(count, 'has', 'have')} {what}."
        severity = "warning" if name in BROKEN and share.value >= GRAVE else "note"
        evidence = {"ids": odd["examples"][name], "n": result["n_items"], "count": count, "oddity": name}
        yield ODD_TEXTS.finding(severity, claim, share, action, evidence)


ODD_TEXTS = Check("A107", "profile", "Odd texts", find)
