"""Items of test or dev that stand word for word in training."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import agree, counted, shares
from assay.statistics import wilson

GRAVE = 0.01  # share of a part from which its score is no longer about new items


def find(seen: Seen) -> Iterator[Finding]:
    """Report every part with exact copies in training; an error from 1 % of the part on."""
    for row in seen.result("profile").get("leaks", []):
        if row["kind"] != "exact" or not row["count"]:
            continue
        share = wilson(row["count"], row["n"])
        those = f"{counted(row['count'], 'item')} of {row['part']} ({shares(share)})"
        claim = f"{those} {agree(row['count'], 'stands', 'stand')} word for word in {row['of']}."
        action = "Remove these items from one of the parts, and score systems anew without them."
        evidence = {"ids": row["ids"], "n": row["n"], "count": row["count"], "part": row["part"]}
        yield EXACT_LEAKS.finding("error" if share.value >= GRAVE else "warning", claim, share, action, evidence)


EXACT_LEAKS = Check("A101", "profile", "Exact copies across parts", find)
