"""Datasets with no room left above the best system."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import exact
from assay.base.wording import quote
from assay.discrimination.subsets import is_crowded
from assay.statistics import wilson

MOST = 10


def find(seen: Seen) -> Iterator[Finding]:
    """Report datasets with less than 2 points of room and at least three systems, the best one too, within a point."""
    result = seen.result("discrimination")
    if result.get("basis") == "quick models":
        return
    rows = result.get("datasets", [])
    for row in [row for row in rows if is_crowded(row["headroom"], row["upper"], row["n_within_one"])][:MOST]:
        best = (row["upper"] - row["headroom"]) / 100
        interval = wilson(best * row["n_items"], row["n_items"]) if row["n_items"] and 0 <= best <= 1 else exact(best)
        claim = (
            f"{quote(row['dataset'])} is used up: the best system has {100 * best:.4g} of 100, and "
            f"{row['n_within_one'] - 1} others are within a point of it."
        )
        evidence = {"dataset": row["dataset"], "n": row["n_items"], "n_systems": row["n_systems"]}
        yield USED_UP.finding("warning", claim, interval, "Retire it, or add harder items.", evidence)


USED_UP = Check("A508", "discrimination", "Used up", find)
