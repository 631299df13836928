"""A preview of the data before the audit: its columns, their recognised roles, and the first rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.base.parameters import Options
from assay.system.files import make_temporary_folder
from assay.web.store import Version
from assay.web.work.audit_run import list_sections
from assay.web.work.column_summaries import summarise_columns
from assay.web.work.sources import (
    ROLES,
    find_data_files,
    find_table,
    get_encoding,
    has_data,
    list_log_tasks,
    make_safe_names,
    name_dataset,
    read_data,
    read_score_table,
    read_systems,
    read_verdict_tables,
    role_arguments,
    write_error,
)

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset
    from assay.data.columns.table import RawTable

_CAPITAL, _FLAG = re.compile(r" [A-Z]"), re.compile(r" --[a-z]")

NO_ROLES: dict[str, Any] = {"text": [], **dict.fromkeys(ROLES), "possible_group": None}
# Every field of a preview; they keep these values where the file cannot be read or the roles are wrong.
EMPTY_PREVIEW: dict[str, Any] = dict.fromkeys(("n_columns", "n_rows", "n_labels", "n_answered"), 0)
EMPTY_PREVIEW |= dict.fromkeys(("n_datasets", "n_votes", "vote_systems", "n_verdicts", "n_judges"), 0)
EMPTY_PREVIEW |= {"columns": [], "rows": [], "labels": [], "notes": [], "systems": [], "parts": {}}
EMPTY_PREVIEW |= {"summaries": [], "sections": [], "log_tasks": []}
EMPTY_PREVIEW |= {"roles": NO_ROLES, "task": None, "error": None, "likely_encoding": None}
EMPTY_PREVIEW |= {"has_data": True, "task_title": "", "paired": False, "kinds": {}}
N_ROWS = 5
MAX_COLUMNS = 2000
MAX_PREVIEW_COLUMNS = 40
MAX_LABELS = 12
MAX_CELL_LENGTH = 240


def preview_data(version: Version) -> Options:
    """Return columns, roles, rows and notes; if the file or the roles are wrong, the error on one line."""
    if not has_data(version):
        return preview_systems(version)
    log_tasks: list[str] = []
    try:
        log_tasks = list_log_tasks(version)
        if log_tasks and version.record().get("log_task") not in log_tasks:
            return {**EMPTY_PREVIEW, "log_tasks": log_tasks}
        table = read_columns(version)
    except AssayError as error:
        message = phrase_for_page(write_error(error, version))
        unread = {"error": message, "likely_encoding": getattr(error, "guess", None)}
        return {**EMPTY_PREVIEW, "log_tasks": log_tasks, **unread}
    preview = {**EMPTY_PREVIEW, "log_tasks": log_tasks, "columns": table.frame.columns[:MAX_COLUMNS]}
    preview |= {"n_rows": len(table.frame), "n_columns": table.frame.width, "rows": take_first_rows(table.frame)}
    preview["summaries"] = summarise_columns(table.frame[:, :MAX_PREVIEW_COLUMNS])
    try:
        preview["roles"] = find_roles(table, version)
        data = read_data(version)
        preview |= describe_data(data)
        preview["sections"] = list_sections(version, data, [])
        return preview | describe_systems(version, data)
    except AssayError as error:
        if preview["roles"] is NO_ROLES:
            preview["roles"] = {**NO_ROLES, **(version.record().get("roles") or find_roles_without_label(table))}
        return preview | {"error": phrase_for_page(write_error(error, version))}


def preview_systems(version: Version) -> Options:
    """Return what is known of predictions, scores, votes or verdicts without data."""
    try:
        sections = list_sections(version, None, [])
        return {**EMPTY_PREVIEW, "has_data": False, "sections": sections, **describe_systems(version, None)}
    except AssayError as error:
        return {**EMPTY_PREVIEW, "has_data": False, "error": phrase_for_page(write_error(error, version))}


def read_columns(version: Version) -> RawTable:
    """Return the table of the data, with its parts one below the other."""
    from assay.data.columns.table import RawTable
    from assay.data.readers.files import join_parts
    from assay.kinds.reading import load_tables

    files = find_data_files(version)
    if not version.files("data"):  # logs, whose columns are not the user's
        return RawTable(read_data(version).frame)
    task = version.record().get("task") or "auto"
    parts = {part: path for part, path in files.items() if part}
    tables = load_tables(files.get(""), parts, task=task, encoding=get_encoding(version))
    return join_parts(tables)[0]


def take_first_rows(frame: pl.DataFrame) -> list[list[str | None]]:
    """Return the first rows, with long cells shortened."""
    head = frame[:, :MAX_PREVIEW_COLUMNS].head(N_ROWS)
    return [[None if cell is None else cell[:MAX_CELL_LENGTH] for cell in row] for row in head.rows()]


def find_roles(table: RawTable, version: Version) -> Options:
    """Return the column of every role, as chosen or as recognised."""
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.recognition import recognise

    record = version.record()
    request = RoleRequest.make(**role_arguments(record.get("roles")), task=record.get("task") or "auto")
    recognised = recognise(Columns(table, name_dataset(version)), request)
    others = {role: getattr(recognised.roles, role) for role in ROLES if role != "label"}
    texts = {"text": list(recognised.match.texts), "label": recognised.match.label}
    return {**texts, **others, "possible_group": recognised.roles.possible_group}


def find_roles_without_label(table: RawTable) -> Options:
    """Return the roles that are recognised when only the label is ambiguous."""
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.recognition import recognise

    try:
        recognised = recognise(Columns(table, ""), RoleRequest.make(label="none"))
    except AssayError:
        return {}
    roles = recognised.roles
    return {"text": list(recognised.match.texts), "id": roles.id, "split": roles.split, "time": roles.time}


def phrase_for_page(error: str) -> str:
    """Write an error about columns without the hints for a terminal.

    >>> phrase_for_page("a.csv: the label could be a or b. Name it with --label. Its columns: a, b.")
    'a.csv: the label could be a or b. Its columns: a, b.'
    """
    *sentences, rest = error.split(".")
    return "".join(map(_drop_flag_hint, sentences)) + rest


def _drop_flag_hint(sentence: str) -> str:
    """Return a sentence with its full stop, without the part that begins with a capital and names an option."""
    start = _CAPITAL.search(sentence)
    return sentence[: start.start()] if start and _FLAG.search(sentence, start.end()) else f"{sentence}."


def describe_systems(version: Version, data: Dataset | None) -> Options:
    """Return the systems with predictions, scores, votes or verdicts."""
    values: dict[str, Any] = {}
    predictions = read_systems(version, data)
    if predictions is not None:
        values |= {"systems": predictions.names[:1000], "n_answered": len(predictions)}
    elif data is not None and data.predictions is not None:
        systems = data.predictions.get_column("system").unique(maintain_order=True).to_list()
        values |= {"systems": systems[:1000], "n_answered": len(data)}
    scores = read_score_table(version)
    if scores is not None:
        values["n_datasets"] = len(scores.measurements)
    if path := find_table(version, "votes"):
        from assay.votes.tables import read_votes

        votes = read_votes(path)
        values |= {"n_votes": len(votes), "vote_systems": len(votes.systems)}
    verdicts = read_verdict_tables(version)
    if verdicts is not None:
        values |= {"n_verdicts": verdicts.frame.height, "n_judges": len(verdicts.judges)}
    return values


def describe_data(data: Dataset) -> Options:
    """Return the task, labels, parts and notes of the data."""
    from assay.kinds import kind_of

    labels = [] if data.labels is None else data.labels.drop_nulls().value_counts(sort=True).rows()
    parts = {} if data.parts is None else {name: int((data.parts == name).sum()) for name in data.part_names[:20]}
    return {
        "task": data.task,
        "task_title": kind_of(data).title,
        "paired": kind_of(data).texts.is_paired(data),
        "labels": sorted(labels, key=lambda row: (-row[1], row[0]))[:MAX_LABELS],
        "n_labels": len(data.label_names),
        "parts": parts,
        "notes": [note for note in data.notes[2:] if "looks like groups" not in note],
    }


def recognise_files(version: Version) -> dict[str, str]:
    """Return the kind of every file that was not yet recognised, by its name on disk."""
    waiting = version.files("auto")
    kinds = {file["file"]: recognise_file(version, file) for file in waiting}
    if "logs" in kinds.values() or version.files("logs"):
        from assay.logs.formats import is_companion

        kinds |= {file["file"]: "logs" for file in waiting if is_companion(file["name"].rpartition("/")[2])}
    return kinds


def recognise_file(version: Version, file: Options) -> str:
    """Return the kind of one file; logs are recognised by the name that their owner gave them."""
    from assay.inputs import recognize

    path = version.path(file)
    with make_temporary_folder(path.parent) as folder:
        link = folder / next(iter(make_safe_names([file])))
        try:
            link.hardlink_to(path)
        except OSError:
            link = path
        return recognize(link, encoding=get_encoding(version)).value
