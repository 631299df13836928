"""The smallest difference this test set can show."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import exact


def find(seen: Seen) -> Iterator[Finding]:
    """Report the median difference that two systems need to be told apart with 80 % power; always a note."""
    result = seen.result("discrimination")
    gap = result.get("detectable")
    if result.get("basis") != "predictions" or gap is None:
        return
    best = result.get("gap_first_two")
    n = result["n_test"]
    tail = "" if best is None else f" The first two systems lie {100 * best:.1f} points apart."
    claim = (
        f"Two systems must differ by {100 * gap:.1f} points to be told apart on these {n:,} items (80 % power).{tail}"
    )
    action = "Take smaller differences for ties; four times as many items halve this."
    yield GAP.finding("note", claim, exact(gap), action, {"n": n, "gap_first_two": best})


GAP = Check("A507", "discrimination", "Smallest detectable difference", find)
