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
    partial = _find_partial(records, n_items)
    n_systems = len({record.system for record in records})
    parts = [f"{task}: {count_noun(n_items, 'item')}, {count_noun(n_systems, 'system')}"]
    parts.append(f"scored only in part: {join_names(partial)}" if partial else "every system scored on all")
    n_failed = sum(record.error for record in records)
    if n_failed:
        parts.append(f"{count_noun(n_failed, 'failed run')} {choose_verb(n_failed, 'is', 'are')} not counted as wrong")
    n_repeats = len({record.repeat for record in records})
    if n_repeats > 1:
        parts.append(f"{n_repeats} repeats, averaged per system and item{_describe_noise(records)}")
    return "; ".join(parts) + "."


def _find_partial(records: list[LogRecord], n_items: int) -> list[str]:
    """Name the systems that lack a score of some metric on some items, with the number that they have."""
    metrics = {record.metric for record in records if record.metric}
    scored: dict[str, dict[str, set[str]]] = {}
    for record in records:
        by_metric = scored.setdefault(record.system, {metric: set() for metric in metrics})
        if record.score is not None and record.metric:
            by_metric[record.metric].add(record.item)
    counts = {system: min(map(len, by_metric.values()), default=0) for system, by_metric in scored.items()}
    return [f"{system} {n}" for system, n in counts.items() if n < n_items]


def _describe_noise(records: list[LogRecord]) -> str:
    """Say how far the score of a system moves between repeats on the first metric: the mean deviation (ddof = 1)."""
    metric = next((record.metric for record in records if record.score is not None), None)
    scores: dict[str, dict[int, list[float]]] = {}
    for record in records:
        if record.score is not None and record.metric == metric:
            scores.setdefault(record.system, {}).setdefault(record.repeat, []).append(record.score)
    means = [[np.mean(values) for values in runs.values()] for runs in scores.values() if len(runs) > 1]
    if not means:
        return ""
    noise = np.mean([np.std(run, ddof=1) for run in means])
    return f"; the {metric} of a system moves by {noise:.3g} between repeats"
