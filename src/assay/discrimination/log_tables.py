"""Outcomes and scores of the systems in harness logs."""

from __future__ import annotations

import numpy as np

from assay.base.errors import AssayError, join_names
from assay.discrimination.measurements import Measurement
from assay.discrimination.outcomes import Outcomes
from assay.discrimination.scales import infer_scale
from assay.discrimination.score_tables import ScoreTable, note_scales
from assay.logs import LogRecord, LogTable


def build_log_outcomes(logs: LogTable, metric: str | None = None) -> list[Outcomes]:
    """Return the outcomes of every (task, metric): systems × items, the mean over repeats, nan = no score."""
    groups = logs.group_items(metric)
    if not groups and metric is not None:
        raise AssayError(f"no metric '{metric}'; metrics are {join_names(logs.metrics)}", place=logs.name)
    return [_average_repeats(key, records) for key, records in groups.items()]


def build_log_scores(logs: LogTable) -> ScoreTable:
    """Return the scores of whole tasks, for logs without items."""
    measurements = [_measure(key, records) for key, records in logs.group_aggregates().items()]
    if not measurements:
        hint = "Give the logs as {data}: their scores belong to items."
        raise AssayError("the logs hold no scores of whole tasks", place=logs.name, hint=hint)
    notes = (*logs.notes, *note_scales(measurements, inferred=True))
    return ScoreTable(measurements, notes, logs.name, left_out=logs.left_out)


def _average_repeats(key: tuple[str, str, str], records: list[LogRecord]) -> Outcomes:
    systems = list(dict.fromkeys(record.system for record in records))
    items = sorted({record.item for record in records})
    rows = {system: row for row, system in enumerate(systems)}
    columns = {item: column for column, item in enumerate(items)}
    total, count = np.zeros((len(systems), len(items))), np.zeros((len(systems), len(items)))
    for record in records:
        if record.score is not None:
            total[rows[record.system], columns[record.item]] += record.score
            count[rows[record.system], columns[record.item]] += 1
    table = np.divide(total, count, out=np.full_like(total, np.nan), where=count > 0)
    lower = any(record.lower_is_better for record in records)
    return Outcomes(*key, tuple(systems), table, ids=tuple(items), lower_is_better=lower)


def _measure(key: tuple[str, str, str], records: list[LogRecord]) -> Measurement:
    scores = np.array([record.score for record in records], dtype=float)
    lower = any(record.lower_is_better for record in records)
    scale = infer_scale(scores, key[2], lower_is_better=lower)
    systems = tuple(record.system for record in records)
    return Measurement(*key, systems, scores * scale.factor, None, scale.upper, lower, scale.is_percent)
