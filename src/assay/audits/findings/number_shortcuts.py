"""A number such as length or overlap that is tied to the label."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_p_value, format_percent, quote
from assay.statistics import Interval

SURE = 0.001
TELLS, LARGE = 0.02, 0.1  # of the label entropy
MEANINGS = {
    "length": "words of the text",
    "length of a": "words of the first text",
    "length of b": "words of the second text",
    "difference of length": "how much longer the first text is",
    "overlap of a": "share of the first text's words that the second has too",
    "overlap of b": "share of the second text's words that the first has too",
    "punctuation": "share of marks among words and marks",
}


def find(seen: Seen) -> Iterator[Finding]:
    """Report the number of a text that tells most of the label entropy, if surely above 2 %, and those beside it."""
    result = seen.result("information")
    numbers = [cue for cue in result.get("cues", []) if cue["kind"] == "number" and cue["p"] < SURE]
    told = [{**cue, "of_entropy": cue["information"] / result["entropy"]} for cue in numbers]
    telling = sorted((cue for cue in told if cue["of_entropy"] >= TELLS), key=lambda cue: -cue["of_entropy"])
    if not telling:
        return
    first, *others = telling
    also = ", ".join(f"{quote(cue['token'])} {format_percent(cue['of_entropy'])}" for cue in others)
    claim = (
        f"The number {quote(first['token'])}{meaning(first['token'])} alone tells {format_percent(first['of_entropy'])} of "
        f"the label entropy ({first['information']:.3f} nats; Kruskal and Wallis, {format_p_value(first['p'])})"
        f"{f'; each for itself, {also}' if also else ''}."
    )
    action = "Report scores by this number, or balance it over the labels, unless it belongs to the task."
    severity = "warning" if first["of_entropy"] > LARGE else "note"
    number = Interval(first["information"], math.nan, math.nan, method="plug-in")
    yield NUMBERS.finding(severity, claim, number, action, evidence(telling))


def meaning(name: str) -> str:
    """Say in words what a number counts.

    >>> meaning("length of b")
    ' (words of the second text)'
    """
    return f" ({MEANINGS[name]})" if name in MEANINGS else ""


def evidence(telling: list[dict[str, Any]]) -> dict[str, Any]:
    """Return what the claim rests on."""
    first = telling[0]
    rows = [{name: cue[name] for name in ("token", "of_entropy", "p")} for cue in telling]
    features = [{"feature": row.pop("token"), **row} for row in rows]
    return {"n": first["n_items"], "feature": first["token"], "p": first["p"], "features": features}


NUMBERS = Check("A407", "information", "A number tells the label", find)
