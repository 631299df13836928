"""Baselines that look at next to nothing and still beat the majority."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import paired_difference
from assay.base.wording import format_percent, format_points

TRIED = {
    "first word": "the first word",
    "last word": "the last word",
    "longer side": "which text is longer",
    "copy": "whether the two texts are the same",
    "length": "whether the text is longer than half of all",
}


def find(seen: Seen) -> Iterator[Finding]:
    """Report each cheap baseline that surely beats the majority (Bonferroni over those tried)."""
    baselines = {row["name"]: row for row in seen.result("information").get("baselines", [])}
    if "majority" not in baselines:
        return
    least = baselines["majority"]["accuracy"]
    for name, sight in TRIED.items():
        if name not in baselines:
            continue
        row = baselines[name]
        gain = paired_difference(row["accuracy"], least, row["n_items"], confidence=1 - 0.05 / len(TRIED))
        if gain.low > 0:
            claim = (
                f"A baseline that sees only {sight} is right on {format_percent(row['accuracy'])} of the items, "
                f"{format_points(gain)} above always saying the commonest label of training."
            )
            action = "Report this baseline beside every system; balance what it uses if the task is not about it."
            severity = "warning" if gain.low > 0.05 else "note"
            yield BASELINES.finding(severity, claim, gain, action, {"n": row["n_items"], "baseline": name})


BASELINES = Check("A403", "information", "Cheap baseline beats the majority", find)
