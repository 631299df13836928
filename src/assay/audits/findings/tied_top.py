"""A first place that is not sure."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import exact
from assay.base.wording import count_noun, quote

MOST = 10


def find(seen: Seen) -> Iterator[Finding]:
    """Report the systems that cannot be told from the first of their benchmark, by rank intervals (Holm over pairs)."""
    result = seen.result("discrimination")
    if result.get("basis") == "quick models":
        return
    ranked: dict[Any, list[dict[str, Any]]] = {}
    for row in result.get("systems", []):
        if row["rank_low"] is not None:
            ranked.setdefault(row.get("benchmark"), []).append(row)
    shared = [(name, rows) for name, rows in ranked.items() if len(rows) > 2 and len(tied(rows)) > 1]
    needed = next((one["items_needed_first_two"] for one in result.get("items") or []), None)
    for name, rows in shared[:MOST]:
        yield told(rows, f" on {quote(name)}" if len(ranked) > 1 else "", needed if len(ranked) == 1 else None)


def tied(rows: list[dict[str, Any]]) -> list[str]:
    """Name the systems whose rank interval begins at 1."""
    return [row["system"] for row in rows if row["rank_low"] == 1]


def told(rows: list[dict[str, Any]], where: str, needed: float | None) -> Finding:
    """Say who shares the first place."""
    first = tied(rows)
    claim = (
        f"First place{where} is shared by {len(first)} of {len(rows)} systems: {quote(rows[0]['system'])} scores "
        f"best, and {count_noun(len(first) - 1, 'other')} cannot be told from it."
    )
    action = "Publish rank intervals instead of ranks."
    if needed:
        action += f" About {needed:,.0f} items like these would separate the first two."
    return TIED.finding("note", claim, exact(float(len(first))), action, {"systems": first[:10], "n": len(rows)})


TIED = Check("A502", "discrimination", "First place is shared", find)
