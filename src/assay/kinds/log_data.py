"""Data from the logs of evaluation harnesses: items with gold answers, and the predictions that come with them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.base.files import write_bytes
from assay.base.marks import NAME
from assay.base.results import Result
from assay.kinds.kind import KINDS

if TYPE_CHECKING:
    import polars as pl

    from assay.logs import JoinedTask

DATA_FILE, PREDICTIONS_FILE = "data.parquet", "predictions.parquet"


@dataclass(frozen=True, eq=False, repr=False)
class LogData:
    """The items of logs as a table that `assay.read` recognises, and the predictions of all runs on them."""

    frame: pl.DataFrame
    predictions: pl.DataFrame
    name: str
    notes: tuple[str, ...]


@dataclass(frozen=True)
class Conversion(Result):
    """The files that `convert` wrote, and what is in them."""

    data: str = field(metadata=NAME)
    predictions: str = field(metadata=NAME)
    n_items: int
    n_runs: int
    n_predictions: int
    notes: tuple[str, ...] = field(default=(), metadata=NAME)


def load_logs(source: str | Path, *, task: str | None = None, metric: str | None = None) -> LogData:
    """Read logs, join their runs by content, and return data and predictions."""
    from assay.logs import join_tasks, read_logs

    joined = join_tasks(read_logs(source), task, metric)
    return LogData(make_data_frame(joined), make_predictions(joined), joined.name, joined.notes)


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
        columns = [pl.col("text").alias("question"), pl.col("gold").alias("reference")]
    else:  # free answers are no classes: without a kind for them, only the texts and the scores count
        columns = [pl.col("text")]
    return items.select("id", *columns, *subject)


def make_predictions(joined: JoinedTask) -> pl.DataFrame:
    """Return one row per answer: letters or labels, or for free answers the scores that the harness gave."""
    import polars as pl

    answers = joined.answers
    repeat = ["repeat"] if answers["repeat"].n_unique() > 1 else []
    outcome = "score" if joined.form == "free" else "predicted"
    return answers.filter(pl.col(outcome).is_not_null()).select("system", "id", *repeat, outcome)


def convert(source: Any, out: str | Path, *, task: str | None = None, metric: str | None = None) -> Conversion:
    """Write the items and the predictions of logs as `data.parquet` and `predictions.parquet` in a folder.

    `task` and `metric` choose one where the logs have several. Commands give the same result on these files as on the
    logs.
    """
    from assay.logs import has_logs

    if not isinstance(source, (str, Path)) or not has_logs(source):
        hint = "Logs of lm-evaluation-harness, inspect, lighteval, HELM and Every Eval Ever are known."
        raise AssayError("no log of an evaluation harness", place=source, hint=hint)
    logs = load_logs(source, task=task, metric=metric)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    data, predictions = folder / DATA_FILE, folder / PREDICTIONS_FILE
    write_bytes(data, _to_parquet(logs.frame))
    write_bytes(predictions, _to_parquet(logs.predictions))
    n_runs = logs.predictions["system"].n_unique()
    sizes = (logs.frame.height, n_runs, logs.predictions.height)
    return Conversion(str(data), str(predictions), *sizes, logs.notes)


def _to_parquet(frame: pl.DataFrame) -> bytes:
    import io

    buffer = io.BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _join_choices() -> pl.Expr:
    """Return the text of an item with its choices, one per line."""
    import polars as pl

    return pl.concat_str([pl.col("text"), pl.col("choices").list.join("\n")], separator="\n")
