"""The files of an audit as the other rooms take them, under the names their owner knows."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError
from assay.web.shelf import Entry

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.discrimination import ScoreTable
    from assay.evaluation import Predictions

ROLES = ("label", "id", "split", "time", "group")


def data_paths(entry: Entry) -> dict[str, Path]:
    """Return the data by part: one file under the empty name, or several whose names tell their parts."""
    from assay.data.columns.parts import find_part_in_path

    files = entry.files("data")
    if not files:
        raise AssayError("There is no data yet. Choose a data file.")
    if len(files) == 1:
        return {"": entry.path(files[0])}
    found: dict[str, Path] = {}
    for file in files:
        part = find_part_in_path(Path(re.sub(r"[/\\\0]", "-", file["name"])))
        if part is None or part in found:
            why = "tells no part" if part is None else f"is a second file for {part}"
            raise AssayError(
                f"Several data files must be named train, dev and test; '{file['name']}' {why}. Remove it."
            )
        found[part] = entry.path(file)
    return found


def read_data(entry: Entry) -> Dataset:
    """Read the data with the roles that were chosen."""
    from assay.kinds import read

    paths: dict[str, Any] = dict(data_paths(entry))
    source = paths.pop("", None)
    data = read(source, **asked(entry.about().get("roles")), **paths, encoding=encoding_of(entry))
    return replace(data, name=dataset_name(entry))


def encoding_of(entry: Entry) -> str:
    """Return the encoding of the data."""
    return str(entry.about().get("encoding") or "utf-8")


def asked(roles: dict[str, Any] | None) -> dict[str, Any]:
    """Return roles as `read` takes them: nothing asked, a column, or "none"."""
    if not roles:
        return {}
    return {"text": roles["text"], **{role: roles.get(role) or "none" for role in ROLES}}


def dataset_name(entry: Entry) -> str:
    """Name the data after its file, or its parts."""
    names = [file["name"].partition(".")[0] or file["name"] for file in entry.files("data")]
    return " + ".join(names[:3]) or "data"


def read_systems(entry: Entry, data: Dataset) -> Predictions | None:
    """Read the predictions; a system named after its file gets the name the file came with."""
    files = entry.files("predictions")
    if not files:
        return None
    from assay.evaluation import read_predictions

    found = read_predictions([entry.path(file) for file in files], data)
    return renamed(found, {stem(file["file"]): stem(file["name"]) for file in files})


def read_score_table(entry: Entry) -> ScoreTable | None:
    """Read the table of scores, where there is one."""
    files = entry.files("scores")
    if not files:
        return None
    from assay.discrimination import read_scores

    return read_scores(entry.path(files[0]))


def renamed(predictions: Predictions, names: dict[str, str]) -> Predictions:
    """Give systems other names, unless two would then have the same."""
    if len({spoken(name, names) for name in predictions.systems}) < len(predictions.systems):
        return predictions
    notes = tuple(spoken(note, names) for note in predictions.notes)
    return replace(predictions.rename_systems(lambda name: spoken(name, names)), notes=notes)


def stem(name: str) -> str:
    """Return a file's name as a system bears it.

    >>> stem("runs/my.model.tsv.gz"), stem("...")
    ('my.model', '...')
    """
    from assay.evaluation.predictions.tables import name_system

    bare = re.split(r"[/\\]", name.replace("\0", ""))[-1]
    return (name_system(bare) if bare.strip(".") else "") or bare or name


def said(error: BaseException, entry: Entry) -> str:
    """Write an error on one line, with files under the names they came with."""
    told = without_options(error) if isinstance(error, AssayError) else f"{type(error).__name__}: {error}"
    names = {str(entry.path(file)): file["name"] for file in entry.files()}
    names |= {entry.path(file).name: file["name"] for file in entry.files()}
    return spoken(" ".join(told.split())[:600], names)


def without_options(error: AssayError) -> str:
    """Write an error without the advice that names options, which a page has none of.

    >>> without_options(AssayError("no label", place="a.csv", hint="Name it with {label}. Its columns: x, y."))
    'a.csv: no label. Its columns: x, y.'
    """
    advice = [sentence for sentence in re.split(r"(?<=[.?!]) ", error.hint) if "{" not in sentence]
    told = str(AssayError(error.fact, place=error.place, option=error.option, hint=" ".join(advice)))
    return told if told.endswith((".", "?", "!")) else f"{told}."


def spoken(text: str, names: dict[str, str]) -> str:
    """Put other names into a text, all at once.

    >>> spoken("x, y", {"x": "y", "y": "z"})
    'y, z'
    """
    if not names:
        return text
    return re.sub("|".join(map(re.escape, sorted(names, key=len, reverse=True))), lambda found: names[found[0]], text)
