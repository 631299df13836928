"""Labels with too few items to say anything about."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import exact
from assay.base.wording import choose_verb, count_noun, quote

LEAST = 10


def find(seen: Seen) -> Iterator[Finding]:
    """Report labels with fewer than ten items in test (in all where there are no parts)."""
    result = seen.result("profile")
    labels = result.get("labels", {})
    if not 2 <= len(labels) <= 200:
        return
    part = next((name for name in ("test", "dev") if name in result.get("parts", {})), None)
    counts = dict.fromkeys(labels, 0)
    for row in result["parts_labels"]:
        if part is None or row["part"] == part:
            counts[row["label"]] += row["count"]
    rare = sorted((name for name, n in counts.items() if n < LEAST), key=lambda name: (counts[name], name))
    if not rare or not sum(counts.values()):
        return
    where = part or "the data"
    verb = choose_verb(len(rare), "has", "have")
    claim = (
        f"{count_noun(len(rare), 'label')} of {len(labels)} {verb} fewer than {LEAST} items in {where}, such as "
        f"{quote(rare[0])} with {counts[rare[0]]}: nobody can tell how well such a label is recognised."
    )
    action = f"Collect at least {LEAST} items of each in {where}, better 100, or join labels."
    evidence = {"labels": rare[:10], "counts": [counts[name] for name in rare[:10]], "n": sum(counts.values())}
    yield RARE_LABELS.finding("note", claim, exact(float(len(rare))), action, evidence)


RARE_LABELS = Check("A106", "profile", "Rare labels", find)
