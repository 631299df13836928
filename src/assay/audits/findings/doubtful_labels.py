"""Labels that a model which never saw them does not believe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.audits.wording import agree, counted, shares
from assay.statistics import Interval, wilson

GRAVE = 0.01
WEAK = 0.5  # agreement beyond chance of a model whose silence says nothing


def find(seen: Seen) -> Iterator[Finding]:
    """Report labels doubted by confident learning; a warning where surely more than 1 % are."""
    found = seen.result("information").get("labels") or {}
    if found.get("count") == 0:
        yield from too_weak(found)
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


def too_weak(found: dict[str, Any]) -> Iterator[Finding]:
    """Say so where the model sees some signal, but is nearly nowhere sure enough to doubt a label."""
    agreement = found["kappa"]
    trusted = wilson(found["n_trusted"], found["n"])
    if agreement["low"] is not None and agreement["low"] > 0 and agreement["value"] < WEAK:
        claim = (
            f"Cannot tell which labels are wrong: the quick model is too weak to doubt any (kappa "
            f"{agreement['value']:.2f} over {found['n']:,} items)."
        )
        action = "Let a stronger model look (--full), or give it more items: several times as many."
        yield DOUBTFUL_LABELS.finding("note", claim, trusted, action, {"n": found["n"]})


DOUBTFUL_LABELS = Check("A108", "information", "Doubtful labels", find)
