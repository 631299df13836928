"""Labels that are shared out otherwise in test than in training."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_p_value, format_percent, quote
from assay.statistics import Interval

FROM, LARGE = 0.03, 0.1


def find(seen: Seen) -> Iterator[Finding]:
    """Report where the labels of train and test differ (chi-square, 1 %) and 3 % of the items would have to change."""
    drift = (seen.result("splits").get("drift") or {}).get("labels")
    if not drift or drift["p"] > 0.01 or drift["distance"] < FROM:
        return
    learnt, asked = drift["parts"]
    claim = (
        f"Labels differ between {learnt} and {asked}: {format_percent(drift['distance'])} of the items of one would need "
        f"another label to match the other (chi-square, {format_p_value(drift['p'])}){largest(drift)}."
    )
    action = "Split with stratification, or say that the label shares differ on purpose."
    number = Interval(drift["distance"], math.nan, math.nan, method="total variation")
    severity = "warning" if drift["distance"] > LARGE else "note"
    yield LABEL_DRIFT.finding(severity, claim, number, action, {"n": drift["n_test"], "p": drift["p"]})


def largest(drift: dict[str, Any]) -> str:
    """Name the label whose share changed most."""
    most, (learnt, asked) = drift["most"], drift["parts"]
    return f"; {quote(most['label'])} has {format_percent(most['train'])} of {learnt} and {format_percent(most['test'])} of {asked}"


LABEL_DRIFT = Check("A204", "splits", "Labels drift between parts", find)
