"""Items that the better systems get wrong."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import counted, shares
from assay.statistics import wilson

LEAST_SYSTEMS = 6


def find(seen: Seen) -> Iterator[Finding]:
    """Report items that run against the ranking at 5 % false discoveries; below six systems nobody can tell."""
    result = seen.result("discrimination")
    back = result.get("backwards")
    if not back or result["basis"] != "predictions":
        return
    share = wilson(back["count"], max(back["n"], 1))
    if back["n_systems"] < LEAST_SYSTEMS:
        claim = (
            f"Cannot tell whether items run backwards: {counted(back['n_systems'], 'system')} are too few, "
            f"{LEAST_SYSTEMS} or better 20 would."
        )
        yield BACKWARDS.finding("note", claim, share, "Collect the predictions of more systems.", {"n": back["n"]})
    elif back["count"]:
        claim = (
            f"{counted(back['count'], 'item')} of {back['n']:,} ({shares(share)}) run backwards: the better a system "
            "is on the others, the more often it is wrong here."
        )
        action = "Check the gold label of these items first; their key may be wrong."
        evidence = {"ids": back["ids"], "n": back["n"], "count": back["count"], "n_systems": back["n_systems"]}
        yield BACKWARDS.finding("warning", claim, share, action, evidence)


BACKWARDS = Check("A504", "discrimination", "Backwards items", find)
