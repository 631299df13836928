"""The same text under different labels."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import count_noun, format_share
from assay.statistics import wilson

GRAVE = 0.01


def find(seen: Seen) -> Iterator[Finding]:
    """Report exact copies with different labels; an error from 1 % of the items on."""
    found = seen.result("profile").get("conflicts")
    if not found or not found["count"]:
        return
    share = wilson(found["count"], found["n"])
    claim = f"{count_noun(found['count'], 'item')} of {found['n']:,} ({format_share(share)}) have a copy under another label."
    action = "Decide on one label for each text, or remove them: no system can get both right."
    evidence = {"ids": found["ids"], "n": found["n"], "count": found["count"]}
    yield CONFLICTS.finding("error" if share.value >= GRAVE else "warning", claim, share, action, evidence)


CONFLICTS = Check("A104", "profile", "Conflicting labels", find)
