"""Data and predictions in shards, read one at a time: labels and answers are kept, texts are not."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import polars as pl

from assay.base.errors import AssayError, UsageError
from assay.base.parameters import Options
from assay.data import Dataset
from assay.data.columns.lookup import Columns
from assay.data.columns.roles import RoleRequest
from assay.data.columns.table import RawTable
from assay.data.readers.files import PartTables, concatenate_tables, find_files, join_parts, read_shards
from assay.evaluation.predictions.tables import ROLE_NAMES, PredictionTable, name_system, parse_table
from assay.features.out_of_core.sources import Shard, ShardedData, find_shards, group_files
from assay.kinds import read
from assay.kinds.arguments import DataSource
from assay.kinds.recognition import recognise
from assay.tasks import run_tasks

EVALUATED_TASKS = ("classification", "pairs", "graded")  # their answers are scored without the texts
TEXT_SLICES = ("difficulty", "length")
MAX_LABEL_LENGTH = 200  # longer cells are texts, of which this much is kept
PLACEHOLDER = "x"  # for a text that is there
USED_ROLES = {"split", "part", "time", "date", "timestamp", "fold", "repeat"}
SETTINGS = ("encoding", "quoting")


def read_sharded_inputs(
    data: DataSource | None, predictions: Any, roles: Options, by: Sequence[str], tasks: Options
) -> tuple[Dataset | None, list[PredictionTable]]:
    """Read what is evaluated a shard at a time: the roles of the data, if there is any, and the predictions.

    `roles` name columns of the data, `by` the slices, and `tasks` are the options of `run_tasks`.
    """
    check_slices(by)
    named = {role: name for role, name in roles.items() if name is not None}
    if named.pop("log_task", None) is not None:
        raise UsageError("is for logs, which are not read out of core", option="log_task")
    if predictions is None:
        raise UsageError("There are no predictions.", hint="Give files with {predictions}.")
    if data is not None and not isinstance(data, ShardedData | str | Path):
        raise UsageError("out of core, data is a file, folder or glob", option="data")
    shards = find_shards(data, tasks=EVALUATED_TASKS, **named) if isinstance(data, str | Path) else data
    dataset = None if shards is None else read_roles(shards, by, **tasks)
    if dataset is not None:
        check_labels(dataset)
    sources = list(predictions) if isinstance(predictions, list | tuple) else [predictions]
    return dataset, read_prediction_shards(sources, **tasks)


def read_roles(shards: ShardedData, columns: Sequence[str] = (), **tasks: Any) -> Dataset:
    """Read data with labels, ids, parts, times and groups, and further `columns`, but without the texts.

    `tasks` are the options of `run_tasks`. Every text is replaced by the same placeholder.
    """
    settings = {name: shards.columns[name] for name in SETTINGS if name in shards.columns}
    first = read_shards([Path(shards.shards[0].paths[0])], **settings)
    request = RoleRequest.make(
        **{name: value for name, value in shards.columns.items() if name not in (*SETTINGS, "missing")}
    )
    recognition = recognise(Columns(first, shards.name), request)
    match, roles = recognition.match, recognition.roles
    named = {"label": match.label, "id": roles.id, "split": roles.split, "time": roles.time}
    kept = [name for name in (*named.values(), roles.group, *columns) if name in first.frame.columns]
    arguments = [(shard, match.texts, tuple(dict.fromkeys(kept)), settings) for shard in shards.shards]
    tables: dict[str, list[RawTable]] = {}
    for shard, frame in zip(shards.shards, run_tasks(read_role_columns, arguments, **tasks), strict=True):
        tables.setdefault(shard.part, []).append(RawTable(frame))
    source = PartTables(shards.name, {part: concatenate_tables(each) for part, each in tables.items()})
    roles_read: dict[str, Any] = {role: name or "none" for role, name in named.items()}
    return read(source, task=recognition.kind.name, text=list(match.texts), group=roles.group, **roles_read)


def read_role_columns(shard: Shard, texts: Sequence[str], kept: Sequence[str], settings: Options) -> pl.DataFrame:
    """Return a shard with some columns as they are, a placeholder for each text, and the other columns empty."""
    frame = read_shards([Path(path) for path in shard.paths], **settings).frame
    placeholder = pl.lit(PLACEHOLDER)
    present = {name: pl.when(pl.col(name).is_not_null()).then(placeholder) for name in texts}
    # Other columns stay as names: a file of predictions may have them too, and they are not systems.
    return frame.with_columns(
        **{name: pl.lit(None, pl.String) for name in frame.columns if name not in (*texts, *kept)}, **present
    )


def read_prediction_shards(sources: Sequence[str | Path], **tasks: Any) -> list[PredictionTable]:
    """Read files, folders or globs of predictions a shard at a time, without columns of texts."""
    tables = []
    for source in sources:
        if not isinstance(source, str | Path):
            raise UsageError("out of core, predictions are files, folders or globs", option="predictions")
        groups, _ = find_files(source)
        shards = [shard for part, files in groups.items() for shard in group_files(files, part)]
        frames = run_tasks(read_answer_columns, [(shard,) for shard in shards], **tasks)
        frame = join_parts({"": concatenate_tables(map(RawTable, frames))})[0].frame
        tables.append(parse_table(frame, Path(source).name, name_system(source)))
    return tables


def read_answer_columns(shard: Shard) -> pl.DataFrame:
    """Return the columns of predictions in a shard; of cells longer than any label only the start."""
    frame = read_shards([Path(path) for path in shard.paths]).frame
    kept = [name for name in frame.columns if name.lower() not in ROLE_NAMES - USED_ROLES]
    return frame.select(pl.col(kept).str.slice(0, MAX_LABEL_LENGTH))


def check_slices(by: Sequence[str]) -> None:
    """Refuse slices that need the texts."""
    needed = [name for name in by if name in TEXT_SLICES]
    if needed:
        raise UsageError(f"{' and '.join(needed)} needs the texts, which are not read out of core", option="by")


def check_labels(data: Dataset) -> None:
    """Refuse labels that are longer than what is kept of an answer."""
    longest = max((len(name) for name in data.label_names), default=0)
    if longest > MAX_LABEL_LENGTH:
        fact = f"a label has {longest:,} characters; out of core it may have {MAX_LABEL_LENGTH}"
        raise AssayError(fact, place=data.name)
