"""The rows of the first screen about shortcuts and labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.base.wording import format_percent, format_points
from assay.checks.discrimination.results import DiscriminationEvidence
from assay.checks.findings import Finding, exact_number
from assay.checks.information.results import SIDES, InformationEvidence
from assay.checks.measured import Measurements
from assay.checks.task.results import TaskEvidence
from assay.checks.topics import KeyNumber, topic
from assay.views.values import Interval

ABOVE_CONSTANT, ABOVE_GUESS = "above a constant answer", "above a blind guess"


@dataclass(frozen=True)
class ShortcutGain:
    """What a shortcut gains, the rule that judges this gain, and the subject of its finding."""

    code: str
    subject: str
    gain: Interval
    above: str
    section: str


@topic(
    "shortcuts",
    order=20,
    title="Shortcuts",
    question="Can a system score well without the task?",
    why="A system can learn the shortcut instead of the task, and fails if the shortcut is missing.",
    effect="Up to about {points} of a score can come from shortcuts instead of the task",
    section="information",
)
def measure_shortcuts(measured: Measurements, findings: Sequence[Finding]) -> KeyNumber | None:
    """Return the gain that the most serious finding is about; without such a finding, the largest one."""
    gains = [row for row in list_gains(measured) if math.isfinite(row.gain.value)]
    if not gains:
        return None
    by_finding = {(row.code, row.subject): row for row in gains}
    reported = (by_finding.get((finding.code, finding.subject)) for finding in findings)
    row = next((row for row in reported if row is not None), max(gains, key=lambda row: row.gain.value))
    if row.gain.value <= 0:
        return KeyNumber(0.0, "0 points", f"{row.above} come from shortcuts alone", row.section, (row.code,))
    number = write_gain(row.gain)
    return KeyNumber(row.gain.value, number, f"{row.above} come from shortcuts alone", row.section, (row.code,))


def list_gains(measured: Measurements) -> Iterator[ShortcutGain]:
    """Yield the gains that rules judge."""
    information, task = measured.find(InformationEvidence), measured.find(TaskEvidence)
    if information is not None:
        if (group := information.function_words) is not None:
            yield ShortcutGain("A401", group.words[0], group.effect.gain, ABOVE_CONSTANT, "information")
        for row in information.side_gains:
            yield ShortcutGain("A402", SIDES[row.baseline.name], row.gain, ABOVE_CONSTANT, "information")
        for row in information.cheap_gains:
            yield ShortcutGain("A403", row.baseline.name, row.gain, ABOVE_CONSTANT, "information")
    if task is not None:
        for code, shortcut in (("A410", "answers alone"), ("A412", "length")):
            for baseline, gain in task.measure_gains(shortcut):
                yield ShortcutGain(code, baseline.baseline, gain, ABOVE_GUESS, "task")
        for table in task.facts.distributions:
            if (skew := table.measure_skew()) is not None:
                yield ShortcutGain("A411", table.name, exact_number(skew.gain), ABOVE_GUESS, "task")


def write_gain(gain: Interval) -> str:
    """Write a gain as findings do, in points.

    >>> write_gain(Interval(0.21, 0.17, 0.259)), write_gain(exact_number(0.052))
    ('21 points [17, 26]', '5.2 points')
    """
    return format_points(gain) if math.isfinite(gain.low) else f"{100 * gain.value:.1f} points"


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
    information, discrimination = measured.find(InformationEvidence), measured.find(DiscriminationEvidence)
    by_section = {
        "information": None if information is None else information.suspects,
        "discrimination": None if discrimination is None else discrimination.suspects,
    }
    for section, suspects in by_section.items():
        if suspects is not None and suspects.n_judged and math.isfinite(suspects.bad_share.value):
            share = suspects.bad_share
            ends = f" ({format_percent(share.low)} to {format_percent(share.high)})" if math.isfinite(share.low) else ""
            unit = f"of items are expected to have a wrong label or another defect{ends}"
            return KeyNumber(share.value, format_percent(share.value), unit, section, ("A108", "A509"))
    return None
