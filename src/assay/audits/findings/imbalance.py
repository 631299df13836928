"""One label for nearly everything."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_share, quote
from assay.statistics import wilson

MOST = 0.8


def find(seen: Seen) -> Iterator[Finding]:
    """Report where the commonest label has more than 80 % of the items, its interval above that; all is an error."""
    labels = seen.result("profile").get("labels", {})
    if not labels:
        return
    name, size = next(iter(labels.items()))
    n = int(sum(one["count"] for one in labels.values()))
    share = wilson(size["count"], n)
    if share.low > MOST:
        claim = f"The label {quote(name)} has {format_share(share)} of the items: a constant answer scores as much."
        severity, action = "warning", "Report macro-averaged scores and the majority baseline beside accuracy."
        if len(labels) == 1:
            severity = "error"
            action = "Name the column of labels (--label), or add items of other labels: no score means anything here."
        yield IMBALANCE.finding(severity, claim, share, action, {"label": name, "n": n})


IMBALANCE = Check("A105", "profile", "One label dominates", find)
