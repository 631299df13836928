"""A preview of the data before the audit: its columns, their recognised roles, and the first rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.web.sources import (
    ROLES,
    find_data_files,
    get_encoding,
    name_dataset,
    read_score_table,
    read_systems,
    role_arguments,
    write_error,
)
from assay.web.store import Entry

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset
    from assay.data.columns.table import Table

NO_ROLES: dict[str, Any] = {"text": [], **dict.fromkeys(ROLES), "possible_group": None}
# Every field of a preview; they keep these values where the file cannot be read or the roles are wrong.
EMPTY_PREVIEW: dict[str, Any] = dict.fromkeys(("n_columns", "n_rows", "n_labels", "n_answered", "n_datasets"), 0)
EMPTY_PREVIEW |= {"columns": [], "rows": [], "labels": [], "notes": [], "systems": [], "parts": {}}
EMPTY_PREVIEW |= {"roles": NO_ROLES, "task": None, "error": None, "likely_encoding": None}
N_ROWS = 5
MAX_COLUMNS = 2000
MAX_PREVIEW_COLUMNS = 40
MAX_LABELS = 12
MAX_CELL_LENGTH = 240


def preview_data(entry: Entry) -> dict[str, Any]:
    """Return columns, roles, rows and notes; where the file or the roles are wrong, the error on one line."""
    from assay.data.readers.files import join_parts, read_file

    try:
        files = find_data_files(entry)
        tables = {part: read_file(path, encoding=get_encoding(entry)) for part, path in files.items()}
        table = join_parts(tables)[0]
    except AssayError as error:
        message = phrase_for_page(write_error(error, entry), name_dataset(entry))
        return {**EMPTY_PREVIEW, "error": message, "likely_encoding": getattr(error, "guess", None)}
    preview = {**EMPTY_PREVIEW, "columns": table.frame.columns[:MAX_COLUMNS], "n_rows": len(table.frame)}
    preview |= {"n_columns": table.frame.width, "rows": take_first_rows(table.frame)}
    try:
        preview["roles"] = find_roles(table, entry)
        data = read_frames(tables, preview["roles"])
        preview |= describe_data(data)
        return preview | describe_systems(entry, data)
    except AssayError as error:
        if preview["roles"] is NO_ROLES:
            preview["roles"] = {**NO_ROLES, **(entry.record().get("roles") or find_roles_without_label(table))}
        return preview | {"error": phrase_for_page(write_error(error, entry), name_dataset(entry))}


def take_first_rows(frame: pl.DataFrame) -> list[list[str | None]]:
    """Return the first rows, with long cells shortened."""
    head = frame[:, :MAX_PREVIEW_COLUMNS].head(N_ROWS)
    return [[None if cell is None else cell[:MAX_CELL_LENGTH] for cell in row] for row in head.rows()]


def find_roles(table: Table, entry: Entry) -> dict[str, Any]:
    """Return the column of every role, as chosen or as recognised."""
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.recognition import recognise

    request = RoleRequest.make(**role_arguments(entry.record().get("roles")))
    recognised = recognise(Columns(table, name_dataset(entry)), request)
    others = {role: getattr(recognised.roles, role) for role in ROLES if role != "label"}
    texts = {"text": list(recognised.match.texts), "label": recognised.match.label}
    return {**texts, **others, "possible_group": recognised.roles.possible_group}


def find_roles_without_label(table: Table) -> dict[str, Any]:
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


def phrase_for_page(error: str, name: str) -> str:
    """Write an error about columns without the hints for a terminal, and with the name of the data.

    >>> phrase_for_page("frame: the label could be a or b. Name it with --label. Its columns: a, b.", "reviews")
    'reviews: the label could be a or b. Its columns: a, b.'
    """
    return re.sub(r"^frame( \+ frame)*\b", lambda _: name, re.sub(r" [A-Z][^.]* --[a-z]+\b[^.]*\.", "", error))


def read_frames(tables: dict[str, Table], roles: dict[str, Any]) -> Dataset:
    """Make the dataset from tables that are already read."""
    from assay.kinds import read

    frames: dict[str, Any] = {part: table.frame for part, table in tables.items()}
    source = frames.pop("", None)
    return read(source, **role_arguments(roles), **frames)


def describe_systems(entry: Entry, data: Dataset) -> dict[str, Any]:
    """Return the systems with predictions, and the number of datasets with scores."""
    values: dict[str, Any] = {}
    predictions = read_systems(entry, data)
    if predictions is not None:
        values |= {"systems": predictions.names[:1000], "n_answered": len(predictions)}
    scores = read_score_table(entry)
    return values if scores is None else values | {"n_datasets": len(scores.measurements)}


def describe_data(data: Dataset) -> dict[str, Any]:
    """Return the task, labels, parts and notes of the data."""
    from assay.kinds import kind_of

    labels = [] if data.labels is None else data.labels.drop_nulls().value_counts(sort=True).rows()
    parts = {} if data.parts is None else {name: int((data.parts == name).sum()) for name in data.part_names[:20]}
    return {
        "task": data.task,
        "paired": kind_of(data).is_paired(data),
        "labels": sorted(labels, key=lambda row: (-row[1], row[0]))[:MAX_LABELS],
        "n_labels": len(data.label_names),
        "parts": parts,
        "notes": [note for note in data.notes[2:] if "looks like groups" not in note],
    }
