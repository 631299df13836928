"""Audit responses: read every one of them, and say where points are lost."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Unpack

from assay.base.entry_points import entry_point
from assay.base.errors import AssayError, UsageError, join_names
from assay.data import Dataset
from assay.data.left_out import LeftOut
from assay.data.log_source import LogSource
from assay.inputs.reading import take_data
from assay.inputs.recognition import InputKind, recognize
from assay.kinds.arguments import ReadingArguments
from assay.responses.agents import describe_agents, find_candidates, list_trials
from assay.responses.grading import GradedResponse, grade_response
from assay.responses.log_sources import open_log_responses
from assay.responses.losses import compare_ranks, describe_system, group_systems, measure_subjects
from assay.responses.results import ResponseAudit
from assay.responses.rows import ResponseItem, ResponseRow, collect_items
from assay.responses.tables import read_table
from assay.wording.sentences import count_noun

MIN_UNIFORM = 3  # responses that are all wrong
MAX_CHANCE = 0.01  # that all responses to a subject are wrong without a reason
MAX_EXCERPTS = 100_000  # responses whose text is kept for pages, in part


@entry_point(ReadingArguments)
def audit_responses(
    data: Any,
    responses: Any = None,
    *,
    confidence: float = 0.95,
    **reading: Unpack[ReadingArguments],
) -> ResponseAudit:
    """Name the state of every response, read its final answer, and compare the scores as graded and as read.

    `data` is a dataset with `responses`, a table (path, frame, dict) with `system` or `model`, `id` and `response`, and
    optionally `extracted` and `stop_reason`. Or `data` are harness logs, which hold both. `reading` are arguments of
    `assay.read`.

    >>> items = {"id": ["1", "2"], "question": ["1 + 1?", "2 + 2?"], "choices": [["2", "3"], ["3", "4"]]}
    >>> table = {"model": ["m", "m"], "id": ["1", "2"], "response": ["The answer is (A).", "So we get (B)."]}
    >>> result = audit_responses(items | {"answer": ["A", "B"]}, table | {"extracted": ["A", None]})
    >>> row = result.systems[0]
    >>> row.graded.value, row.read.value, row.recovered
    (0.5, 1.0, 1)
    """
    source = _find_logs(data, reading) if responses is None else None
    if source is not None:
        with open_log_responses(source.path, source.task, strict=reading.get("strict", False)) as logs:
            graded = _grade_all(logs.iterate(), logs.items)
            return _summarise(graded, logs.items, confidence, logs.notes, logs.left_out)
    if responses is None:
        if isinstance(data, (str, Path)) and recognize(data) is InputKind.RESPONSES:
            hint = "Give the items as {data}, and this table as {responses}."
            raise UsageError("A table of responses needs the items that they answer.", hint=hint)
        hint = "Pass a table with system, id and response as {responses}, or harness logs as the data."
        raise UsageError("There are no responses.", hint=hint)
    dataset = take_data(data, reading)
    items = collect_items(dataset)
    graded = _grade_all(read_table(responses), items)
    unknown = [row for row in graded if row.id not in items]
    known = [row for row in graded if row.id in items]
    if not known:
        fact = f"none of the {count_noun(len(graded), 'response')} has the id of an item"
        raise AssayError(fact, place=dataset.name, hint="Check the columns of the ids.")
    left_out = (LeftOut("responses", len(unknown), "their ids are not in the data"),) if unknown else ()
    notes = (
        (f"{count_noun(len(unknown), 'response')} to items that are not in the data are left out.",) if unknown else ()
    )
    return _summarise(known, items, confidence, notes, left_out)


def _find_logs(data: Any, reading: ReadingArguments) -> LogSource | None:
    """Return the logs that data is or was read from; None if it is anything else."""
    if isinstance(data, Dataset):
        return data.logs
    is_logs = isinstance(data, (str, Path)) and recognize(data) is InputKind.LOGS
    return LogSource(str(data), reading.get("log_task")) if is_logs else None


def _grade_all(rows: Iterable[ResponseRow], items: Mapping[str, ResponseItem]) -> list[GradedResponse]:
    """Read all responses; of a response that is there twice, the last one counts."""
    graded: dict[tuple[str, str, int], GradedResponse] = {}
    for row in rows:
        result = grade_response(row, items.get(row.id), with_excerpt=len(graded) < MAX_EXCERPTS)
        graded.pop((row.system, row.id, row.repeat), None)
        graded[row.system, row.id, row.repeat] = result
    if not graded:
        raise AssayError("there are no responses", hint="The logs may hold log-likelihoods only.")
    return list(graded.values())


def _summarise(
    rows: list[GradedResponse],
    items: Mapping[str, ResponseItem],
    confidence: float,
    notes: tuple[str, ...],
    left_out: tuple[LeftOut, ...],
) -> ResponseAudit:
    order = {name: number for number, name in enumerate(items)}
    rows = sorted(rows, key=lambda row: (order[row.id], row.repeat))
    systems = group_systems(rows)
    systems = {name: systems[name] for name in sorted(systems)}
    subjects = {name: item.subject for name, item in items.items()}
    ranks, swaps = compare_ranks(systems, confidence)
    forms = Counter(items[row.id].form.name if items[row.id].form else "long texts" for row in rows)  # type: ignore[union-attr]
    notes = (*notes, *_note_missing(systems, items))
    return ResponseAudit(
        tuple(describe_system(name, own, confidence) for name, own in systems.items()),
        ranks,
        swaps,
        measure_subjects(systems, subjects, confidence),
        describe_agents(systems, confidence),
        find_candidates(rows),
        _find_uniform(rows, subjects),
        len({row.id for row in rows}),
        len(rows),
        forms.most_common(1)[0][0],
        any(row.has_extracted for row in rows),
        list_trials(rows),
        tuple(row for own in systems.values() for row in own),
        notes,
        left_out,
    )


def _note_missing(systems: Mapping[str, list[GradedResponse]], items: Mapping[str, ResponseItem]) -> list[str]:
    """Say how many items have no response of any system, and which systems have none to some of the others."""
    answered = {name: {row.id for row in own} for name, own in systems.items()}
    common = {name for own in answered.values() for name in own}
    notes = []
    if len(common) < len(items):
        n = count_noun(len(items) - len(common), "item")
        notes.append(f"Without a response, and not counted: {n} of {len(items):,}; log-likelihoods are not responses.")
    holes = [f"{name} {len(common) - len(own):,}" for name, own in answered.items() if len(own) < len(common)]
    if holes:
        fact = f"Items without a response, of the {len(common):,} that other systems answered"
        notes.append(f"{fact}: {join_names(holes, 5)}.")
    return notes


def _find_uniform(rows: list[GradedResponse], subjects: Mapping[str, str | None]) -> tuple[str, ...]:
    """Return the tasks and subjects on which every response scores 0; "" if these are all items.

    A subject counts if chance would hardly do this, given the scores on the other subjects: an item of it is as often
    wrong for all systems as an item of another one is wrong for one system.
    """
    scores: dict[str, dict[str, list[float]]] = {}
    for row in rows:
        if row.right_as_graded is not None:
            scores.setdefault(subjects.get(row.id) or "", {}).setdefault(row.id, []).append(row.right_as_graded)
    values = {name: [score for own in items.values() for score in own] for name, items in scores.items()}
    zero = [name for name, own in values.items() if not any(own)]
    if len(zero) == len(values):
        return ("",) if sum(map(len, values.values())) >= MIN_UNIFORM else ()
    total, n = sum(map(sum, values.values())), sum(map(len, values.values()))
    chances = {name: (1 - total / (n - len(values[name]))) ** len(scores[name]) for name in zero}
    return tuple(name for name in zero if chances[name] < MAX_CHANCE / len(values))
