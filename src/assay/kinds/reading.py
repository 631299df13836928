"""Read a dataset from a file, a folder or memory, and say what was recognised."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from glob import has_magic
from pathlib import Path
from typing import TYPE_CHECKING, Any, Unpack

from assay.base.entry_points import entry_point, replace_settings
from assay.base.errors import AssayError, UsageError, join_names, unknown_name
from assay.data.left_out import LeftOut
from assay.kinds.arguments import ColumnNames, DataSource, FileArguments, ReadingArguments, ReadingSettings
from assay.kinds.kind import KINDS, SharedValues
from assay.kinds.recognition import AUTO, Recognition, recognise

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest, SharedRoles
    from assay.data.columns.table import RawTable
    from assay.kinds.log_data import LogData

# Names of labels that hardly mean anything else.
PLAIN_LABEL_NAMES = (("label", "labels", "goldlabel", "goldlabels", "gold"), ("entailmentlabel", "relatednessscore"))
MAX_CLASSES = 20  # values of a column that looks like labels
MIN_REPEATS = 5
MIN_TEXT_WORDS = 8  # of a cell on average, in a column that is not used and may be what systems see


@entry_point(FileArguments)
def read(
    source: DataSource | None = None,
    *,
    text: ColumnNames = None,
    label: ColumnNames = None,
    id: str | None = None,  # noqa: A002, the name of the role
    split: str | None = None,
    time: str | None = None,
    group: str | None = None,
    task: str | None = AUTO,
    choices: ColumnNames = None,
    train: DataSource | None = None,
    dev: DataSource | None = None,
    test: DataSource | None = None,
    random_state: int = 0,
    settings: ReadingSettings = ReadingSettings(),
    **options: Unpack[FileArguments],
) -> Dataset:
    """Read a file, folder, glob, frame, table, list or dict; task and roles are recognised by the usual names.

    A list of files (`["train.csv", "test.csv"]`) and a dictionary of frames are parts, by the names of files and keys.
    `choices` names the options of multiple choice (a column of lists, or one column each), several `label` columns of 0
    and 1 are the labels of a multilabel task, and `label_separator` separates the labels within a cell. A Croissant
    file, or a folder with an `eval.yaml`, names the columns to use; addresses such as `s3://bucket/data.parquet` are
    read through fsspec. The log of an evaluation harness, or a folder of logs, gives its items, and the answers as
    `Dataset.predictions`; if logs have several tasks, `log_task` chooses one, a group or a pattern (`mmlu_*`), and
    `read_tasks` reads all.

    `train`, `dev` and `test` are separate sources; `sample` draws rows; `missing` says what to do with rows whose text
    or label is missing: keep, drop or error. `Dataset.notes` says what was recognised, `Dataset.left_out` what was not
    used. A log that cannot be read is left out; with `strict` it is an error.

    >>> read({"sentence": ["Fine.", "Poor."], "target": [1, 0], "genre": ["film", "book"]}).notes
    ('task: classification (sentence, target); not used: genre', 'id: row numbers; 2 rows')
    """
    from assay.data.columns.missing import MISSING, handle_missing
    from assay.data.columns.roles import RoleRequest
    from assay.data.metadata import describe_source
    from assay.data.readers.remote import fetch, is_remote

    settings = replace_settings(settings, options)
    sample, task = settings.sample, task or AUTO
    if settings.missing not in MISSING:
        raise unknown_name("way to handle missing cells", settings.missing, MISSING)
    if sample is not None and sample < 1:
        raise UsageError(f"is {sample}; at least 1 row must be drawn", option="sample")
    if task not in (AUTO, *KINDS):
        raise unknown_name("task", task, (AUTO, *KINDS))
    part_sources = {part: each for part, each in (("train", train), ("dev", dev), ("test", test)) if each is not None}
    columns = {"text": text, "label": label, "choices": choices, "id": id, "split": split}
    place = _describe_place(source, part_sources)
    with fetch(source) if is_remote(source) else nullcontext(source) as local:
        described = None if part_sources else describe_source(local)
        if described is not None:
            local = described.source
            columns = described.roles | {role: name for role, name in columns.items() if name}
            task = described.task or AUTO if task == AUTO else task
        separator = settings.label_separator
        request = RoleRequest.make(**columns, label_separator=separator, time=time, group=group, task=task)
        logs = _load_logs(None if part_sources else local, settings.log_task, settings.strict)
        data = _read_local(local, part_sources, request, place, settings, logs)
    if is_remote(source):
        data = replace(data, source=None)
    if described is not None:
        data = replace(data, notes=(described.note, *data.notes))
    return _draw_sample(handle_missing(data, settings.missing, place), sample, random_state)


def _read_local(
    source: DataSource | None,
    part_sources: Mapping[str, DataSource],
    request: RoleRequest,
    place: str,
    settings: ReadingSettings,
    logs: LogData | None,
) -> Dataset:
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import NONE, is_none
    from assay.data.readers.files import join_parts
    from assay.kinds.tagging.token_tables import group_tokens
    from assay.kinds.tools.layouts import unfold_layouts

    content = source if logs is None else logs.frame
    form = {"encoding": settings.encoding, "quoting": settings.quoting}
    tables = load_tables(content, part_sources, task=request.task, **form)
    if request.task in (AUTO, "tagging"):
        tables = {part: group_tokens(table, request.names) for part, table in tables.items()}
    table, parts = join_parts(tables)
    if logs is not None and not isinstance(source, (str, Path)):
        place = logs.name
    if not len(table.frame):
        raise AssayError("the data has no rows", place=place)
    has_texts = request.text != (NONE,) or NONE in table.frame.columns
    if not has_texts:
        table, request = _add_empty_text(table, request)
    columns = Columns(unfold_layouts(table, request.names), place)
    recognition = recognise(columns, request)
    name = name_source(source, part_sources) if logs is None else logs.name
    data = replace(_build(columns, recognition, parts, name, place), has_texts=has_texts)
    if request.group and is_none(request.group, columns):
        data = replace(data, groups=None, declines_groups=True)
    if logs is not None:
        notes = (*logs.notes, *data.notes)
        data = replace(data, notes=notes, predictions=logs.predictions, costs=logs.costs, totals=logs.totals)
        data = replace(data, logs=logs.source)
        return data.leave_out(*logs.left_out)
    if not part_sources and isinstance(source, (str, Path)) and Path(source).is_file():
        return replace(data, source=str(source))
    return data


def _add_empty_text(table: RawTable, request: RoleRequest) -> tuple[RawTable, RoleRequest]:
    """Return a table without texts with a column of empty ones."""
    import polars as pl

    from assay.data.columns.roles import NO_TEXT

    return replace(table, frame=table.frame.with_columns(pl.lit("").alias(NO_TEXT))), replace(request, text=(NO_TEXT,))


@dataclass(frozen=True, eq=False)
class TaskData:
    """The data of every task in logs, and the reason of each task that has none."""

    name: str
    tasks: tuple[Dataset, ...]
    left_out: dict[str, str]


def read_tasks(source: str | Path, **options: Unpack[ReadingArguments]) -> TaskData:
    """Read every task in logs of an evaluation harness as a separate dataset; the options are the same as in `read`."""
    from assay.kinds.log_data import load_tasks

    loaded = load_tasks(source, strict=bool(options.get("strict")))
    tasks: list[Dataset] = []
    left_out = dict(loaded.left_out)
    for task in loaded.tasks:
        try:
            tasks.append(read(task, **options))
        except AssayError as error:
            left_out[task.name] = str(error)
    if not tasks:
        raise AssayError(next(iter(left_out.values())), place=source)
    return TaskData(loaded.name, tuple(tasks), left_out)


def _load_logs(source: DataSource | None, task: str | None, strict: bool) -> LogData | None:
    """Return the data in logs of an evaluation harness; None if the source is something else."""
    from assay.kinds.log_data import LogData, load_logs
    from assay.logs import has_logs

    if isinstance(source, LogData):
        return source
    if isinstance(source, (str, Path)) and has_logs(source):
        return load_logs(source, task=task, strict=strict)
    if task is not None:
        raise UsageError("is for logs of an evaluation harness, which this is not", option="log_task")
    return None


def load_tables(
    source: DataSource | None,
    part_sources: Mapping[str, DataSource],
    *,
    task: str = AUTO,
    encoding: str = "utf-8",
    quoting: str = "auto",
) -> dict[str, RawTable]:
    """Return the tables of a source, or of a source for each part, by part; without parts under the empty name."""
    from assay.data.readers.files import join_parts

    if source is None and not part_sources:
        raise UsageError("there is no data", hint="Name it as {data}, or its parts with {train}, {dev} and {test}.")
    if not part_sources:
        return _load(source, task, encoding, quoting)
    if source is not None:
        if "train" in part_sources:
            raise UsageError("training data is named twice", hint="Use either {data} or {train}.")
        part_sources = {"train": source, **part_sources}
    return {part: join_parts(_load(each, task, encoding, quoting))[0] for part, each in part_sources.items()}


def _load(source: Any, task: str, encoding: str, quoting: str) -> dict[str, RawTable]:
    kinds = list(KINDS.values()) if task == AUTO else [KINDS[task]]
    if isinstance(source, (str, Path)) and not os.path.exists(source):  # noqa: PTH110, False for impossible names
        kinds = []  # a pattern of files, a name on the hub, or an error
    for kind in kinds:
        tables = kind.layout.load(source, encoding=encoding, quoting=quoting)
        if tables is not None:
            return tables
    from assay.data.readers.files import PartTables, read_parts

    if isinstance(source, PartTables):
        return source.tables
    if not isinstance(source, (str, Path)):
        from assay.data.readers.memory import are_paths, convert_object

        return _load_paths(source, task, encoding, quoting) if are_paths(source) else convert_object(source)
    from assay.data.readers.remote import is_hub_name, read_hub

    if is_hub_name(source):
        return read_hub(str(source))
    return read_parts(source, encoding=encoding, quoting=quoting, with_labels=True)


def _load_paths(paths: Sequence[str | Path], task: str, encoding: str, quoting: str) -> dict[str, RawTable]:
    from assay.data.readers.files import concatenate_tables, group_paths, join_parts

    return {
        part: concatenate_tables(join_parts(_load(file, task, encoding, quoting))[0] for file in files)
        for part, files in group_paths(paths).items()
    }


def name_source(source: Any, part_sources: Mapping[str, DataSource]) -> str:
    """Name a dataset after its file, its folder or its type."""
    first: Any = source if source is not None else next(iter(part_sources.values()))
    if not isinstance(first, (str, Path)):
        from assay.data.readers.files import PartTables
        from assay.data.readers.memory import are_paths

        if are_paths(first):
            return Path(first[0]).resolve().parent.name or "data"

        if isinstance(first, PartTables):
            return first.name
        type_name = type(first).__name__
        return {"DataFrame": "frame", "dict": "data", "list": "data", "tuple": "data"}.get(type_name, type_name)
    path = Path(first)
    if source is None or has_magic(path.name):
        return path.resolve().parent.name or path.name
    return (path.name or path.resolve().name).partition(".")[0] or path.name


def _describe_place(source: Any, part_sources: Mapping[str, DataSource]) -> str:
    """Say in messages where the data came from."""
    sources = [each for each in (source, *part_sources.values()) if each is not None]
    return " + ".join(str(each) if isinstance(each, (str, Path)) else name_source(each, {}) for each in sources)


def _build(columns: Columns, recognition: Recognition, parts: pl.Series | None, name: str, place: str) -> Dataset:
    from assay.data.columns.ids import ids_restart, make_ids
    from assay.data.columns.labels import blank_to_null
    from assay.data.columns.parts import normalise_parts

    roles = recognition.roles
    file_parts = parts
    if parts is None and roles.split:
        parts = normalise_parts(columns[roles.split])
    ids = columns[roles.id] if roles.id else None
    restarting = ids is not None and parts is not None and ids_restart(ids, parts)
    shared = SharedValues(
        name=name,
        place=place,
        ids=make_ids(ids, parts if restarting else file_parts, len(columns.frame), place),
        parts=parts.alias("part") if parts is not None else None,
        times=blank_to_null(columns[roles.time]).alias("time") if roles.time else None,
        groups=blank_to_null(columns[roles.group]).alias("group") if roles.group else None,
        has_row_ids=roles.id is None,
    )
    data = recognition.kind.layout.build(columns, recognition.match, shared)
    notes = (recognition.describe(), _describe_rows(roles, shared), *_mention_columns(recognition))
    notes += () if recognition.names_texts else _mention_texts(columns, recognition)
    if restarting:
        notes += (
            f"ids of column '{roles.id}' restart in each part: the part is put before them, as in {shared.ids[0]}",
        )
    notes += _describe_labels(data, columns, recognition)
    data = replace(data, notes=(*notes, *columns.table.notes, *data.notes), unused=recognition.unused)
    return data.leave_out(*columns.table.left_out, *_list_label_columns(columns, recognition))


def _describe_rows(roles: SharedRoles, shared: SharedValues) -> str:
    """Say where ids, parts, times and groups are, and how many rows there are."""
    from assay.data.columns.parts import count_parts

    columns = {"id": roles.id or "row numbers", "split": roles.split, "time": roles.time, "group": roles.group}
    phrases = [f"{role}: {column}" for role, column in columns.items() if column]
    n = len(shared.ids)
    rows = f"{n:,} row{'s' if n != 1 else ''}" if shared.parts is None else count_parts(shared.parts)
    return f"{', '.join(phrases)}; {rows}"


def _mention_columns(recognition: Recognition) -> tuple[str, ...]:
    """Mention columns that look like groups or labels and are not used as such."""
    group, nested = recognition.roles.possible_group, recognition.nested_label
    groups = f"column '{group}' looks like groups; it is used only if it is named as the group"
    lists = f"column '{nested}' holds lists or objects; it is not used as the label"
    return ((groups,) if group else ()) + ((lists,) if nested else ())


def _mention_texts(columns: Columns, recognition: Recognition) -> tuple[str, ...]:
    """Mention columns of texts that are not used: systems may see them."""
    cells = {name: columns[name].drop_nulls() for name in recognition.unused if not columns.is_nested(name)}
    spaces = {name: float(texts.str.count_matches(r"\s+").mean() or 0) for name, texts in cells.items()}  # type: ignore[arg-type]
    names = [name for name, count in spaces.items() if count >= MIN_TEXT_WORDS - 1]
    return (f"the texts of {join_names(names, 3)} are not used; name them if systems see them",) if names else ()


def _list_label_columns(columns: Columns, recognition: Recognition) -> tuple[LeftOut, ...]:
    """Return columns that look like labels and are not used.

    With a label these are columns with the names of labels that are no other names of the label. Without one they also
    are lists or objects, and few values that repeat.
    """
    if recognition.declines_label:
        return ()
    label = recognition.match.label
    by_name = {name for row in PLAIN_LABEL_NAMES for name in columns.find(row)}
    if label:
        names = [name for name in recognition.unused if name in by_name and not _are_same(columns, name, label)]
        reason = f"they look like labels next to '{label}': {join_names(names)}"
    else:
        names = [name for name in recognition.unused if columns.is_nested(name) or _has_classes(columns, name)]
        reason = f"they look like labels, and the data is read without labels: {join_names(names)}"
    return (LeftOut("columns", len(names), reason),) if names else ()


def _are_same(columns: Columns, name: str, label: str) -> bool:
    """Return whether two columns say the same in other words, such as 0 and negative."""
    pairs = columns.frame.select(name, label).unique()
    return pairs[name].n_unique() == pairs[label].n_unique() == len(pairs)


def _has_classes(columns: Columns, name: str) -> bool:
    cells = columns[name].drop_nulls()
    n_values = cells.n_unique()
    return 1 < n_values <= MAX_CLASSES and n_values * MIN_REPEATS <= len(cells)


def _describe_labels(data: Dataset, columns: Columns, recognition: Recognition) -> tuple[str, ...]:
    """Say where the order of the rows, or their groups, give the labels away."""
    from assay.data.columns.order import describe_group_labels, describe_order

    group = recognition.roles.group or recognition.roles.possible_group
    if not recognition.kind.gold.has_classes:
        return ()
    by_group = () if group is None else describe_group_labels(data.labels, columns[group], group)
    return (*describe_order(data.labels, data.parts), *by_group)


def _draw_sample(data: Dataset, sample: int | None, random_state: int) -> Dataset:
    if sample is None or sample >= len(data):
        return data
    import numpy as np

    drawn = np.random.default_rng(random_state).choice(len(data), size=sample, replace=False)
    rows = np.sort(data.order[drawn])
    left_out = LeftOut("rows", len(data) - sample, f"a random sample of {sample:,} was drawn")
    note = f"a sample of {sample:,} of {len(data):,} rows (seed {random_state})"
    return data.take(rows).add_notes(note).leave_out(left_out)
