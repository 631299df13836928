"""Systems that do well only where shared words give the answer away."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import difference
from assay.base.wording import choose_verb, count_noun, format_percent, format_points, quote

LEAST_DROP = 0.1
MOST_GRAVE = 0.5  # below this accuracy on non-obvious items the system has collapsed


def find(seen: Seen) -> Iterator[Finding]:
    """Report how many systems surely lose more than ten points on non-obvious items; told of the best one."""
    by_system: dict[str, dict[str, Any]] = {}
    for row in seen.result("difficulty").get("on_cases", []):
        by_system.setdefault(row["system"], {})[row["case_group"]] = row
    both = {name: rows for name, rows in by_system.items() if len(rows) == 2}
    if not both:
        return
    confidence = 1 - 0.05 / len(both)
    drops = {
        name: difference(_share(rows["obvious"]), _share(rows["non-obvious"]), confidence)
        for name, rows in both.items()
    }
    falling = [name for name, drop in drops.items() if drop.low > LEAST_DROP]
    if not falling:
        return
    best = max(falling, key=lambda name: _overall(both[name]))
    rows, drop = both[best], drops[best]
    claim = (
        f"{count_noun(len(falling), 'system')} of {len(both)} {choose_verb(len(falling), 'loses', 'lose')} more than ten points "
        f"where the words do not give the answer away: the best of them, {quote(best)}, is right on "
        f"{format_percent(rows['obvious']['accuracy'])} of the obvious items and on "
        f"{format_percent(rows['non-obvious']['accuracy'])} of the others, {format_points(drop)} less."
    )
    action = "Report scores on non-obvious items apart; they say more about understanding."
    severity = "warning" if rows["non-obvious"]["accuracy"] < MOST_GRAVE else "note"
    evidence = {"systems": falling[:10], "n": rows["non-obvious"]["n"]}
    yield COLLAPSE.finding(severity, claim, drop, action, evidence)


def _share(row: dict[str, Any]) -> tuple[float, int]:
    return row["accuracy"], row["n"]


def _overall(rows: dict[str, Any]) -> float:
    right = sum(row["accuracy"] * row["n"] for row in rows.values())
    return float(right / sum(row["n"] for row in rows.values()))


COLLAPSE = Check("A301", "difficulty", "Collapse on non-obvious items", find)
