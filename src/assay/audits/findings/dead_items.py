"""Items on which all systems do the same."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_share
from assay.statistics import wilson

MOST = 0.3
LEAST_SYSTEMS = 5


def find(seen: Seen) -> Iterator[Finding]:
    """Report where surely more than 30 % of the items are answered alike by all of at least five systems."""
    result = seen.result("discrimination")
    if result.get("basis") != "predictions" or result["n_systems"] < LEAST_SYSTEMS:
        return
    for one in result["items"]:
        n = one["n_items"]
        share = wilson(one["n_all_right"] + one["n_all_wrong"], n)
        if share.low > MOST:
            claim = (
                f"{format_share(share)} of the items tell nothing about the {result['n_systems']} systems: all answer "
                f"{one['n_all_right']:,} rightly and {one['n_all_wrong']:,} wrongly."
            )
            action = "Keep them for new systems, but add items of middling difficulty."
            evidence = {"n": n, "n_all_right": one["n_all_right"], "n_all_wrong": one["n_all_wrong"]}
            yield DEAD.finding("note", claim, share, action, evidence)


DEAD = Check("A503", "discrimination", "Dead items", find)
