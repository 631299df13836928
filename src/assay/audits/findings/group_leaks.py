"""Groups that stand on both sides of a split."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.crossing import crossings
from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import agree, counted, quoted


def find(seen: Seen) -> Iterator[Finding]:
    """Report every part whose items belong to groups that train has too; a warning from 1 % of the part on."""
    for found in crossings(seen.result("profile").get("group_leaks", [])):
        row = found.row
        claim = (
            f"{found.those} {agree(row['count'], 'belongs', 'belong')} to {counted(row['n_groups'], 'group')} that "
            f"{agree(row['n_groups'], 'stands', 'stand')} in {row['of']} too, such as {quoted(row['group'])}."
        )
        action = "Split with groups kept whole, or say that systems may know the groups of the test."
        yield GROUPS.finding("warning" if found.grave else "note", claim, found.share, action, found.evidence)


GROUPS = Check("A109", "profile", "Groups across parts", find)
