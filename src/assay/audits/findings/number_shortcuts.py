"""A number such as length or overlap that is tied to the label."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import percent, quoted
from assay.statistics import Interval

SURE = 0.001
TELLS = 0.02  # of the label entropy


def find(seen: Seen) -> Iterator[Finding]:
    """Report numbers of a text that surely tell more than 2 % of the label entropy."""
    result = seen.result("information")
    for cue in result.get("cues", []):
        if cue["kind"] != "number" or cue["p"] >= SURE or cue["information"] < TELLS * result["entropy"]:
            continue
        share = cue["information"] / result["entropy"]
        claim = (
            f"The number {quoted(cue['token'])} alone tells {percent(share)} of the label entropy "
            f"({cue['information']:.3f} nats; Kruskal and Wallis, p = {cue['p']:.2g})."
        )
        action = "Report scores by this number, or balance it over the labels."
        number = Interval(cue["information"], math.nan, math.nan, method="plug-in")
        severity = "warning" if share > 0.1 else "note"
        yield NUMBERS.finding(
            severity, claim, number, action, {"n": cue["n_items"], "feature": cue["token"], "p": cue["p"]}
        )


NUMBERS = Check("A407", "information", "A number tells the label", find)
