"""Groups that stand on both sides of a split."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.crossing import crossings
from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import choose_verb, count_noun, quote


def find(seen: Seen) -> Iterator[Finding]:
    """Report every part whose items belong to groups that train has too; a warning from 1 % of the part on."""
    for found in crossings(seen.result("profile").get("group_leaks", [])):
        row = found.row
        claim = (
            f"{found.those} {choose_verb(row['count'], 'belongs', 'belong')} to {count_noun(row['n_groups'], 'group')} that "
            f"{choose_verb(row['n_groups'], 'stands', 'stand')} in {row['of']} too, such as {quote(row['group'])}."
        )
        action = "Split with groups kept whole, or say that systems may know the groups of the test."
        yield GROUPS.finding("warning" if found.grave else "note", claim, found.share, action, found.evidence)


GROUPS = Check("A109", "profile", "Groups across parts", find)
