"""Scores that say little about the systems."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.statistics import feldt_interval

LEAST = 0.7
LEAST_SYSTEMS = 5


def find(seen: Seen) -> Iterator[Finding]:
    """Report a reliability (Cronbach's alpha over items) below 0.7 with at least five systems (Feldt's interval)."""
    result = seen.result("discrimination")
    if result.get("basis") != "predictions" or result["n_systems"] < LEAST_SYSTEMS:
        return
    for one in result["items"]:
        if one["reliability"] is None:
            continue
        alpha = feldt_interval(one["reliability"], result["n_systems"], one["n_items"])
        if alpha.high < LEAST:
            wanted = round(one["n_items"] * LEAST * (1 - alpha.value) / max(alpha.value * (1 - LEAST), 1e-9))
            claim = (
                f"Scores are unreliable: alpha {alpha.value:.2f} [{alpha.low:.2f}, {alpha.high:.2f}] over "
                f"{one['n_items']:,} items and {result['n_systems']} systems, below {LEAST}."
            )
            action = (
                f"About {wanted:,} items of this kind would reach {LEAST}." if alpha.value > 0 else "Replace items."
            )
            yield UNRELIABLE.finding("warning", claim, alpha, action, {"n": one["n_items"]})


UNRELIABLE = Check("A506", "discrimination", "Unreliable scores", find)
