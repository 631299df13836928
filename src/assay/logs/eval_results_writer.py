"""Write the scores of logs as results for model repositories of the Hugging Face hub (Community Evals)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from pathlib import Path

from assay.base.errors import AssayError
from assay.logs.joining import choose_metric
from assay.logs.readers.eval_results import FOLDER
from assay.logs.records import LogRecord
from assay.logs.table import LogTable
from assay.system.files import create_folder, open_for_writing, write_together

_DATASET = re.compile(r"[\w.-]+/[\w.-]+")
_UNSAFE = re.compile(r"[^\w.-]+")
N_DIGITS = 4


def write_eval_results(table: LogTable, folder: str | Path, dataset: str) -> list[Path]:
    """Write `<system>/.eval_results/<dataset>.yaml` for every system, and return the paths.

    `dataset` is the id of the benchmark on the hub; the names of the tasks in the logs are the ids of its tasks. Scores
    between 0 and 1 are written in percent.
    """
    if not _DATASET.fullmatch(dataset):
        raise AssayError(
            f'"{dataset}" is not an id of a dataset on the hub.', hint="An id is OWNER/NAME, such as cais/hle."
        )
    records = [record for record in table.records if not record.is_aggregate]
    if not records:
        raise AssayError("the logs hold no items to score", place=table.name)
    tasks = list(dict.fromkeys(record.task for record in records))
    chosen = {task: _select(records, task) for task in tasks}
    paths = []
    with write_together():
        for system in table.systems:
            lines = [line for task in tasks for line in _describe(chosen[task], system, task, dataset)]
            if lines:
                parts = [_UNSAFE.sub("-", part).strip(".") or "model" for part in system.split("/", 1)]
                home = create_folder(Path(folder, *parts, FOLDER))
                paths.append(home / f"{dataset.partition('/')[2].lower()}.yaml")
                with open_for_writing(paths[-1]) as file:
                    file.writelines(lines)
    return paths


def _select(records: Sequence[LogRecord], task: str) -> list[LogRecord]:
    """Return the records of a task by its main metric."""
    own = [record for record in records if record.task == task and record.metric]
    metric = choose_metric(own, None, task) if own else ""
    return [record for record in own if record.metric == metric and record.score is not None]


def _describe(records: Sequence[LogRecord], system: str, task: str, dataset: str) -> list[str]:
    """Return the lines of one result: the mean over items of the means over repeats."""
    scores: dict[str, list[float]] = {}
    for record in records:
        if record.system == system and record.score is not None:
            scores.setdefault(record.item, []).append(record.score)
    if not scores:
        return []
    value = math.fsum(math.fsum(each) / len(each) for each in scores.values()) / len(scores)
    is_share = all(0 <= record.score <= 1 for record in records if record.score is not None)
    return [
        f"- dataset:\n    id: {dataset}\n    task_id: {json.dumps(task)}\n",
        f"  value: {round(100 * value if is_share else value, N_DIGITS)}\n",
    ]
