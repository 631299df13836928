"""Tables and sentences of a decision."""

from __future__ import annotations

import math
from collections.abc import Iterator

from assay.decisions.results import Decision, JudgeSupport, Plan
from assay.decisions.verdicts import Requirement, Verdict
from assay.views.blocks import Block, Column, Sentence, Table, Value, make_table
from assay.wording.numbers import Estimate, format_number, format_percent
from assay.wording.sentences import count_noun, quote, set_minus_signs

MIN_CHANCE = 0.01  # of a verdict that is written as a number


def show_decision(decision: Decision) -> Iterator[Block]:
    """Yield the differences, slices that go the other way, what would be needed, the plan, and the verdict."""
    yield _show_metrics(decision)
    yield from (Sentence(text) for text in (_write_counts(decision), _write_needs(decision)) if text)
    yield from make_table(
        "Slices that go the other way",
        decision.slices,
        {
            "column": lambda row: row.by,
            "slice": lambda row: row.slice,
            _name_difference(decision): lambda row: row.difference,
            "items": lambda row: row.n,
        },
        f"Intervals are corrected for {count_noun(decision.n_slices, 'slice')}.",
    )
    if decision.slices:
        names = ", ".join(quote(f"{row.by}: {row.slice}") for row in decision.slices[:3])
        yield Sentence(f"Warning: the difference goes the other way on {names}.")
    if decision.judge is not None:
        yield from show_judge(decision.judge, decision)
    if decision.plan is not None:
        yield from show_plan(decision.plan, decision)
    yield Sentence(write_verdict(decision), is_verdict=True)


def _show_metrics(decision: Decision) -> Table:
    rows: list[list[Value]] = [
        [row.metric, row.baseline_score, row.candidate_score, row.difference, row.verdict] for row in decision.metrics
    ]
    counts = [] if decision.n_items is None else [count_noun(decision.n_items, "item")]
    counts += [count_noun(decision.n_groups, "group")] if decision.n_groups else []
    counts += [f"up to {count_noun(decision.n_repeats, 'repeat')}"] if decision.n_repeats > 1 else []
    counts += [f"{format_percent(decision.metrics[0].difference.confidence)} intervals"]
    headings: list[Column | str] = [
        "metric",
        decision.baseline,
        decision.candidate,
        _name_difference(decision),
        "verdict",
    ]
    return Table(
        f"{decision.candidate} against {decision.baseline} ({', '.join(counts)})", headings, rows, is_main=True
    )


def write_verdict(decision: Decision) -> str:
    """Say the verdict with the difference and its interval.

    The candidate and the baseline are named as in the data.
    """
    names = f"{decision.candidate} is {{}} than {decision.baseline}"
    size = write_difference(decision.difference, decision.unit)
    margin = _write_margin(decision)
    on = f" in {decision.metric}"
    if decision.verdict == Verdict.BETTER:
        return f"{names.format('better')}{on}: {size}."
    if decision.verdict == Verdict.WORSE:
        return f"{names.format('worse')}{on}: {size}."
    if decision.verdict == Verdict.NOT_WORSE:
        real = " The loss is real, but smaller than the margin." if decision.difference.high < 0 else ""
        return f"{names.format('not worse')} by more than {margin}{on}: {size}.{real}"
    known = "" if decision.is_paired else " The comparison is unpaired."
    return f"Undecided whether {names.format('better or worse')}{on}: {size}.{known}"


def write_difference(difference: Estimate, unit: str) -> str:
    """Write a difference with its interval, and with its unit unless that is the metric itself.

    >>> from assay.statistics import Interval
    >>> [write_difference(Interval(2.25, -0.5, 5.04), unit) for unit in ("points", "rouge-l")]
    ['+2.2 points [−0.5, +5.0]', '+2.250 [−0.500, +5.040]']
    """
    digits = 1 if unit == "points" else 3
    value, *ends = (f"{end:+.{digits}f}" for end in (difference.value, difference.low, difference.high))
    text = value + _name_unit(unit) + (f" [{', '.join(ends)}]" if math.isfinite(difference.low) else "")
    return set_minus_signs(text)


