"""A first place that is not sure."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import exact
from assay.audits.wording import counted, quoted


def find(seen: Seen) -> Iterator[Finding]:
    """Report the systems that cannot be told from the first, by rank intervals (Holm over the pairs)."""
    result = seen.result("discrimination")
    if result.get("basis") == "quick models":
        return
    rows = [row for row in result.get("systems", []) if row["rank_low"] is not None]
    first = [row["system"] for row in rows if row["rank_low"] == 1]
    if len(rows) < 3 or len(first) < 2:
        return
    claim = (
        f"First place is shared: {counted(len(first), 'system')} of {len(rows)} cannot be told from the best, "
        f"{quoted(rows[0]['system'])}."
    )
    needed = next((one["items_needed_first_two"] for one in result.get("items") or []), None)
    action = "Publish rank intervals instead of ranks."
    if needed:
        action += f" About {needed:,.0f} items like these would separate the first two."
    evidence = {"systems": first[:10], "n": len(rows)}
    yield TIED.finding("note", claim, exact(float(len(first))), action, evidence)


TIED = Check("A502", "discrimination", "First place is shared", find)
