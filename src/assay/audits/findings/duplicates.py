"""Items that stand in one part more than once."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import choose_verb, count_noun, format_share
from assay.statistics import wilson

GRAVE = 0.01


def find(seen: Seen) -> Iterator[Finding]:
    """Report copies within parts, not counting the first of each; a warning from 1 % on."""
    found = seen.result("profile").get("within")
    if not found or not found["count"]:
        return
    share = wilson(found["count"], found["n"])
    verb = choose_verb(found["count"], "repeats", "repeat")
    claim = f"{count_noun(found['count'], 'item')} of {found['n']:,} ({format_share(share)}) {verb} another item of the same part."
    action = "Keep one of each: copies count several times in every score and narrow its interval wrongly."
    evidence = {"ids": found["ids"], "n": found["n"], "count": found["count"]}
    yield DUPLICATES.finding("warning" if share.value >= GRAVE else "note", claim, share, action, evidence)


DUPLICATES = Check("A103", "profile", "Copies within a part", find)
