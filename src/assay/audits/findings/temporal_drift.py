"""Scores that fall when the model may only learn from the past."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.audits.intervals import difference
from assay.base.wording import format_percent, format_points


def find(seen: Seen) -> Iterator[Finding]:
    """Report a drop from random folds to the temporal split whose interval lies above 0."""
    rows = [row for row in seen.result("splits").get("families", []) if row["model"] == "linear"]
    scores = {row["split"]: (row["accuracy"], row["n"]) for row in rows}
    if not {"random", "temporal"} <= set(scores):
        return
    drop = difference(scores["random"], scores["temporal"])
    claim = (
        f"The quick model scores {format_percent(scores['random'][0])} on random folds and {format_percent(scores['temporal'][0])} "
        f"when it learns from the past and is asked about the future: {format_points(drop)} less."
    )
    evidence = {"n": scores["temporal"][1]}
    if drop.low > 0:
        yield TEMPORAL.finding("warning", claim, drop, "Test on the latest items, and renew them.", evidence)
    elif drop.high > 0.05:
        n = round(scores["temporal"][1] * (drop.high - drop.low) ** 2 / 0.05**2)
        told = f"Cannot tell whether scores fall over time: the drop is {format_points(drop)}. About {n:,} test items would."
        yield TEMPORAL.finding("note", told, drop, f"Date more items, about {n:,} for the test.", evidence)


TEMPORAL = Check("A205", "splits", "Scores fall over time", find)
