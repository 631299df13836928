"""One text of the pair is enough."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import paired_difference
from assay.base.wording import format_percent, format_points

SIDES = {"side a only": "first", "side b only": "second"}


def find(seen: Seen) -> Iterator[Finding]:
    """Report where a model that sees one side only surely beats the majority (two sides tried: 97.5 % intervals)."""
    baselines = {row["name"]: row for row in seen.result("information").get("baselines", [])}
    if "majority" not in baselines:
        return
    least = baselines["majority"]["accuracy"]
    for name, which in SIDES.items():
        if name not in baselines:
            continue
        row = baselines[name]
        gain = paired_difference(row["accuracy"], least, row["n_items"], confidence=0.975)
        if gain.low > 0:
            claim = (
                f"The {which} text of the pair alone predicts the label: {format_percent(row['accuracy'])} right, "
                f"{format_points(gain)} above always saying the commonest label of training."
            )
            action = "Make pairs in which the same text occurs with different labels."
            evidence = {"n": row["n_items"], "side": which}
            yield ONE_SIDE.finding("warning", claim, gain, action, evidence)


ONE_SIDE = Check("A402", "information", "One side is enough", find)
