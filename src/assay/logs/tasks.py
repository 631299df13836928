"""The tasks in logs: which there are, which belong together, and which a name or pattern means."""

from __future__ import annotations

from fnmatch import fnmatchcase

from assay.base.errors import AssayError, join_names
from assay.logs.records import LogRecord
from assay.logs.table import LogTable

TaskRecords = dict[str, list[LogRecord]]  # by task


def group_records(logs: LogTable) -> TaskRecords:
    """Return the records of items by task; an error if the logs have none."""
    tasks: TaskRecords = {}
    for record in logs.records:
        if not record.is_aggregate:
            tasks.setdefault(record.task, []).append(record)
    if not tasks:
        hint = "Use assay discriminate, or assay audit with {scores}."
        raise AssayError("the logs hold scores of whole tasks and no items", place=logs.name, hint=hint)
    return tasks


def list_tasks(logs: LogTable) -> dict[str, tuple[str, ...]]:
    """Return the tasks with items by name; those that the harness reports as one (MMLU) under the name of their group.

    A group with a single task in the logs is named by the task.
    """
    tasks = group_records(logs)
    members: dict[str, list[str]] = {}
    for task, records in tasks.items():
        groups = {record.group for record in records}
        group = next(iter(groups)) if len(groups) == 1 else None
        members.setdefault(task if group is None or group in tasks else group, []).append(task)
    return {names[0] if len(names) == 1 else name: tuple(names) for name, names in members.items()}


def select_tasks(logs: LogTable, task: str | None) -> TaskRecords:
    """Return the records of one task, of a group of tasks, or of all that match a pattern such as `mmlu_*`."""
    tasks = group_records(logs)
    if task is None:
        return tasks
    if task in tasks:
        return {task: tasks[task]}
    listed = list_tasks(logs)
    names = listed.get(task) or [name for name in tasks if fnmatchcase(name, task)]
    if not names:
        known = dict.fromkeys([*listed, *tasks])
        raise AssayError(f"there is no task '{task}'; tasks are {join_names(known, limit=10)}", place=logs.name)
    return {name: tasks[name] for name in names}