def write_gate(decision: Decision, requirement: Requirement) -> str:
    """Write one line for the log of a build server."""
    word = {"established": "PASS", "refuted": "FAIL", "undecided": "UNDECIDED"}[requirement.status]
    counts = "" if decision.n_items is None else f", {count_noun(decision.n_items, 'item')}"
    needed = (
        f", about {decision.items_needed:,} needed"
        if requirement.status == "undecided" and decision.items_needed
        else ""
    )
    claim = f"{decision.candidate} {requirement.require} than {decision.baseline}"
    if requirement.require == "not-worse":
        claim = f"{decision.candidate} not worse than {decision.baseline} by more than {_write_margin(decision)}"
    size = write_difference(decision.difference, decision.unit)
    return f"{word}: {claim}: {requirement.status} ({decision.metric} {size}{counts}{needed})"


def _name_difference(decision: Decision) -> Column:
    return Column(f"difference ({decision.unit})", "rounded:1" if decision.unit == "points" else "number")


def _write_margin(decision: Decision) -> str:
    unit = " point" if decision.unit == "points" and decision.margin == 1 else _name_unit(decision.unit)
    return f"{format_number(decision.margin)}{unit}"


def _name_unit(unit: str) -> str:
    return f" {unit}" if unit.startswith("points") else ""


def _write_counts(decision: Decision) -> str:
    if decision.wins is None or decision.losses is None or decision.ties is None:
        return ""
    wins, losses = count_noun(decision.wins, "item"), count_noun(decision.losses, "item")
    return f"{decision.candidate} wins on {wins}, loses on {losses}, and ties on {decision.ties:,}."


def _write_needs(decision: Decision) -> str:
    if decision.verdict != Verdict.UNDECIDED:
        return ""
    parts = []
    if decision.items_needed:
        parts.append(f"about {count_noun(decision.items_needed, 'item')}")
    if decision.repeats_needed:
        parts.append(f"{count_noun(decision.repeats_needed, 'repeat')} of these items")
    if not parts:
        if not decision.is_paired or decision.judge is not None:
            return ""
        if decision.n_items == 1:
            return "How many items would settle it is unknown: one item does not show how much items differ."
        return "No number of items settles a difference of 0 without a margin."
    return f"A difference of this size would be settled by {' or '.join(parts)} (80% power)."


def show_plan(plan: Plan, decision: Decision) -> Iterator[Block]:
    """Yield the next batch and what it is expected to settle."""
    if plan.n_items:
        times = "once" if plan.n_repeats == 1 else f"{plan.n_repeats} times"
        text = f"Plan: run {count_noun(plan.n_items, 'item')} of the {plan.n_left:,} that are left, {times} each"
        text += f" ({plan.reason})."
    else:
        text = f"Plan: {plan.reason}."
    if math.isfinite(plan.power) and plan.n_items:
        text += f" Expected then: {write_difference(plan.expected, decision.unit)}"
        chance = f"about {format_percent(plan.power)}" if plan.power >= MIN_CHANCE else f"below {MIN_CHANCE:.0%}"
        text += f"; probability of a verdict {chance}."
    yield Sentence(set_minus_signs(text))
    yield from make_table(
        "Next items",
        [item for item in plan.items if item.run],
        {"id": lambda item: item.id, "draw probability": lambda item: item.draw_probability},
        max_rows=20,
    )


def show_judge(judge: JudgeSupport, decision: Decision) -> Iterator[Block]:
    """Yield what the judge adds to the labels of people."""
    text = f"People labelled {judge.n_labelled:,} of {count_noun(judge.n_judged, 'item')} that the judge scored."
    text += f" The labels alone give {write_difference(judge.labels, decision.unit)}, the judge alone "
    text += f"{judge.judge:+.1f}{_name_unit(decision.unit)}. With both, the interval is "
    text += f"{format_percent(judge.relative_width)} as wide as with labels alone."
    yield Sentence(set_minus_signs(text))
    if decision.verdict == Verdict.UNDECIDED:
        if judge.labels_needed is None:
            yield Sentence("Labels on all of these items would not settle a difference of this size.")
        else:
            yield Sentence(f"About {count_noun(judge.labels_needed, 'label')} would settle a difference of this size.")
    if judge.spend_on:
        names = ", ".join(quote(key) for key in judge.spend_on[:5])
        yield Sentence(f"Label next, as the judge errs most on items like these: {names}.")
