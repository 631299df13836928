"""Little or nothing to learn beyond shortcuts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_estimate, format_percent
from assay.statistics import Interval

NEAR_ZERO = 0.05  # share of the label entropy


def find(seen: Seen) -> Iterator[Finding]:
    """Report where the information beyond all shortcuts is surely below 5 % of the entropy, or nobody can tell."""
    result = seen.result("information")
    if not result.get("control") or without_signal(result):
        return
    widest = result["control"][-1]
    tsi = Interval(widest["tsi"], widest["tsi_low"], widest["tsi_high"])
    bar = NEAR_ZERO * result["entropy"]
    evidence = {"n": widest["n_items"], "shortcuts": widest["shortcuts"], "entropy": result["entropy"]}
    if tsi.high < bar:
        claim = (
            f"The quick model finds next to nothing beyond shortcuts: {format_estimate(tsi, 3)} nats of "
            f"{result['entropy']:.2f} ({format_percent(max(tsi.value, 0.0) / result['entropy'])})."
        )
        action = "Try a stronger model (--full, or --predictions with probabilities) before calling the task empty."
        yield LITTLE.finding("warning", claim, tsi, action, evidence)
    elif tsi.low < 0 < tsi.high:
        n = round(widest["n_items"] * ((tsi.high - tsi.low) / 2 / max(abs(tsi.value), bar)) ** 2)
        claim = (
            f"Cannot tell whether there is anything beyond shortcuts: {format_estimate(tsi, 3)} nats. About "
            f"{max(n, widest['n_items'] + 1):,} held-out items would."
        )
        yield LITTLE.finding("note", claim, tsi, "Hold out more items, or use a stronger model.", evidence)


def without_signal(result: dict[str, Any]) -> bool:
    """Tell whether the model may know nothing at all: then A405 says so, and shortcuts are not the reason."""
    low = ((result.get("labels") or {}).get("kappa") or {}).get("low")
    return low is not None and low <= 0


LITTLE = Check("A404", "information", "Little information beyond shortcuts", find)
