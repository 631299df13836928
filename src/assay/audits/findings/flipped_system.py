"""A system whose answers run against the key."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_estimate, quote
from assay.statistics import Interval

WORSE = -0.1


def find(seen: Seen) -> Iterator[Finding]:
    """Report systems that agree with gold surely less than chance would; all of them together point at the key."""
    result = seen.result("discrimination")
    rows = result.get("agreement", []) if result.get("basis") == "predictions" else []
    flipped = [row for row in rows if row["high"] is not None and row["high"] < WORSE]
    if len(flipped) > 1 and len(flipped) * 2 > len(rows):
        worst = min(flipped, key=lambda row: row["kappa"])
        number = Interval(worst["kappa"], worst["low"], worst["high"])
        claim = (
            f"{len(flipped)} of {len(rows)} systems agree with the key less than chance would, such as "
            f"{quote(worst['system'])} (kappa {format_estimate(number)}): the key looks reversed."
        )
        evidence = {"systems": [row["system"] for row in flipped[:10]], "n": worst["n"]}
        yield FLIPPED.finding("error", claim, number, "Check how labels are coded in data and predictions.", evidence)
        return
    for row in flipped:
        number = Interval(row["kappa"], row["low"], row["high"])
        claim = f"{quote(row['system'])} agrees with the key less than chance would (kappa {format_estimate(number)})."
        action = "Check whether this file has its labels swapped."
        yield FLIPPED.finding("warning", claim, number, action, {"system": row["system"], "n": row["n"]})


FLIPPED = Check("A505", "discrimination", "System or key reversed", find)
