"""Audit several tasks: each one separately, and their common results."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Unpack

from assay.audits.result import Audit
from assay.audits.run import Progress, audit
from assay.audits.settings import AuditArguments
from assay.audits.suite.results import SuiteAudit, TaskSummary
from assay.audits.suite.verdict import write_suite_verdict
from assay.base.entry_points import entry_point
from assay.base.errors import AssayError, UsageError
from assay.data import Dataset
from assay.discrimination import Outcomes, build_outcomes
from assay.discrimination.suites import TaskComparison, compare_tasks
from assay.evaluation.predictions.reading import find_predictions
from assay.evaluation.repeats.stacking import combine_repeats
from assay.inputs import take_data
from assay.kinds import TaskData, read_tasks
from assay.kinds.arguments import DataSource


@entry_point(AuditArguments)
def audit_suite(
    source: str | Path | TaskData | Mapping[str, DataSource],
    *,
    progress: Progress | None = None,
    **options: Unpack[AuditArguments],
) -> SuiteAudit:
    """Audit every task in logs of an evaluation harness, or several datasets by name.

    `source` is a file or folder of logs, or a mapping from names to data (paths, frames, or `Dataset`s with their
    predictions). The other parameters are the same as in `assay.audit`; `budget` is in minutes, for all tasks together.
    An interruption keeps the tasks that are done.

    >>> data = {"text": ["a good film", "a bad film"], "label": ["pos", "neg"]}
    >>> [row.task for row in audit_suite({"one": data, "two": data}, only=["profile"]).tasks]
    ['one', 'two']
    """
    budget, random_state = options.get("budget"), options.get("random_state", 0)
    tasks, left_out, name = take_tasks(source)
    audits: dict[str, Audit] = {}
    outcomes: list[Outcomes] = []
    start = time.monotonic()
    for number, (task, data) in enumerate(tasks.items()):
        left = None if budget is None else budget - (time.monotonic() - start) / 60
        if left is not None and left <= 0:
            left_out[task] = f"The budget of {budget:g} minutes was spent."
            continue
        share = None if left is None else left / (len(tasks) - number)
        steps = follow_task(task, number, len(tasks), progress)
        shared: AuditArguments = {**options, "budget": share}
        audits[task] = audit(data, progress=steps, **shared)
        entry = measure_outcomes(data, task)
        outcomes += [] if entry is None else [entry]
        if audits[task].settings.interrupted:
            left_out |= dict.fromkeys(list(tasks)[number + 1 :], "Interrupted.")
            break
    comparison = compare_tasks(outcomes, random_state=random_state) if len(outcomes) > 1 else None
    rows = summarise_tasks(audits, outcomes, comparison)
    return SuiteAudit(write_suite_verdict(rows, comparison, left_out), name, rows, comparison, left_out, audits)


def take_tasks(source: Any) -> tuple[dict[str, Dataset], dict[str, str], str]:
    """Return the data of every task by name, the reasons of tasks without data, and the name of the suite."""
    if isinstance(source, (str, Path)):
        source = read_tasks(source)
    if isinstance(source, TaskData):
        return {data.name: data for data in source.tasks}, dict(source.left_out), source.name
    if not isinstance(source, Mapping) or not source:
        raise UsageError("A suite is a file or folder of logs, or a mapping from names to data.")
    return {str(name): take_data(each) for name, each in source.items()}, {}, "suite"


def follow_task(task: str, number: int, n_tasks: int, progress: Progress | None) -> Progress | None:
    """Return what reports the progress of one task among all."""
    if progress is None:
        return None

    def report(step: str, share: float) -> None:
        is_last = number == n_tasks - 1
        progress(f"{task}: {step}" if step else "" if is_last else task, (number + share) / n_tasks)

    return report


def measure_outcomes(data: Dataset, task: str) -> Outcomes | None:
    """Return the outcomes of the systems on a task; None if it has none that can be averaged."""
    try:
        predictions = find_predictions(None, data)
        return None if predictions is None else build_outcomes(combine_repeats(predictions), task)
    except AssayError:
        return None


def summarise_tasks(
    audits: Mapping[str, Audit], outcomes: list[Outcomes], comparison: TaskComparison | None
) -> tuple[TaskSummary, ...]:
    """Return one row per task."""
    alone = compare_tasks(outcomes) if comparison is None and outcomes else comparison
    scores = {} if alone is None else {row.task: row for row in alone.tasks}
    rows = []
    for task, result in audits.items():
        counts = Counter(finding.severity for finding in result.findings)
        score, discrimination = scores.get(task), result.evidence.discrimination
        dataset = None
        if discrimination is not None and discrimination.basis == "predictions" and discrimination.n_systems > 1:
            dataset = discrimination.datasets[0]
        rows.append(
            TaskSummary(
                task=task,
                kind=result.data.task,
                n_items=result.data.rows,
                n_systems=0 if score is None else score.n_systems,
                mean=float("nan") if score is None else score.mean,
                redundancy=float("nan") if score is None else score.redundancy,
                discriminates=None if dataset is None else dataset.verdict,
                p_equal=float("nan") if dataset is None else dataset.p_equal,
                n_errors=counts["error"],
                n_warnings=counts["warning"],
                n_notes=counts["note"],
            )
        )
    return tuple(rows)
