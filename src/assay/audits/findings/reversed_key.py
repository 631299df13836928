"""A test part whose labels run against those of training."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_estimate
from assay.statistics import Interval


def find(seen: Seen) -> Iterator[Finding]:
    """Report where a model that works within train agrees with test less than chance would, surely."""
    found = seen.result("splits").get("standard")
    if not found:
        return
    there, here = (
        Interval(*(one[end] for end in ("value", "low", "high"))) for one in (found["kappa"], found["within"])
    )
    if there.high is None or here.low is None or not (here.low > 0 > there.high):
        return
    claim = (
        f"The key of test looks reversed: a model agrees with held-out labels of train beyond chance (kappa "
        f"{format_estimate(here)}), and with those of test less than chance would (kappa {format_estimate(there)})."
    )
    action = "Check how the labels of the parts were coded; one of the two is upside down."
    yield REVERSED_KEY.finding("error", claim, there, action, {"n": found["n"]})


REVERSED_KEY = Check("A206", "splits", "Reversed key", find)
