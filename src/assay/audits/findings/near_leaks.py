"""Items of test or dev that stand nearly word for word in training."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.crossing import crossings
from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import choose_verb


def find(seen: Seen) -> Iterator[Finding]:
    """Report every part with near copies in training; a warning from 1 % of the part on."""
    rows = [row for row in seen.result("profile").get("leaks", []) if row["kind"] == "near"]
    for found in crossings(rows):
        row = found.row
        claim = (
            f"{found.those} {choose_verb(row['count'], 'shares', 'share')} at least 80 % of the words and word pairs with an "
            f"item of {row['of']}, beyond exact copies."
        )
        action = "Look at them: where they are the same item, remove one; or split with duplicates kept together."
        yield NEAR_LEAKS.finding("warning" if found.grave else "note", claim, found.share, action, found.evidence)


NEAR_LEAKS = Check("A102", "profile", "Near copies across parts", find)
