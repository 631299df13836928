"""The rows of the first screen about shortcuts and labels."""

from __future__ import annotations

import math

from assay.base.wording import format_percent
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.information.results import InformationEvidence
from assay.checks.measured import Measurements
from assay.checks.suspects import SuspectItems
from assay.checks.task.results import TaskEvidence
from assay.checks.topics import KeyNumber, topic

NO_BASELINE = ("majority",)
WHOLE_ITEM = "model"  # a baseline that sees the whole item takes no shortcut


@topic(
    "shortcuts",
    order=20,
    title="Shortcuts",
    question="Can a system score well without the task?",
    why="A system can learn the shortcut instead of the task, and fails where the shortcut is missing.",
    effect="Up to about {points} of a score can come from shortcuts instead of the task",
    section="information",
)
def measure_shortcuts(measured: Measurements) -> KeyNumber | None:
    """Return what the best shortcut gains over a constant answer or a guess."""
    information = measured.find(InformationEvidence)
    task = measured.find(TaskEvidence)
    gains: list[tuple[float, str, str]] = []
    if task is not None and not math.isnan(task.chance):
        chance = task.chance
        cheap_rows = [row for row in task.baselines if row.shortcut != WHOLE_ITEM]
        gains += [(row.score.value - chance, "above a guess", "task") for row in cheap_rows]
    if information is not None:
        scores = {row.name: row.accuracy for row in information.baselines}
        constant = scores.get("majority", math.nan)
        cheap = [score for name, score in scores.items() if name not in NO_BASELINE]
        if information.shortcut_model is not None:
            cheap.append(information.shortcut_model.accuracy)
        if information.function_words is not None:
            gains.append((information.function_words.effect.gain.value, "above a constant answer", "information"))
        gains += [(score - constant, "above a constant answer", "information") for score in cheap]
    known = [row for row in gains if math.isfinite(row[0])]
    if not known:
        return None
    gain, compared, section = max(known)
    points = max(0.0, 100 * gain)
    return KeyNumber(max(gain, 0.0), f"{points:.1f}", f"points {compared} come from shortcuts alone", section)


@topic(
    "labels",
    order=30,
    title="Labels",
    question="Are the gold labels right and the items sound?",
    why="A right answer is counted as wrong, and a wrong one as right, so that scores and ranks are off.",
    effect="Scores can be wrong by up to about {points}, because of wrong gold labels or bad items",
    section="information",
)
def measure_labels(measured: Measurements) -> KeyNumber | None:
    """Return the share of items that are expected to be bad."""
    discrimination = measured.find(DiscriminationEvidence)
    information = measured.find(InformationEvidence)
    suspects: list[tuple[SuspectItems | None, str]] = [
        (None if information is None else information.suspects, "information"),
        (None if discrimination is None else discrimination.suspects, "discrimination"),
    ]
    for row, section in suspects:
        if row is not None and row.n_judged and math.isfinite(row.expected.value):
            share, low, high = (end / row.n_judged for end in (row.expected.value, row.expected.low, row.expected.high))
            interval = f" ({format_percent(low)} to {format_percent(high)})" if math.isfinite(low) else ""
            unit = f"of items are expected to have a wrong label or another defect{interval}"
            return KeyNumber(share, format_percent(share), unit, section, ("A108", "A509"))
    return None
