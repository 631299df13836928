"""A first look at the data: its columns, what they were taken for, and the first rows."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.web.shelf import Entry
from assay.web.sources import ROLES, asked, data_paths, dataset_name, encoding_of, read_score_table, read_systems, said

if TYPE_CHECKING:
    import polars as pl

    from assay.data import Dataset
    from assay.data.columns.table import Table

NO_ROLES: dict[str, Any] = {"text": [], **dict.fromkeys(ROLES), "group_seen": None}
# What a look may see; where the file cannot be read, or the roles are wrong, it sees less.
NOTHING: dict[str, Any] = dict.fromkeys(("n_columns", "n_rows", "n_labels", "n_answered", "n_datasets"), 0)
NOTHING |= {"columns": [], "rows": [], "labels": [], "notes": [], "systems": [], "parts": {}}
NOTHING |= {"roles": NO_ROLES, "task": None, "error": None, "likely": None}
N_ROWS = 5
MOST_COLUMNS = 2000
MOST_SHOWN = 40
MOST_LABELS = 12
MOST_TEXT = 240


def look(entry: Entry) -> dict[str, Any]:
    """Return columns, roles, rows and notes; where the file or the roles are wrong, the error in one line."""
    from assay.data.readers.files import join_parts, read_file

    try:
        tables = {part: read_file(path, encoding=encoding_of(entry)) for part, path in data_paths(entry).items()}
        table = join_parts(tables)[0]
    except AssayError as error:
        told = for_the_page(said(error, entry), dataset_name(entry))
        return {**NOTHING, "error": told, "likely": getattr(error, "guess", None)}
    seen = {**NOTHING, "columns": table.frame.columns[:MOST_COLUMNS], "n_rows": len(table.frame)}
    seen |= {"n_columns": table.frame.width, "rows": first_rows(table.frame)}
    try:
        seen["roles"] = roles_of(table, entry)
        data = read_frames(tables, seen["roles"])
        seen |= told_of(data)
        return seen | systems_of(entry, data)
    except AssayError as error:
        if seen["roles"] is NO_ROLES:
            seen["roles"] = {**NO_ROLES, **(entry.about().get("roles") or without_label(table))}
        return seen | {"error": for_the_page(said(error, entry), dataset_name(entry))}


def first_rows(frame: pl.DataFrame) -> list[list[str | None]]:
    """Return the first rows, cells cut short."""
    cut = frame[:, :MOST_SHOWN].head(N_ROWS)
    return [[None if cell is None else cell[:MOST_TEXT] for cell in row] for row in cut.rows()]


def roles_of(table: Table, entry: Entry) -> dict[str, Any]:
    """Return the column of every role, as chosen or by the usual names."""
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.recognition import recognise

    found = recognise(Columns(table, dataset_name(entry)), RoleRequest.make(**asked(entry.about().get("roles"))))
    others = {role: getattr(found.roles, role) for role in ROLES if role != "label"}
    texts = {"text": list(found.match.texts), "label": found.match.label}
    return {**texts, **others, "group_seen": found.roles.possible_group}


def without_label(table: Table) -> dict[str, Any]:
    """Return the roles that can be found where only the label is in doubt."""
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.recognition import recognise

    try:
        found = recognise(Columns(table, ""), RoleRequest.make(label="none"))
    except AssayError:
        return {}
    roles = found.roles
    return {"text": list(found.match.texts), "id": roles.id, "split": roles.split, "time": roles.time}


def for_the_page(error: str, name: str) -> str:
    """Write an error about columns without the advice for a terminal, and with the name of the data.

    >>> for_the_page("frame: the label could be a or b. Name it with --label. Its columns: a, b.", "reviews")
    'reviews: the label could be a or b. Its columns: a, b.'
    """
    return re.sub(r"^frame( \+ frame)*\b", lambda _: name, re.sub(r" [A-Z][^.]* --[a-z]+\b[^.]*\.", "", error))


def read_frames(tables: dict[str, Table], roles: dict[str, Any]) -> Dataset:
    """Make the dataset from tables that are read already."""
    from assay.kinds import read

    frames: dict[str, Any] = {part: table.frame for part, table in tables.items()}
    source = frames.pop("", None)
    return read(source, **asked(roles), **frames)


def systems_of(entry: Entry, data: Dataset) -> dict[str, Any]:
    """Return whose predictions and scores were given."""
    found: dict[str, Any] = {}
    predictions = read_systems(entry, data)
    if predictions is not None:
        found |= {"systems": predictions.names[:1000], "n_answered": len(predictions)}
    scores = read_score_table(entry)
    return found if scores is None else found | {"n_datasets": len(scores.measurements)}


def told_of(data: Dataset) -> dict[str, Any]:
    """Return what the roles make of the data."""
    from assay.kinds import kind_of

    labels = [] if data.labels is None else data.labels.drop_nulls().value_counts(sort=True).rows()
    parts = {} if data.parts is None else {name: int((data.parts == name).sum()) for name in data.part_names[:20]}
    return {
        "task": data.task,
        "paired": kind_of(data).is_paired(data),
        "labels": sorted(labels, key=lambda row: (-row[1], row[0]))[:MOST_LABELS],
        "n_labels": len(data.label_names),
        "parts": parts,
        "notes": [note for note in data.notes[2:] if "looks like groups" not in note],
    }
