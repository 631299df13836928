"""Items on which the systems together prefer another answer than the key."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import count_noun, format_share
from assay.statistics import wilson

GRAVE = 0.01


def find(seen: Seen) -> Iterator[Finding]:
    """Report items whose key is outvoted, the better systems counting more; a warning where surely more than 1 %."""
    result = seen.result("discrimination")
    found = result.get("outvoted")
    if not found or result.get("basis") != "predictions" or not found["count"]:
        return
    share = wilson(found["count"], found["n"])
    claim = (
        f"On {count_noun(found['count'], 'item')} of {found['n']:,} ({format_share(share)}) the {found['n_systems']} systems "
        "together contradict the key: another answer leads it by half of the votes, weighted by skill, and more."
    )
    action = "Check the gold label of these items: either the key is wrong, or all systems fail alike."
    evidence = {"ids": found["ids"], "n": found["n"], "count": found["count"], "n_systems": found["n_systems"]}
    yield OUTVOTED.finding("warning" if share.low > GRAVE else "note", claim, share, action, evidence)


OUTVOTED = Check("A509", "discrimination", "The systems contradict the key", find)
