"""Recognition of inputs: data, logs, predictions, scores, votes, verdicts or responses. Only this module decides it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from enum import StrEnum
from glob import has_magic
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.data.columns.table import RawTable
from assay.inputs.response_columns import has_response_columns
from assay.inputs.verdict_columns import ROLE_NAMES, has_wide_verdicts
from assay.inputs.vote_columns import has_vote_columns

MAX_NAME_WORDS = 5  # of a system, on average
HEAD_ROWS = 1000  # of a table in memory
ID_NAMES = {"id", "ids"}
PREDICTED_NAMES = {"predicted", "prediction"}


class InputKind(StrEnum):
    """A kind of input. A class of inputs has its kind as the attribute `input_kind`."""

    DATA = "data"
    LOGS = "logs"
    PREDICTIONS = "predictions"
    SCORES = "scores"
    VOTES = "votes"
    VERDICTS = "verdicts"
    RESPONSES = "responses"


def recognize(source: Any, *, encoding: str = "utf-8", winner: str | None = None) -> InputKind:
    """Return what a path, a frame or another object is; whatever is not recognised as anything else is data.

    A file is recognised by its name, its first bytes and its columns; only the first rows are read. A list of paths is
    what its files are. `winner` names the column of the winner if the source may be votes.

    >>> recognize({"text": ["a"], "label": ["b"]}), recognize({"model_a": ["x"], "model_b": ["y"], "winner": ["tie"]})
    (<InputKind.DATA: 'data'>, <InputKind.VOTES: 'votes'>)
    """
    from assay.data.readers.memory import are_paths, are_tables, convert_object, take_head

    known = getattr(type(source), "input_kind", None)
    if known is not None:
        return InputKind(known)
    if isinstance(source, (str, Path)):
        return _recognize_path(source, encoding, winner)
    if are_paths(source):
        kinds = {_recognize_path(path, encoding, winner) for path in source}
        return kinds.pop() if len(kinds) == 1 else InputKind.LOGS if InputKind.LOGS in kinds else InputKind.DATA
    head = None if are_tables(source) else take_head(source, HEAD_ROWS)
    if head is None:
        return InputKind.DATA
    try:
        return recognize_table(convert_object(head)[""], winner=winner)
    except AssayError:
        return InputKind.DATA  # whose reader says what is wrong


def recognize_table(table: RawTable, *, winner: str | None = None, name: str = "") -> InputKind:
    """Return what a table is, by its columns and cells; `name`, that of its file, counts where those leave it open.

    >>> import polars as pl
    >>> from assay.data.columns.table import RawTable
    >>> tables = [{"text": ["a"], "label": ["b"]}, {"id": ["1"], "predicted": ["b"]}, {"model": ["m"], "MMLU": ["70.1"]}]
    >>> [recognize_table(RawTable(pl.DataFrame(columns))).value for columns in tables]
    ['data', 'predictions', 'scores']
    """
    if has_vote_columns(table.frame.columns, winner=winner) and not _holds_responses(table):
        return InputKind.VOTES
    kind = next((kind for kind, has_form in _TABLE_FORMS if has_form(table)), InputKind.DATA)
    has_columns_of_systems = kind is InputKind.PREDICTIONS and not _has_predictions(table)
    return InputKind.VERDICTS if has_columns_of_systems and has_wide_verdicts(table.frame, name) else kind


def _recognize_path(source: str | Path, encoding: str, winner: str | None) -> InputKind:
    from assay.data.readers.files import find_files, read_head
    from assay.kinds.retrieval.files import is_run
    from assay.logs import has_logs

    try:
        if not os.path.exists(source) and not has_magic(str(source)):  # noqa: PTH110, False for impossible names
            return InputKind.DATA  # a name on a hub, an address, or an error
        if has_logs(source):
            return InputKind.LOGS
        if Path(source).is_dir():
            return InputKind.DATA
        files = [file for group in find_files(source)[0].values() for file in group]
        if is_run(files[0]):
            return InputKind.PREDICTIONS
        return recognize_table(read_head(files[0], encoding=encoding), winner=winner, name=files[0].name)
    except (AssayError, OSError, ValueError):
        return InputKind.DATA  # whose reader says what is wrong


def _holds_responses(table: RawTable) -> bool:
    """Return True if the columns left and right hold texts, as in preference data, and not names of systems."""
    sides = [name for name in table.frame.columns if name.strip().lower() in ("left", "right")]
    cells = [cell for name in sides for cell in table.frame[name].head(HEAD_ROWS).drop_nulls().to_list()]
    return bool(cells) and sum(len(cell.split()) for cell in cells) > MAX_NAME_WORDS * len(cells)


def _has_verdicts(table: RawTable) -> bool:
    """Return True if there are columns for a judge and its verdict, and no labelled texts."""
    names = {name.lower() for name in table.frame.columns}
    has_labels = {"text", "label"} <= names
    return bool(names & set(ROLE_NAMES["judge"])) and bool(names & set(ROLE_NAMES["verdict"])) and not has_labels


def _has_predictions(table: RawTable) -> bool:
    return bool({name.lower() for name in table.frame.columns} & PREDICTED_NAMES)


def _has_texts(table: RawTable) -> bool:
    """Return True if the columns of the texts are recognised, whatever the label is."""
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.recognition import recognise
    from assay.kinds.tagging.token_tables import group_tokens

    table = group_tokens(table, ())
    options: tuple[Mapping[str, str], ...] = ({}, {"label": "none"})
    for option in options:
        try:
            recognise(Columns(table, ""), RoleRequest.make(**option))
        except AssayError:
            continue
        return True
    return False


def _has_scores(table: RawTable) -> bool:
    """Return True if a column names systems and others hold their scores; with ids, each system must be in one row."""
    from assay.inputs.score_columns import expand_objects, find_system_column, list_score_columns

    frame = expand_objects(table)
    system = find_system_column(frame.columns)
    has_ids = bool(ID_NAMES & {name.lower() for name in frame.columns})
    if system is None or (has_ids and (frame.height < 2 or frame[system].is_duplicated().any())):
        return False
    return bool(list_score_columns(frame, [name for name in frame.columns if name != system]))


def _has_answers(table: RawTable) -> bool:
    """Return True if there are ids and other columns, one per system."""
    return bool({name.lower() for name in table.frame.columns} & ID_NAMES) and table.frame.width > 1


# The first form that fits decides. A further kind of input is a member of `InputKind` and a line here.
_TABLE_FORMS: tuple[tuple[InputKind, Callable[[RawTable], bool]], ...] = (
    (InputKind.VERDICTS, _has_verdicts),
    (InputKind.RESPONSES, lambda table: has_response_columns(table.frame.columns)),
    (InputKind.PREDICTIONS, _has_predictions),
    (InputKind.DATA, _has_texts),
    (InputKind.SCORES, _has_scores),
    (InputKind.PREDICTIONS, _has_answers),
)
