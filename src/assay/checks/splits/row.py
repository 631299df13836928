"""The row of the first screen about the split."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from assay.checks.findings import Finding
from assay.checks.measured import Measurements
from assay.checks.splits.results import GIVEN, SplitsEvidence
from assay.checks.topics import KeyNumber, topic
from assay.models.drops import LARGE_DROP, MIN_DROP, write_drop
from assay.models.quick.results import QuickStress, QuickStudy
from assay.models.stress import SplitStress
from assay.views.values import Interval
from assay.wording.numbers import format_percent

MIN_CHANGE = 0.0005  # of a score, below which a gain is printed as zero


@topic(
    "split",
    order=40,
    title="Split",
    question="Does the test part ask for more than the training part taught?",
    why="Scores on this split say what happens on data of the same source, not on data that differs.",
    section="splits",
)
def measure_split(measured: Measurements, findings: Sequence[Finding]) -> KeyNumber | None:
    """Return what the hardest split costs the quick model, as A201 and A207 judge it, or how far the parts differ."""
    if findings and findings[0].code == "A202" and findings[0].severity != "note":
        return measure_distance(measured)
    for evidence, section in ((measured.find(SplitsEvidence), "splits"), (measured.find(QuickStudy), "model")):
        if evidence is not None and evidence.hardest is not None:
            stress, drop = evidence.hardest
            return _write_drop(stress, drop, section)
    return measure_distance(measured)


def measure_distance(measured: Measurements) -> KeyNumber | None:
    """Return how often a classifier finds the part of a text, as A202 judges it."""
    splits = measured.find(SplitsEvidence)
    given = None if splits is None else splits.comparisons.get(GIVEN)
    apart = None if given is None else given.divergence.get("a_distance")
    if splits is None or splits.compared is None or apart is None or not math.isfinite(apart.value):
        return None
    share = (2 + apart.value) / 4
    unit = f"of texts can be assigned to {' or '.join(splits.compared)} by a classifier, where a guess gets 50%"
    return KeyNumber(share, format_percent(share), unit, "splits", ("A202",))


def _write_drop(stress: SplitStress | QuickStress, drop: Interval, section: str) -> KeyNumber:
    metric = stress.metric if isinstance(stress, QuickStress) else "accuracy"
    is_gain = drop.value < -MIN_CHANGE
    change = replace(drop, value=-drop.value, low=-drop.high, high=-drop.low) if is_gain else drop
    number, _, rest = write_drop(change, metric).partition(" ")
    is_loss = drop.low > MIN_DROP
    chance = ", which may be chance" if drop.low <= 0 <= drop.high else ""
    more = "more" if is_gain else "less"
    unit = f"{rest} {more} {metric} of the quick model with the {stress.split} split than with random folds{chance}"
    is_open = not is_loss and drop.high > LARGE_DROP
    return KeyNumber(drop.value, number, unit, section, ("A201", "A207"), is_open=is_open)
