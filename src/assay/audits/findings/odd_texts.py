"""Texts that look broken."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import agree, counted, shares
from assay.statistics import wilson

BROKEN = {
    "empty": "with nothing in them",
    "no_words": "without a word",
    "control_characters": "with control characters",
    "replacement_characters": "with the mark of a lost character",
    "wrong_encoding": "read in a wrong encoding",
}
UNTIDY = {
    "markup": "with markup",
    "only_a_link": "with nothing but a link",
    "very_long": "more than ten times as long as three quarters of all",
}
GRAVE = 0.001


def find(seen: Seen) -> Iterator[Finding]:
    """Report each oddity: broken texts are a warning from 0.1 % of the items on, untidy ones a note."""
    result = seen.result("profile")
    odd = result.get("odd_texts", {"counts": {}, "examples": {}})
    for name, count in odd["counts"].items():
        share = wilson(count, result["n_items"])
        verb, what = agree(count, "is", "are"), (BROKEN | UNTIDY).get(name, name)
        claim = f"There {verb} {counted(count, 'text')} ({shares(share)}) {what}."
        severity = "warning" if name in BROKEN and share.value >= GRAVE else "note"
        action = "Read the source anew with the right encoding, or clean or remove these texts."
        evidence = {"ids": odd["examples"][name], "n": result["n_items"], "count": count, "oddity": name}
        yield ODD_TEXTS.finding(severity, claim, share, action, evidence)


ODD_TEXTS = Check("A107", "profile", "Odd texts", find)
