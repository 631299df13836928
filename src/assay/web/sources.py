"""The uploaded files of an audit as the readers take them, under the names their owner knows."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.web.store import Entry

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.discrimination import ScoreTable
    from assay.evaluation import Predictions

ROLES = ("label", "id", "split", "time", "group")


def find_data_files(entry: Entry) -> dict[str, Path]:
    """Return the data files by part: one file under the empty name, or several whose names contain their parts."""
    from assay.data.columns.parts import find_part_in_path

    files = entry.files("data")
    if not files:
        raise AssayError("There is no data yet.", hint="Choose a data file.")
    if len(files) == 1:
        return {"": entry.path(files[0])}
    paths: dict[str, Path] = {}
    for file in files:
        part = find_part_in_path(Path(re.sub(r"[/\\\0]", "-", file["name"])))
        if part is None or part in paths:
            problem = "names no part" if part is None else f"is a second file for {part}"
            fact = f"Several data files must be named train, dev and test; '{file['name']}' {problem}."
            raise AssayError(fact, hint="Remove it.")
        paths[part] = entry.path(file)
    return paths


def read_data(entry: Entry) -> Dataset:
    """Read the data with the chosen roles."""
    from assay.kinds import read

    paths: dict[str, Any] = dict(find_data_files(entry))
    source = paths.pop("", None)
    data = read(source, **role_arguments(entry.record().get("roles")), **paths, encoding=get_encoding(entry))
    return replace(data, name=name_dataset(entry))


def get_encoding(entry: Entry) -> str:
    """Return the encoding of the data."""
    return str(entry.record().get("encoding") or "utf-8")


def role_arguments(roles: dict[str, Any] | None) -> dict[str, Any]:
    """Return roles as arguments of `read`: none, where nothing is chosen, or a column or "none" for each role."""
    if not roles:
        return {}
    return {"text": roles["text"], **{role: roles.get(role) or "none" for role in ROLES}}


def name_dataset(entry: Entry) -> str:
    """Name the data after its file, or after the files of its parts."""
    names = [file["name"].partition(".")[0] or file["name"] for file in entry.files("data")]
    return " + ".join(names[:3]) or "data"


def read_systems(entry: Entry, data: Dataset) -> Predictions | None:
    """Read the predictions; a system that is named after its file gets the file's original name."""
    files = entry.files("predictions")
    if not files:
        return None
    from assay.evaluation import read_predictions

    predictions = read_predictions([entry.path(file) for file in files], data)
    return rename_systems(
        predictions, {file_system_name(file["file"]): file_system_name(file["name"]) for file in files}
    )


def read_score_table(entry: Entry) -> ScoreTable | None:
    """Read the table of scores, if there is one."""
    files = entry.files("scores")
    if not files:
        return None
    from assay.discrimination import read_scores

    return read_scores(entry.path(files[0]))


def rename_systems(predictions: Predictions, names: dict[str, str]) -> Predictions:
    """Give systems other names, unless two would then have the same."""
    if len({replace_names(name, names) for name in predictions.systems}) < len(predictions.systems):
        return predictions
    notes = tuple(replace_names(note, names) for note in predictions.notes)
    return replace(predictions.rename_systems(lambda name: replace_names(name, names)), notes=notes)


def file_system_name(name: str) -> str:
    """Return the name that a system gets from its file.

    >>> file_system_name("runs/my.model.tsv.gz"), file_system_name("...")
    ('my.model', '...')
    """
    from assay.evaluation.predictions.tables import name_system

    bare = re.split(r"[/\\]", name.replace("\0", ""))[-1]
    return (name_system(bare) if bare.strip(".") else "") or bare or name


def write_error(error: BaseException, entry: Entry) -> str:
    """Write an error on one line, with files under their original names."""
    message = write_without_options(error) if isinstance(error, AssayError) else f"{type(error).__name__}: {error}"
    names = {str(entry.path(file)): file["name"] for file in entry.files()}
    names |= {entry.path(file).name: file["name"] for file in entry.files()}
    return replace_names(" ".join(message.split())[:600], names)


def write_without_options(error: AssayError) -> str:
    """Write an error without hints that name options, which the page does not have.

    >>> write_without_options(AssayError("no label", place="a.csv", hint="Name it with {label}. Its columns: x, y."))
    'a.csv: no label. Its columns: x, y.'
    """
    hints = [sentence for sentence in re.split(r"(?<=[.?!]) ", error.hint) if "{" not in sentence]
    message = str(AssayError(error.fact, place=error.place, option=error.option, hint=" ".join(hints)))
    return message if message.endswith((".", "?", "!")) else f"{message}."


def replace_names(text: str, names: dict[str, str]) -> str:
    """Replace names in a text, all at once.

    >>> replace_names("x, y", {"x": "y", "y": "z"})
    'y, z'
    """
    if not names:
        return text
    pattern = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    return re.sub(pattern, lambda match: names[match[0]], text)
