"""The row of the first screen about the split."""

from __future__ import annotations

import math

from assay.base.wording import format_percent, format_points
from assay.checks.measured import Measurements
from assay.checks.splits.results import GIVEN, SplitsEvidence
from assay.checks.topics import KeyNumber, topic
from assay.models.drops import MIN_DROP
from assay.models.quick import QuickStudy


@topic(
    "split",
    order=40,
    title="Split",
    question="Does the test part ask for more than the training part taught?",
    why="Scores on this split say what happens on data of the same source, not on data that differs.",
    effect="Scores on data that differs from training can be about {points} lower",
    section="splits",
)
def measure_split(measured: Measurements) -> KeyNumber | None:
    """Return what the hardest split costs the quick model, as A201 and A207 judge it, else how far the parts differ."""
    for evidence, section in ((measured.find(SplitsEvidence), "splits"), (measured.find(QuickStudy), "model")):
        if evidence is not None and evidence.hardest is not None:
            stress, drop = evidence.hardest
            number, _, points = format_points(drop).partition(" ")
            unit = f"{points} are lost with the {stress.split} split, compared with random folds"
            if drop.low <= MIN_DROP:
                unit = f"{points} between random folds and the {stress.split} split, which may be chance"
            return KeyNumber(drop.value, number, unit, section, ("A201", "A207"))
    splits = measured.find(SplitsEvidence)
    given = None if splits is None else splits.comparisons.get(GIVEN)
    apart = None if given is None else given.divergence.get("a_distance")
    if apart is None or not math.isfinite(apart.value):
        return None
    share = (2 + apart.value) / 4
    unit = "of texts can be assigned to their part by a classifier"
    return KeyNumber(share, format_percent(share), unit, "splits", ("A202",))
