"""Labels that a model which never saw them does not believe."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import choose_verb, count_noun, format_share
from assay.statistics import Interval, wilson

GRAVE = 0.01
WEAK = 0.5  # agreement beyond chance of a model whose doubts and whose silence say little


def find(seen: Seen) -> Iterator[Finding]:
    """Report labels doubted by confident learning; a warning where a good model finds surely more than 1 % wrong."""
    found = seen.result("information").get("labels") or {}
    if found.get("count") == 0:
        yield from too_weak(found)
    if not found.get("count"):
        return
    bound = Interval(*(found["where_surest"][end] for end in ("value", "low", "high")))
    weak = found["kappa"]["value"] < WEAK
    claim = (
        f"{count_noun(found['count'], 'label')} of {found['n']:,} {choose_verb(found['count'], 'is', 'are')} doubtful: a model "
        f"not trained on them is confident of another. Even where it is surest {format_share(bound)} of the labels differ; "
        "no more than the upper end of that can be wrong at random."
    )
    action = "Look at these items, the surest first; some are wrong labels, others hard items that should stay."
    evidence = {"ids": found["ids"], "n": found["n"], "count": found["count"], "weak_model": weak}
    severity = "warning" if bound.low > GRAVE and not weak else "note"
    yield DOUBTFUL_LABELS.finding(severity, claim + WEAKLY * weak, bound, action, evidence)


WEAKLY = " The model is weak, and many of its doubts will be errors of its own."


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
