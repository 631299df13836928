"""Groups that stand on both sides of a split."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import agree, counted, quoted, shares
from assay.statistics import wilson

GRAVE = 0.01


def find(seen: Seen) -> Iterator[Finding]:
    """Report every part whose items belong to groups that train has too; a warning from 1 % of the part on."""
    for row in seen.result("profile").get("group_leaks", []):
        if not row["count"]:
            continue
        share = wilson(row["count"], row["n"])
        those = f"{counted(row['count'], 'item')} of {row['part']} ({shares(share)})"
        claim = (
            f"{those} {agree(row['count'], 'belongs', 'belong')} to {counted(row['n_groups'], 'group')} that "
            f"{agree(row['n_groups'], 'stands', 'stand')} in {row['of']} too, such as {quoted(row['group'])}."
        )
        action = "Split with groups kept whole, or say that systems may know the groups of the test."
        evidence = {"ids": row["ids"], "n": row["n"], "count": row["count"], "part": row["part"]}
        yield GROUPS.finding("warning" if share.value >= GRAVE else "note", claim, share, action, evidence)


GROUPS = Check("A109", "profile", "Groups across parts", find)
