"""Items of test or dev that stand word for word in training."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.crossing import crossings
from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import choose_verb


def find(seen: Seen) -> Iterator[Finding]:
    """Report every part with exact copies in training; an error from 1 % of the part on."""
    rows = [row for row in seen.result("profile").get("leaks", []) if row["kind"] == "exact"]
    for found in crossings(rows):
        row = found.row
        claim = f"{found.those} {choose_verb(row['count'], 'stands', 'stand')} word for word in {row['of']}."
        action = "Remove these items from one of the parts, and score systems anew without them."
        severity = "error" if found.grave else "warning"
        yield EXACT_LEAKS.finding(severity, claim, found.share, action, found.evidence)


EXACT_LEAKS = Check("A101", "profile", "Exact copies across parts", find)
