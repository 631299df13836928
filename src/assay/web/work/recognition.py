"""What an uploaded file is: data, predictions, scores, votes, verdicts or logs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.base.files import make_temporary_folder
from assay.web.work.sources import get_encoding, make_safe_names

if TYPE_CHECKING:
    from assay.data.columns.table import RawTable
    from assay.web.store import Version

PREDICTION_NAMES = {"predicted", "prediction"}


def recognise_files(version: Version) -> dict[str, str]:
    """Return the kind of every file that was not yet recognised, by its name on disk."""
    waiting = version.files("auto")
    kinds = {file["file"]: recognise_file(version, file) for file in waiting}
    if "logs" in kinds.values():  # the results next to the samples of a harness
        for file in waiting:
            if file["name"].rpartition("/")[2].startswith("results_") and file["name"].endswith(".json"):
                kinds[file["file"]] = "logs"
    return kinds


def recognise_file(version: Version, file: dict[str, Any]) -> str:
    """Return the kind of one file, by its name, its columns and its first bytes; data where nothing else fits."""
    from assay.data.readers.files import read_file
    from assay.kinds.retrieval.files import is_run

    if is_log_file(version.path(file), file):
        return "logs"
    if is_run(version.path(file)):
        return "predictions"
    try:
        table = read_file(version.path(file), encoding=get_encoding(version))
    except AssayError:
        return "data"  # whose preview says what is wrong
    return recognise_table(table)


def is_log_file(path: Path, file: dict[str, Any]) -> bool:
    """Return whether a harness wrote a file; readers of logs go by the name of the file too."""
    from assay.logs import has_logs

    with make_temporary_folder(path.parent) as folder:
        link = folder / next(iter(make_safe_names([file])))
        try:
            link.hardlink_to(path)
        except OSError:
            link = path
        return has_logs(link)


def recognise_table(table: RawTable) -> str:
    """Return the kind of a table by its columns.

    >>> import polars as pl
    >>> from assay.data.columns.table import RawTable
    >>> tables = [{"text": ["a"], "label": ["b"]}, {"id": ["1"], "predicted": ["b"]}, {"model": ["m"], "MMLU": ["70.1"]}]
    >>> [recognise_table(RawTable(pl.DataFrame(columns))) for columns in tables]
    ['data', 'predictions', 'scores']
    """
    from assay.votes.tables import has_vote_columns

    names = {name.lower() for name in table.frame.columns}
    if has_verdicts(names):
        return "verdicts"
    if has_vote_columns(table.frame.columns):
        return "votes"
    if names & PREDICTION_NAMES:
        return "predictions"
    if has_texts(table):
        return "data"
    if has_scores(table):
        return "scores"
    return "predictions" if names & {"id", "ids"} and table.frame.width > 1 else "data"


def has_verdicts(names: set[str]) -> bool:
    """Return whether there are columns for a judge and its verdict."""
    from assay.judges.columns import ROLE_NAMES

    return bool(names & set(ROLE_NAMES["judge"])) and bool(names & set(ROLE_NAMES["verdict"]))


def has_texts(table: RawTable) -> bool:
    """Return whether the columns of the texts are recognised, whatever the label."""
    from assay.data.columns.lookup import Columns
    from assay.data.columns.roles import RoleRequest
    from assay.kinds.recognition import recognise

    for options in ({}, {"label": "none"}):
        try:
            recognise(Columns(table, ""), RoleRequest.make(**options))
        except AssayError:
            continue
        return True
    return False


def has_scores(table: RawTable) -> bool:
    """Return whether a column names systems, and others hold their scores."""
    from assay.discrimination.leaderboards import find_system_column, is_score_column

    frame = table.frame
    system = find_system_column(frame.columns)
    others: Sequence[str] = [name for name in frame.columns if name != system]
    has_items = {"id", "ids"} & {name.lower() for name in frame.columns}
    return system is not None and not has_items and any(is_score_column(name, frame[name]) for name in others)
