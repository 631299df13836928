"""The rows of the first screen about shortcuts and labels."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from assay.checks.findings import FINDINGS, LARGE_STAKE, MIN_STAKE, Finding, NotChecked
from assay.checks.information.results import CHEAP_BASELINES, SIDES, InformationEvidence
from assay.checks.measured import Measurements
from assay.checks.model.rules import SHORTCUTS, list_shortcuts
from assay.checks.suspects import find_judgement
from assay.checks.task.results import TaskEvidence
from assay.checks.topics import KeyNumber, topic
from assay.information.cues.places import describe_views
from assay.models.drops import write_drop
from assay.models.quick.results import QuickStudy
from assay.statistics import wilson
from assay.views.values import Interval
from assay.wording.numbers import format_percent

MIN_SHARE = 0.0001  # of bad items, below which a share is written as 0%
ABOVE_CONSTANT, ABOVE_GUESS = "above a constant answer", "above a blind guess"
TASK_SHORTCUTS = (
    ("A410", "answers alone", "the wording of the answers"),
    ("A412", "length", "the length of the answers"),
)
LABELS_NOT_CHECKED = NotChecked(
    "No gold label was compared with anything. This needs the answers of systems, a text model that learns the labels, or "
    "people's verdicts."
)
LABELS_ONLY_ORDERED = NotChecked(
    "The evidence orders the items, but cannot tell how many labels are wrong. This needs more systems, a model that knows "
    "the labels better, or people's verdicts (assay review)."
)


@dataclass(frozen=True)
class ShortcutGain:
    """What a shortcut gains, the rule that judges this gain, the subject of its finding, and what a model sees."""

    code: str
    subject: str
    gain: Interval
    above: str
    section: str
    sees: str
    metric: str = "accuracy"


@topic(
    "shortcuts",
    order=20,
    title="Shortcuts",
    question="Can a system score well without the task?",
    why="A system can learn the shortcut instead of the task, and fails if the shortcut is missing.",
    section="information",
)
def measure_shortcuts(measured: Measurements, findings: Sequence[Finding]) -> KeyNumber | None:
    """Return the gain that the most serious finding is about; of notes the most certain one, without findings the largest."""
    gains = [row for row in list_gains(measured) if math.isfinite(row.gain.value)]
    if not gains:
        return None
    by_finding = {(row.code, row.subject): row for row in gains}
    reported = [(finding, by_finding.get((finding.code, finding.subject))) for finding in findings]
    known = [(finding, row) for finding, row in reported if row is not None]
    row = known[0][1] if known else max(gains, key=lambda row: row.gain.value)
    if known and known[0][0].severity == "note":
        row = max((row for _, row in known), key=lambda row: row.gain.low)
    of = "" if row.metric == "accuracy" else f" of {row.metric}"
    number, unit = write_drop(row.gain, row.metric), f"{of} {row.above} for a model that sees only {row.sees}".strip()
    effect = f"A model that sees only {row.sees} scores about {number.partition(' [')[0]}{of} {row.above}"
    return KeyNumber(
        row.gain.value, number, unit, row.section, (row.code,), effect, is_open=row.gain.high > LARGE_STAKE
    )


def list_gains(measured: Measurements) -> Iterator[ShortcutGain]:
    """Yield the gains that rules judge."""
    information, task = measured.find(InformationEvidence), measured.find(TaskEvidence)
    study = measured.find(QuickStudy)
    if information is not None:
        if (group := information.function_words) is not None:
            sees = describe_views(group.words, group.places)
            yield ShortcutGain("A401", group.words[0], group.effect.gain, ABOVE_CONSTANT, "information", sees)
        for row in information.side_gains:
            side = SIDES[row.baseline.name]
            yield ShortcutGain("A402", side, row.gain, ABOVE_CONSTANT, "information", f"the {side} text of the pair")
        for row in information.cheap_gains:
            name, sees = row.baseline.name, CHEAP_BASELINES[row.baseline.name]
            yield ShortcutGain("A403", name, row.gain, ABOVE_CONSTANT, "information", sees)
    if task is not None:
        for code, shortcut, sees in TASK_SHORTCUTS:
            for baseline, gain in task.measure_gains(shortcut):
                yield ShortcutGain(code, baseline.baseline, gain, ABOVE_GUESS, "task", sees)
        for table in task.facts.distributions:
            if (skew := table.measure_skew()) is not None:
                share = wilson(round(skew.share * skew.n), skew.n)
                low, high = (end - skew.share + skew.gain for end in (share.low, share.high))
                gain = Interval(skew.gain, low, high)
                yield ShortcutGain("A411", table.name, gain, ABOVE_GUESS, "task", "the position")
    if study is not None:
        above = ABOVE_CONSTANT if math.isnan(study.chance) else ABOVE_GUESS
        for score in list_shortcuts(study):
            value, low, high = (end - study.floor for end in (score.value, score.low, score.high))
            gain = Interval(value, low, high)
            yield ShortcutGain("A415", score.model, gain, above, "model", SHORTCUTS[score.shortcut], study.metric)


@topic(
    "labels",
    order=30,
    title="Labels",
    question="Are the gold labels right and the items sound?",
    why="A right answer is counted as wrong, and a wrong one as right, so that scores and ranks are off.",
    section="information",
)
def measure_labels(measured: Measurements) -> KeyNumber | NotChecked:
    """Return the share of items that are expected to be bad; of an interval from nothing to much only the ends.

    Such an interval says that the evidence moved the expected number hardly, if at all.
    """
    code, suspects = find_judgement(measured) or ("", None)
    if suspects is not None and suspects.order_only:
        return LABELS_ONLY_ORDERED
    if suspects is None or not suspects.n_judged or not math.isfinite(suspects.bad_share.value):
        return LABELS_NOT_CHECKED
    share, n, section = suspects.bad_share, suspects.n_judged, FINDINGS[code].section
    is_open = share.low < MIN_STAKE < LARGE_STAKE <= share.high
    ends = f"{format_percent(share.low)} to {format_percent(share.high)}" if math.isfinite(share.low) else ""
    if is_open and suspects.expected_bad.low < 1:
        unit = f"of {n:,} items may have a wrong label or another defect; the evidence does not tell how many"
        return KeyNumber(share.value, ends, unit, section, (code,), is_open=True)
    unit = f"of {n:,} items are expected to have a wrong label or another defect{f' ({ends})' if ends else ''}"
    number = format_percent(share.value if share.value >= MIN_SHARE else 0.0)
    effect = (
        f"Scores can be wrong by about {number.removesuffix('%')} points, because of wrong gold labels or bad items"
    )
    return KeyNumber(share.value, number, unit, section, (code,), effect, is_open)
