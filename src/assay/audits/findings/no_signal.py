"""Labels that no quick model can predict."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_estimate, quote
from assay.statistics import Interval

NOTHING = 0.05  # agreement beyond chance that counts as none


def find(seen: Seen) -> Iterator[Finding]:
    """Report labels whose cross-validated agreement with the quick model is surely below 0.05 beyond chance."""
    found = seen.result("information").get("labels") or {}
    if "kappa" not in found or found["kappa"]["high"] is None:
        return
    agreement = Interval(*(found["kappa"][end] for end in ("value", "low", "high")))
    if agreement.low > 0:
        return
    better = best_system(seen)
    evidence = {"n": found["n"], "system": better["system"] if better else None}
    if better is not None:
        theirs = Interval(better["kappa"], better["low"], better["high"])
        claim = (
            f"The quick model finds no signal in the labels (kappa {format_estimate(agreement)}), but "
            f"{quote(better['system'])} does (kappa {format_estimate(theirs)})."
        )
        yield NO_SIGNAL.finding("note", claim, agreement, "Judge the task by stronger systems.", evidence)
    elif agreement.high < -NOTHING:
        claim = (
            f"The quick model predicts held-out labels worse than chance (kappa {format_estimate(agreement)}), as happens "
            "where an item and its near copy have different labels."
        )
        action = "Keep near copies together when splitting; if there are none, check that labels stand at their texts."
        yield NO_SIGNAL.finding("warning", claim, agreement, action, evidence)
    elif agreement.high < NOTHING:
        claim = f"No signal: the quick model predicts the labels no better than chance (kappa {format_estimate(agreement)})."
        action = "Check that labels stand beside their own texts; if they do, only stronger models can tell."
        yield NO_SIGNAL.finding("warning", claim, agreement, action, evidence)
    else:
        n = round(found["n"] * ((agreement.high - agreement.low) / 2 / NOTHING) ** 2)
        claim = f"Cannot tell whether the labels can be predicted: kappa {format_estimate(agreement)}. About {n:,} items would."
        yield NO_SIGNAL.finding("note", claim, agreement, f"Label about {n:,} items.", evidence)


def best_system(seen: Seen) -> dict[str, Any] | None:
    """Return the given system that agrees best with gold, if surely beyond chance."""
    result = seen.result("discrimination")
    rows = result.get("agreement", []) if result.get("basis") == "predictions" else []
    sure = [row for row in rows if row["low"] is not None and row["low"] > 0]
    return max(sure, key=lambda row: row["kappa"]) if sure else None


NO_SIGNAL = Check("A405", "information", "No signal", find)
