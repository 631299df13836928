"""Say how many items of a log were scored, failed or repeated."""

from __future__ import annotations

import numpy as np

from assay.base.errors import join_names
from assay.logs.records import LogRecord
from assay.wording.sentences import choose_verb, count_noun


def describe_tasks(records: list[LogRecord]) -> list[str]:
    """Describe for every task how many items were scored and how many runs failed, by system if they differ."""
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
    if not any(record.metric or record.error for record in records):
        parts.append("no answer has a score of its own")
    else:
        parts.append(f"scored only in part: {join_names(partial)}" if partial else "every system scored on all")
    n_failed = len({(record.system, record.item, record.repeat) for record in records if record.error})
    if n_failed:
        parts.append(
            f"{count_noun(n_failed, 'answer')} without a score {choose_verb(n_failed, 'is', 'are')} not counted as wrong"
        )
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
    return [name for system, by_metric in scored.items() for name in _list_partial(system, by_metric, n_items)]


def _list_partial(system: str, by_metric: dict[str, set[str]], n_items: int) -> list[str]:
    """Return the number of items that a system has scores of, by metric if they differ."""
    counts = {metric: len(items) for metric, items in by_metric.items()} or {"": 0}
    if len(set(counts.values())) == 1:
        n = next(iter(counts.values()))
        return [f"{system} {n}"] if n < n_items else []
    return [f"{system} {n} by {metric}" for metric, n in sorted(counts.items()) if n < n_items]


def _describe_noise(records: list[LogRecord]) -> str:
    """Say how far the score of a system moves between repeats on the first metric: the mean deviation (ddof = 1).

    Only items count that have all repeats of their system: other items would move the score too.
    """
    metric = next((record.metric for record in records if record.score is not None), None)
    scores: dict[str, dict[str, list[float]]] = {}
    for record in records:
        if record.score is not None and record.metric == metric:
            scores.setdefault(record.system, {}).setdefault(record.item, []).append(record.score)
    deviations = []
    for items in scores.values():
        n_repeats = max(map(len, items.values()))
        complete = [values for values in items.values() if len(values) == n_repeats]
        if n_repeats > 1:
            deviations.append(np.std(np.mean(complete, axis=0), ddof=1))
    return f"; the {metric} of a system moves by {np.mean(deviations):.3g} between repeats" if deviations else ""
