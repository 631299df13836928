"""One label for nearly everything."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import quoted, shares
from assay.statistics import wilson

MOST = 0.8


def find(seen: Seen) -> Iterator[Finding]:
    """Report where the commonest label has more than 80 % of the items, its interval above that."""
    labels = seen.result("profile").get("labels", {})
    if len(labels) < 2:
        return
    name, size = next(iter(labels.items()))
    n = int(sum(one["count"] for one in labels.values()))
    share = wilson(size["count"], n)
    if share.low > MOST:
        claim = f"The label {quoted(name)} has {shares(share)} of the items: a constant answer scores as much."
        action = "Report macro-averaged scores and the majority baseline beside accuracy."
        yield IMBALANCE.finding("warning", claim, share, action, {"label": name, "n": n})


IMBALANCE = Check("A105", "profile", "One label dominates", find)
