"""The row of the first screen about the split."""

from __future__ import annotations

import math

from assay.base.wording import format_percent
from assay.checks.measured import Measurements
from assay.checks.splits.results import SplitsEvidence
from assay.checks.topics import KeyNumber, topic


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
    """Return the largest drop of the quick model from random folds to a harder split."""
    splits = measured.find(SplitsEvidence)
    if splits is None:
        return None
    rows = [row for row in splits.stress if math.isfinite(row.drop)]
    if rows:
        hardest = max(rows, key=lambda row: row.drop)
        points = max(0.0, 100 * hardest.drop)
        return KeyNumber(
            hardest.drop,
            f"{points:.1f}",
            f"points are lost with the {hardest.split} split, compared with random folds",
            "splits",
        )
    apart = [row.value for row in splits.divergence if row.split == "given" and row.measure == "a_distance"]
    if not apart or not math.isfinite(apart[0]):
        return None
    share = (2 + apart[0]) / 4
    return KeyNumber(share, format_percent(share), "of texts can be assigned to their part by a classifier", "splits")
