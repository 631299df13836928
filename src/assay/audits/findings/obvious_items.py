"""Items whose words give the label away."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_share
from assay.statistics import Interval

MOST = 0.65


def find(seen: Seen) -> Iterator[Finding]:
    """Report pairs of which surely more than 65 % follow the rule "few shared words, negative" (paper 002)."""
    result = seen.result("difficulty")
    if result.get("obvious_share") is None or result.get("counts") is None:
        return
    share = Interval(result["obvious_share"], result["low"], result["high"])
    if share.low > MOST:
        claim = f"{format_share(share)} of the pairs are obvious: whether their words agree already tells the label."
        action = "Add pairs that share words and differ in meaning, and the other way round."
        evidence = {"n": result["n_items"], "counts": result["counts"]}
        yield OBVIOUS.finding("note", claim, share, action, evidence)


OBVIOUS = Check("A302", "difficulty", "Most items are obvious", find)
