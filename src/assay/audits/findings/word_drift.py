"""Test texts that differ from training texts more than chance would have it."""

from __future__ import annotations

from collections.abc import Iterator

from assay.audits.finding import Check, Finding, Seen
from assay.base.wording import format_percent
from assay.statistics import Interval, benjamini_hochberg

NAMES = {
    "jsd": "word distributions (Jensen-Shannon)",
    "oov": "words unseen in training",
    "overlap": "shared vocabulary",
    "wasserstein": "text vectors (Wasserstein)",
    "mmd": "text vectors (mean discrepancy)",
    "a_distance": "a classifier of the parts (A-distance)",
}
FDR = 0.05
LARGE = 0.4  # A-distance: a classifier tells the parts apart in 60 % of the cases


def find(seen: Seen) -> Iterator[Finding]:
    """Report the divergences beyond the null at 5 % false discoveries; a warning where a classifier sees it easily."""
    splits = seen.result("splits")
    given = splits.get("given")
    if not given:
        return
    found = {name: one for name, one in given["divergence"].items() if one["p"] is not None}
    adjusted = benjamini_hochberg([one["p"] for one in found.values()])
    beyond = [name for name, p in zip(found, adjusted.tolist(), strict=True) if p <= FDR]
    if not beyond:
        return
    name = "a_distance" if "a_distance" in beyond else beyond[0]
    one = found[name]
    told = Interval(one["value"], one["null_low"], one["null_high"], method="null")
    learnt, asked = splits.get("compared") or ("train", "test")
    claim = (
        f"The texts of {asked} differ from those of {learnt} beyond chance in {len(beyond)} of {len(found)} measures, "
        f"such as {NAMES[name]}: {one['value']:.3g}{told_apart(name, one['value'])}, where random parts of these "
        f"sizes give {one['null_low']:.3g} to {one['null_high']:.3g}."
    )
    severity = "warning" if name == "a_distance" and one["value"] > LARGE else "note"
    action = "Say so where scores are reported: they tell about this shift, not only about the task."
    evidence = {"measures": {name: found[name] for name in beyond}, "n": splits["n_compared"]}
    yield WORD_DRIFT.finding(severity, claim, told, action, evidence)


def told_apart(name: str, value: float) -> str:
    """Say what an A-distance means: how often the classifier is right, of as many texts from each part.

    >>> told_apart("a_distance", 0.4)
    ' (it is right on 60 % of the texts)'
    """
    return f" (it is right on {format_percent((2 + value) / 4)} of the texts)" if name == "a_distance" else ""


WORD_DRIFT = Check("A202", "splits", "Texts drift between parts", find)
