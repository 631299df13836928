"""Say how many items of a log were scored, failed or repeated."""

from __future__ import annotations

import numpy as np

from assay.base.errors import join_names
from assay.base.wording import choose_verb, count_noun
from assay.logs.records import LogRecord


def describe_tasks(records: list[LogRecord]) -> list[str]:
    """Describe for every task how many items were scored and how many runs failed, by system where they differ."""
    tasks: dict[str, list[LogRecord]] = {}
    for record in records:
        if not record.is_aggregate:
            tasks.setdefault(record.task, []).append(record)
    return [_describe_task(task, chosen) for task, chosen in tasks.items()]


def _describe_task(task: str, records: list[LogRecord]) -> str:
    n_items = len({record.item for record in records})
    scored: dict[str, set[str]] = {record.system: set() for record in records}
    for record in records:
        if record.score is not None:
            scored[record.system].add(record.item)
    partial = [f"{system} {len(items)}" for system, items in scored.items() if len(items) < n_items]
    parts = [f"{task}: {count_noun(n_items, 'item')}, {count_noun(len(scored), 'system')}"]
    parts.append(f"scored only in part: {join_names(partial)}" if partial else "every system scored on all")
    n_failed = sum(record.error for record in records)
    if n_failed:
        parts.append(f"{count_noun(n_failed, 'failed run')} {choose_verb(n_failed, 'is', 'are')} not counted as wrong")
    n_repeats = len({record.repeat for record in records})
    if n_repeats > 1:
        parts.append(f"{n_repeats} repeats, averaged per system and item{_describe_noise(records)}")
    return "; ".join(parts) + "."


def _describe_noise(records: list[LogRecord]) -> str:
    """Say how far the score of a system moves between repeats, as the mean standard deviation (ddof = 1)."""
    scores: dict[tuple[str, str], dict[int, list[float]]] = {}
    for record in records:
        if record.score is not None:
            scores.setdefault((record.system, record.metric), {}).setdefault(record.repeat, []).append(record.score)
    means = [[np.mean(values) for values in runs.values()] for runs in scores.values() if len(runs) > 1]
    if not means:
        return ""
    return f"; a score moves by {np.mean([np.std(run, ddof=1) for run in means]):.3g} between repeats"
