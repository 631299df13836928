"""Items of test or dev that stand nearly word for word in training."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import agree, counted, shares
from assay.statistics import wilson

GRAVE = 0.01


def find(seen: Seen) -> Iterator[Finding]:
    """Report every part with near copies in training; a warning from 1 % of the part on."""
    for row in seen.result("profile").get("leaks", []):
        if row["kind"] != "near" or not row["count"]:
            continue
        share = wilson(row["count"], row["n"])
        verb = agree(row["count"], "shares", "share")
        claim = (
            f"{counted(row['count'], 'item')} of {row['part']} ({shares(share)}) {verb} at least 80 % of the words and "
            f"word pairs with an item of {row['of']}, beyond exact copies."
        )
        action = "Look at them: where they are the same item, remove one; or split with duplicates kept together."
        evidence = {"ids": row["ids"], "n": row["n"], "count": row["count"], "part": row["part"]}
        yield NEAR_LEAKS.finding("warning" if share.value >= GRAVE else "note", claim, share, action, evidence)


NEAR_LEAKS = Check("A102", "profile", "Near copies across parts", find)
