"""Tables and sentences of a measurement of information: the rest beyond shortcuts, baselines, cues and systems."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

from assay.information.cues.places import describe_kind
from assay.information.cues.search import Cue
from assay.information.results import Information
from assay.statistics import wilson
from assay.views.blocks import Block, Column, Fact, Sentence, Table, format_value, make_fact, make_table
from assay.views.values import Interval
from assay.wording.numbers import format_interval, format_number, format_percent
from assay.wording.sentences import count_noun

MAX_CUES = 30
_SHORTCUTS = {"P": "punctuation", "S": "stop words", "O": "overlap"}


def show_information(result: Information) -> Iterator[Block]:
    """Yield everything, the verdict last."""
    yield from show_information_beyond(result)
    yield from make_fact("Entropy of the labels (nats)", result.entropy, "Counted over all labels. Exact.")
    method = "Loss on held-out items in nats, after calibration."
    yield from make_fact(f"Loss of the full model ({result.full.model})", result.full.nll, method)
    method = "On held-out items."
    yield from make_fact("Accuracy of the full model", result.full.accuracy, method, "percent")
    method = "Held-out items that a model of shortcuts alone answers correctly and with confidence."
    yield from make_fact("Solved by shortcuts", result.shortcut_model.solved_share, method, "percent")
    yield from show_controls(result)
    yield from show_baselines(result)
    yield from show_cues(result)
    yield from show_systems(result)
    if result.items is not None:
        n_suspected = int(result.items["suspected_label"].is_not_null().sum())
        yield Sentence(f"{count_noun(n_suspected, 'label')} of {result.n_items:,} held-out items are suspected.")
    yield Sentence(write_verdict(result), is_verdict=True)


def show_information_beyond(result: Information) -> Iterator[Fact]:
    """Yield the information beyond all shortcuts, as a share of the entropy of the labels."""
    if not result.control:
        return
    control = max(result.control, key=lambda row: len(row.shortcuts))
    method = (
        f"What a model that sees the texts knows beyond {name_shortcuts(control.shortcuts)}, as a share of all that "
        f"decides the label ({format_value(control.tsi)} of {format_number(result.entropy)} nats; 1 nat = 1.44 bits); "
        f"{format_number(control.n_items)} held-out items, 95% interval (Zhu et al.)."
    )
    yield from make_fact("Information beyond shortcuts", divide(control.tsi, result.entropy), method, "percent")


def show_controls(result: Information) -> Iterator[Table]:
    """Yield the information beyond each set of shortcuts."""
    yield from make_table(
        "Control models",
        result.control,
        {
            "shortcuts": lambda row: name_shortcuts(row.shortcuts),
            "information": lambda row: row.tsi,
            Column("loss of control", "rounded:3"): lambda row: row.nll,
            Column("accuracy of control", "percent"): lambda row: row.accuracy,
            "control model": lambda row: row.model,
            "items": lambda row: row.n_items,
        },
        "How much more a model loses that sees only these shortcuts than the full model, in nats (1 nat = 1.44 bits). "
        "Below 0 the full model is too weak to show information. The loss of the control is a mean over the same items.",
        is_main=True,
    )


def show_baselines(result: Information) -> Iterator[Table]:
    """Yield the accuracy of baselines that see almost nothing of an item."""
    yield from make_table(
        "Baselines",
        result.baselines,
        {
            "name": lambda row: row.name,
            Column("accuracy", "percent"): lambda row: row.accuracy,
            "items": lambda row: row.n_items,
        },
        "On held-out items, 95% Wilson intervals.",
    )


def estimate_precision(cue: Cue) -> Interval | None:
    """Return how often a cue comes with its label; None for a number such as length, which has no such share."""
    return wilson(cue.precision * cue.n_items, cue.n_items) if math.isfinite(cue.precision) else None


def show_cues(result: Information) -> Iterator[Table]:
    """Yield the words and numbers that predict a label."""
    yield from make_table(
        "Cues",
        result.cues[:MAX_CUES],
        {
            "cue": lambda cue: cue.token,
            "kind": lambda cue: describe_kind(cue.kind),
            "label": lambda cue: cue.label,
            "nats": lambda cue: cue.information,
            "precision": estimate_precision,
            Column("coverage", "percent"): lambda cue: cue.coverage,
            Column("p", "p"): lambda cue: cue.p,
        },
        "How often the cue's label is right if the cue is present, with a Wilson interval (95%) over these items, and "
        "the share of items that have it (counted, exact). p is adjusted for all cues that were tested.",
        shows_words=True,
    )


def show_systems(result: Information) -> Iterator[Table]:
    """Yield the accuracy of systems on items that shortcuts do not solve."""
    yield from make_table(
        "Systems on items that shortcuts do not solve",
        result.systems,
        {
            "system": lambda row: row.system,
            Column("accuracy", "percent"): lambda row: row.accuracy_unsolved,
            "items": lambda row: row.n_unsolved,
            Column("on the others", "percent"): lambda row: row.accuracy_solved,
            "others": lambda row: row.n_solved,
        },
    )


def write_verdict(result: Information) -> str:
    """Say how much there is to learn beyond shortcuts."""
    solved = (
        f"shortcuts alone solve {format_interval(result.shortcut_model.solved_share, 'percent')} of the held-out items"
    )
    control = result.control[-1]
    shortcuts = name_shortcuts(control.shortcuts)
    if control.tsi.low > 0:
        share = format_interval(divide(control.tsi, result.entropy), "percent")
        return f"Beyond {shortcuts}, the texts tell {share} of what decides the label; {solved}."
    value = format_percent(max(control.tsi.value, 0.0) / result.entropy)
    return f"It cannot be told whether the texts say anything beyond {shortcuts} ({value} of the entropy); {solved}."


def divide(interval: Interval, whole: float) -> Interval:
    """Return an interval as a share of a whole."""
    if not whole:
        return interval
    return replace(interval, value=interval.value / whole, low=interval.low / whole, high=interval.high / whole)


def name_shortcuts(shortcuts: str) -> str:
    """Write a set of shortcuts in words.

    >>> name_shortcuts("P+S")
    'punctuation + stop words'
    """
    parts = [part.strip() for part in shortcuts.split("+")]
    return " + ".join(_SHORTCUTS.get(part, part) for part in parts)
