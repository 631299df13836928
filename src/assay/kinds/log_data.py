"""Data from the logs of evaluation harnesses: items with gold answers, and the predictions that come with them."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from assay.base.entry_points import entry_point
from assay.base.errors import AssayError, join_names
from assay.base.lazy import load_by_name
from assay.base.marks import NAME
from assay.data.left_out import LeftOut
from assay.data.log_source import LogSource
from assay.kinds.kind import KINDS
from assay.system.collection import pause_collection
from assay.system.files import create_folder, write_bytes, write_together
from assay.views.blocks import Block, Sentence
from assay.views.results import Result
from assay.wording.sentences import count_noun

if TYPE_CHECKING:
    import polars as pl

    from assay.logs import JoinedTask, LogTable

_UNSAFE = re.compile(r"[^\w.=+-]+")

DATA_FILE, PREDICTIONS_FILE, COSTS_FILE = "data.parquet", "predictions.parquet", "costs.parquet"
MAX_FOLDER_NAME = 100
ALL_TASKS = "assay audit, assay convert and assay discriminate"


@dataclass(frozen=True, eq=False, repr=False)
class LogData:
    """The items of logs as a table that `assay.read` recognises, and the predictions of all runs on them."""

    input_kind: ClassVar[str] = "logs"
    frame: pl.DataFrame
    predictions: pl.DataFrame
    name: str
    notes: tuple[str, ...]
    costs: pl.DataFrame | None = None
    left_out: tuple[LeftOut, ...] = ()
    source: LogSource | None = None
    totals: pl.DataFrame | None = None


@dataclass(frozen=True)
class Conversion(Result):
    """The files that `convert` wrote for a task, and what is in them."""

    task: str = field(metadata=NAME)
    data: str = field(metadata=NAME)
    predictions: str = field(metadata=NAME)
    n_items: int
    n_runs: int
    n_predictions: int
    n_responses: int
    notes: tuple[str, ...] = field(default=(), metadata=NAME)

    def blocks(self) -> Iterator[Block]:
        """Yield what was written, and where."""
        yield Sentence(f"Wrote {count_noun(self.n_items, 'item')} to {self.data}.")
        if self.n_responses:
            yield Sentence(f"Wrote {count_noun(self.n_responses, 'response')} to responses.parquet next to it.")
        predictions, runs = count_noun(self.n_predictions, "prediction"), count_noun(self.n_runs, "run")
        yield Sentence(f"Wrote {predictions} of {runs} to {self.predictions}.", is_verdict=True)


@dataclass(frozen=True, eq=False, repr=False)
class LogTasks:
    """The data of every task in logs, and the reason of each task that has none."""

    name: str
    tasks: tuple[LogData, ...]
    left_out: dict[str, str]


@pause_collection()
def load_logs(
    source: str | Path, *, task: str | None = None, metric: str | None = None, strict: bool = False
) -> LogData:
    """Read logs of one task, join their runs by content, and return data and predictions.

    If the logs have several tasks, `task` chooses one, a group, or all that match a pattern.
    """
    from assay.logs import join_tasks, list_tasks, read_logs

    logs = read_logs(source, strict=strict)
    if task is None:
        tasks = list_tasks(logs)
        if len(tasks) > 1:
            fact = f"the logs hold {len(tasks)} tasks: {join_names(tasks)}"
            hint = f"Give the logs of one task alone. Or choose one with {{log_task}}; {ALL_TASKS} take all."
            raise AssayError(fact, place=logs.name, hint=hint)
        task = next(iter(tasks))
    joined = join_tasks(logs, task, metric)
    own, totals = LogSource(str(source), task), _list_totals(logs, joined)
    return replace(_to_data(joined), left_out=logs.left_out, totals=totals, source=own)


@pause_collection()
def load_tasks(source: str | Path, *, metric: str | None = None, strict: bool = False) -> LogTasks:
    """Read logs once and return the data of every task in them."""
    from assay.logs import join_each_task, read_logs

    logs = read_logs(source, strict=strict)
    joined = join_each_task(logs, metric)
    if not joined.tasks:
        raise AssayError(next(iter(joined.left_out.values())), place=logs.name)
    notes = tuple(f"{task} left out: {reason}." for task, reason in joined.left_out.items())
    left_out = (*logs.left_out, *(LeftOut("tasks", 1, f"{task}: {reason}") for task, reason in joined.left_out.items()))
    tasks = [
        replace(
            _to_data(task),
            notes=(*task.notes, *notes),
            left_out=left_out,
            totals=_list_totals(logs, task),
            source=LogSource(str(source), task.name if len(joined.tasks) + len(joined.left_out) > 1 else None),
        )
        for task in joined.tasks
    ]
    return LogTasks(logs.name, tuple(tasks), joined.left_out)


def _list_totals(logs: LogTable, joined: JoinedTask) -> pl.DataFrame | None:
    """Return the totals of the harness that differ from the items of the joined tasks; None if none was compared."""
    import polars as pl

    if logs.differences is None:
        return None
    rows = [asdict(row) for row in logs.differences if row.task in joined.metrics]
    names = {"system": pl.String, "task": pl.String, "metric": pl.String, "value": pl.Float64, "total": pl.Float64}
    return pl.DataFrame(rows, schema={**names, "n_items": pl.Int64, "n_total": pl.Int64})


def _to_data(joined: JoinedTask) -> LogData:
    return LogData(make_data_frame(joined), make_predictions(joined), joined.name, joined.notes, joined.usage)


def make_data_frame(joined: JoinedTask) -> pl.DataFrame:
    """Return the items with the column names of their kind of task; of one that is not known, of classification."""
    import polars as pl

    items = joined.items
    subject = [pl.col("subject")] if items["subject"].is_not_null().any() else []
    if joined.form == "choices" and "multiple-choice" in KINDS:
        columns = [pl.col("text").alias("question"), pl.col("choices"), pl.col("gold").alias("answer")]
    elif joined.form == "choices":
        columns = [_join_choices().alias("text"), pl.col("gold").alias("label")]
    elif joined.form == "labels":
        columns = [pl.col("text"), pl.col("gold").alias("label")]
    elif "generation" in KINDS and items["gold"].is_not_null().any():
        columns = [_join_choices().alias("question"), _make_references(items)]
    else:  # free answers are not classes: without a kind for them, only the texts and the scores count
        columns = [_join_choices().alias("text")]
    return items.select("id", *columns, *subject)


def make_predictions(joined: JoinedTask) -> pl.DataFrame:
    """Return one row per answer: letters, labels or texts; for free answers the text and the score of the harness."""
    import polars as pl

    answers = joined.answers
    repeat = ["repeat"] if answers["repeat"].n_unique() > 1 else []
    if joined.form != "free":
        return answers.filter(pl.col("predicted").is_not_null()).select("system", "id", *repeat, "predicted")
    scored = answers.filter(pl.col("score").is_not_null())
    response = [pl.col("predicted").alias("response")] if scored["predicted"].is_not_null().any() else []
    return scored.select("system", "id", *repeat, "score", *response)


@entry_point()
def convert(
    source: Any, out: str | Path, *, log_task: str | None = None, metric: str | None = None, strict: bool = False
) -> Conversion:
    """Write the items and the predictions of logs as `data.parquet` and `predictions.parquet` in a folder.

    Responses, if the logs have them, are written as `responses.parquet`.

    If the logs have several tasks or metrics, `log_task` and `metric` choose one; `convert_tasks` writes all tasks.
    Commands give the same result on these files as on the logs. With `strict`, a log that cannot be read is an error.
    """
    return _write_task(load_logs(_check_logs(source), task=log_task, metric=metric, strict=strict), Path(out))


@entry_point()
def convert_tasks(
    source: Any, out: str | Path, *, metric: str | None = None, strict: bool = False
) -> tuple[Conversion, ...]:
    """Write the items and predictions of every task in logs; if there are several, each gets a folder below `out`."""
    loaded = load_tasks(_check_logs(source), metric=metric, strict=strict)
    if len(loaded.tasks) == 1:
        return (_write_task(loaded.tasks[0], Path(out)),)
    folders = name_folders([task.name for task in loaded.tasks])
    with write_together():
        return tuple(_write_task(task, Path(out) / folder) for task, folder in zip(loaded.tasks, folders, strict=True))


def name_folders(tasks: Sequence[str]) -> list[str]:
    """Return a name of a folder for every task, which no two share.

    >>> name_folders(["inspect_evals/arc_easy", "mmlu:subject=law", "inspect_evals arc_easy"])
    ['inspect_evals_arc_easy', 'mmlu_subject=law', 'inspect_evals_arc_easy-2']
    """
    names: list[str] = []
    for task in tasks:
        plain = _UNSAFE.sub("_", task).strip("._")[:MAX_FOLDER_NAME] or "task"
        copies = itertools.count(2)
        name = plain
        while name.lower() in {other.lower() for other in names}:
            name = f"{plain}-{next(copies)}"
        names.append(name)
    return names


def _check_logs(source: Any) -> str | Path:
    from assay.logs import has_logs

    if not isinstance(source, (str, Path)) or not has_logs(source):
        hint = "Logs of lm-evaluation-harness, inspect, lighteval, HELM and Every Eval Ever are known."
        raise AssayError("no log of an evaluation harness", place=source, hint=hint)
    return source


def _write_task(logs: LogData, folder: Path) -> Conversion:
    data, predictions = folder / DATA_FILE, folder / PREDICTIONS_FILE
    write_responses = load_by_name("assay.responses.exporting", "write_log_responses")
    with write_together():
        create_folder(folder)
        write_bytes(data, _to_parquet(logs.frame))
        write_bytes(predictions, _to_parquet(logs.predictions))
        if logs.costs is not None:
            write_bytes(folder / COSTS_FILE, _to_parquet(logs.costs))
        n_responses = 0 if logs.source is None else write_responses(logs.source.path, folder, logs.source.task)
    n_runs = logs.predictions["system"].n_unique()
    sizes = (logs.frame.height, n_runs, logs.predictions.height, n_responses)
    return Conversion(logs.name, str(data), str(predictions), *sizes, logs.notes)


def _to_parquet(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _join_choices() -> pl.Expr:
    """Return the text of an item with its choices, one per line."""
    import polars as pl

    return pl.concat_str([pl.col("text"), pl.col("choices").list.join("\n")], separator="\n", ignore_nulls=True)


def _make_references(items: pl.DataFrame) -> pl.Expr:
    """Return the accepted answers: one per item, or lists of them if an item has several."""
    import polars as pl

    several = (items["references"].list.len() > 1).any()
    return pl.col("references") if several else pl.col("references").list.first().alias("reference")
