"""Shortcuts and defects that only some kinds of task can have: options, responses, contexts."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.checks.findings import (
    NotChecked,
    Outcome,
    Severity,
    describe_count,
    exact_number,
    is_barely_above,
    make_finding,
    report_items,
    rule,
)
from assay.checks.profile.leakage import describe_items
from assay.checks.task.results import TaskEvidence
from assay.kinds.facts import UNSEEN_ENTITIES
from assay.views.values import Interval, ItemCount
from assay.wording.numbers import format_interval, format_percent
from assay.wording.sentences import choose_verb, quote

MIN_GAIN = 0.03  # over chance, of the lower end of an interval
LARGE_GAIN = 0.2
MIN_SKEW, LARGE_SKEW = 0.05, 0.3  # total variation distance from chance
SIGNIFICANT = 0.001
MIN_KNOWN, LARGE_KNOWN = 0.5, 0.8  # of the entities of a part
NO_OPTIONS = NotChecked("This needs items with several answers to choose from.")
NO_CHANCE = NotChecked("The score of a blind guess is not known for this task.")


@rule("A410", "Answers alone predict the gold answer", section="task", decides=True)
def find_answer_shortcuts(task: TaskEvidence) -> Iterator[Outcome]:
    """Report a baseline that sees only the options or responses and beats a guess; an error beyond 20 points."""
    yield from report_baselines(
        task,
        "answers alone",
        "from the wording of the answers alone",
        "Rewrite wrong answers so that they are worded like right ones, and report a baseline that sees only the answers.",
    )


@rule("A412", "Longest answer is right", section="task", decides=True)
def find_length_shortcuts(task: TaskEvidence) -> Iterator[Outcome]:
    """Report that taking the longest answer beats a guess; an error beyond 20 points."""
    yield from report_baselines(
        task,
        "length",
        "by taking the longest answer",
        "Make wrong answers as long as right ones, and report the score of taking the longest answer.",
    )


def report_baselines(task: TaskEvidence, shortcut: str, means: str, action: str) -> Iterator[Outcome]:
    """Report the baselines of one shortcut whose interval lies above chance."""
    if not any(row.shortcut == shortcut for row in task.baselines):
        yield NO_OPTIONS if math.isnan(task.chance) else NotChecked("There are too few items to train such a baseline.")
        return
    if math.isnan(task.chance):
        yield NO_CHANCE
        return
    for row, gain in task.measure_gains(shortcut):
        if gain.low > MIN_GAIN:
            severity: Severity = "error" if gain.low > LARGE_GAIN else "warning"
            claim = (
                f"{format_interval(row, 'percent')} of the {row.n:,} {task.item_noun}s are answered correctly {means}, "
                f"{format_interval(gain, 'points')} above "
                f"a blind guess ({format_percent(task.chance)})."
            )
            evidence = {"baseline": row.baseline, "learned from": row.based_on}
            score = Interval(row.value, row.low, row.high, method="effective-wilson")
            near = ""
            if is_barely_above(gain, MIN_GAIN) or is_barely_above(gain, LARGE_GAIN):
                limit = MIN_GAIN if severity == "warning" else LARGE_GAIN
                near = f"{100 * limit:.0f} points for {'a warning' if severity == 'warning' else 'an error'}"
            yield make_finding(
                severity,
                claim,
                action,
                score,
                n=row.n,
                subject=row.baseline,
                evidence=evidence,
                stake=gain.value,
                limit=near,
            )


@rule("A411", "Position gives the answer away", section="task", decides=True)
def find_skewed_positions(task: TaskEvidence) -> Iterator[Outcome]:
    """Report right answers that are in some positions more often than chance allows; an error from 30 points on."""
    skews = {table.name: skew for table in task.facts.distributions if (skew := table.measure_skew()) is not None}
    if not skews:
        yield NotChecked("The data has no positions, or no right answers.")
    for name, skew in skews.items():
        if skew.p >= SIGNIFICANT or skew.distance < MIN_SKEW:
            continue
        claim = (
            f"The right answer is in position {quote(skew.value)} for {format_percent(skew.share)} of the "
            f"{skew.n:,} {task.item_noun}s; by chance it would be there for {format_percent(skew.expected_share)}."
        )
        yield make_finding(
            "error" if skew.distance >= LARGE_SKEW else "warning",
            claim,
            "Shuffle the answers of every item, and score the systems again.",
            exact_number(skew.share),
            n=skew.n,
            subject=name,
            evidence={"distance from chance": format_percent(skew.distance)},
            stake=skew.gain,
        )


@rule("A413", "Defective items", section="task", topic="labels", decides=True)
def find_defects(task: TaskEvidence) -> Iterator[Outcome]:
    """Report every kind of defect; if it can change a score, a warning from 1% and an error from 5% on."""
    for defect in task.facts.defects:
        items = defect.items
        verb = choose_verb(items.count, defect.description.replace("have ", "has ", 1), defect.description)
        yield report_items(
            items,
            f"{describe_count(items, task.item_noun)} {verb}.",
            defect.action,
            most="error" if defect.serious else "note",
            subject=defect.name,
            stake=items.share if defect.serious else math.nan,
        )


@rule("A414", "Copied texts across parts", section="task", topic="leakage")
def find_copied_texts(task: TaskEvidence) -> Iterator[Outcome]:
    """Report texts of items, such as contexts, that are also in training though the items are not; from 1% a warning."""
    if not task.overlaps:
        yield NotChecked("The data has no parts to compare, or items of one text.")
    for overlap in task.overlaps:
        items: ItemCount = overlap.items
        if items.count:
            verb = choose_verb(items.count, "has", "have")
            claim = (
                f"{describe_items(items, overlap.part)} {verb} a {overlap.text} of eight words or more that is also in "
                f"{overlap.reference}, verbatim, though the whole item is not."
            )
            action = f"Keep items with the same {overlap.text} in one part, or report that systems may know it."
            yield report_items(items, claim, action, most="warning", subject=f"{overlap.text} in {overlap.part}")


@rule("A417", "Entities known from training", section="task", topic="leakage")
def find_known_entities(task: TaskEvidence) -> Iterator[Outcome]:
    """Report parts whose entities are also entities of training; a note from 50% on, a warning from 80% on."""
    rows = [row for row in task.facts.figures if row.name.startswith(UNSEEN_ENTITIES)]
    shares = {row.name.removeprefix(UNSEEN_ENTITIES): 1 - row.value for row in rows}
    if not any(map(math.isfinite, shares.values())):
        yield NotChecked("The data has no entities, or no parts to compare.")
        return
    for part, share in shares.items():
        if share >= MIN_KNOWN:
            claim = (
                f"{format_percent(share)} of the entities in {part} are also entities of train, with the same words: a "
                "list of them would find these."
            )
            action = "Report scores on unseen entities too (unseen-entity-f1), or replace known entities."
            severity: Severity = "warning" if share >= LARGE_KNOWN else "note"
            yield make_finding(severity, claim, action, exact_number(share), n=task.n_items, subject=part)
