"""Labels that a model which never saw them does not believe."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import agree, counted, shares
from assay.statistics import Interval

GRAVE = 0.01


def find(seen: Seen) -> Iterator[Finding]:
    """Report labels doubted by confident learning; a warning where surely more than 1 % are."""
    found = seen.result("information").get("labels") or {}
    if not found.get("count"):
        return
    share = Interval(*(found["share"][end] for end in ("value", "low", "high")))
    verb = agree(found["count"], "is", "are")
    claim = (
        f"{counted(found['count'], 'label')} of {found['n']:,} ({shares(share)}) {verb} doubtful: a model not "
        "trained on them is confident of another label, and where it is so confident it is right nine times in ten."
    )
    action = "Look at these items, the surest first; some are wrong labels, others hard items that should stay."
    evidence = {"ids": found["ids"], "n": found["n"], "count": found["count"]}
    yield DOUBTFUL_LABELS.finding("warning" if share.low > GRAVE else "note", claim, share, action, evidence)


DOUBTFUL_LABELS = Check("A108", "information", "Doubtful labels", find)
