"""The uploaded files of an audit as the readers take them, under the names their owner knows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.base.errors import AssayError, UsageError, describe_bug
from assay.system.files import copy_file
from assay.system.json import JsonObject
from assay.web.store import Version

if TYPE_CHECKING:
    from assay.data import Dataset
    from assay.discrimination import ScoreTable
    from assay.evaluation import Predictions
    from assay.judges import Verdicts

_SLASH, _NO_NAME = re.compile(r"[/\\]"), re.compile(r"[/\\\0]")
_UNSAFE = re.compile(r"[^A-Za-z0-9._=,+-]+")
_SENTENCE_END = re.compile(r"(?<=[.?!]) ")

MAX_SAFE_NAME = 120
MAX_DEPTH = 8  # folders of a dropped folder
ROLES = ("label", "id", "split", "time", "group")


def find_data_files(version: Version) -> dict[str, Path]:
    """Return the data files by part: one file, or the folder of a collection, under the empty name, or several files.

    The names of several files contain their parts.
    """
    from assay.data.columns.parts import find_part_in_path
    from assay.kinds.retrieval.files import is_collection

    files = version.files("data")
    if not files and version.files("logs"):
        return {"": link_files(version, "logs")}
    if not files:
        other = ", or change what a file was recognised as" if version.files() else ""
        raise AssayError("There is no data yet.", hint=f"Choose a data file{other}.")
    if len(files) == 1:
        return {"": version.path(files[0])}
    if is_collection([_SLASH.split(file["name"])[-1] for file in files]):
        return {"": link_files(version, "data", version.folder / "collection")}
    paths: dict[str, Path] = {}
    for file in files:
        part = find_part_in_path(Path(_NO_NAME.sub("-", file["name"])))
        if part is None or part in paths:
            problem = "names no part" if part is None else f"is a second file for {part}"
            fact = f"Several data files must be named train, dev and test; '{file['name']}' {problem}."
            raise AssayError(fact, hint="Remove it, or change what it was recognised as.")
        paths[part] = version.path(file)
    return paths


def has_data(version: Version) -> bool:
    """Return whether there are items to audit, and not only predictions, scores, votes or verdicts."""
    return bool(version.files("data", "logs")) or not version.files("predictions", "scores", "votes", "verdicts")


def read_data(version: Version) -> Dataset:
    """Read the data with the chosen roles."""
    from assay.kinds import read

    paths: dict[str, Any] = dict(find_data_files(version))
    source = paths.pop("", None)
    record = version.record()
    data = read(
        source,
        **role_arguments(record.get("roles")),
        **paths,
        task=record.get("task") or "auto",
        encoding=get_encoding(version),
        log_task=None if version.files("data") else record.get("log_task"),
    )
    return replace(data, name=name_dataset(version))


def list_log_tasks(version: Version) -> list[str]:
    """Return the tasks in logs that are the data; none if there is only one."""
    if version.files("data") or not version.files("logs"):
        return []
    from assay.logs import has_logs, list_tasks, read_logs

    folder = link_files(version, "logs")
    tasks = list(list_tasks(read_logs(folder))) if has_logs(folder) else []
    return tasks if len(tasks) > 1 else []


def link_files(version: Version, kind: str, folder: Path | None = None) -> Path:
    """Return a folder with the files of one kind under safe forms of their names, by which readers know logs."""
    target = version.folder / kind if folder is None else folder
    target.mkdir(exist_ok=True, mode=0o700)
    files = make_safe_paths(version.files(kind))
    for link in [path for path in target.rglob("*") if path.is_file()]:  # also of removed files
        known = files.get(link.relative_to(target).as_posix())
        if known is None or not link.samefile(version.path(known)):
            link.unlink()
    for name, file in files.items():
        if not (target / name).exists():
            (target / name).parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            try:
                (target / name).hardlink_to(version.path(file))
            except OSError:
                copy_file(version.path(file), target / name)
    return target


def make_safe_names(files: Sequence[JsonObject]) -> dict[str, JsonObject]:
    """Return each file under a name of letters, digits, dots, dashes and underscores; all names differ.

    >>> list(make_safe_names([{"name": "../my model.tsv"}, {"name": "my model.tsv"}, {"name": "..."}]))
    ['my-model.tsv', 'my-model-2.tsv', 'file']
    """
    names: dict[str, dict[str, Any]] = {}
    for file in files:
        base = _SLASH.split(str(file["name"]))[-1]
        name = _UNSAFE.sub("-", base).strip(".-")[-MAX_SAFE_NAME:].lstrip(".-") or "file"
        stem, dot, suffix = name.partition(".")
        unique, number = name, 2
        while unique in names:
            unique, number = f"{stem}-{number}{dot}{suffix}", number + 1
        names[unique] = file
    return names


def make_safe_paths(files: Sequence[JsonObject]) -> dict[str, JsonObject]:
    """Return each file under a path of safe names: files that were in one folder still are, as runs need it.

    >>> list(make_safe_paths([{"name": "a b/../run 1/x.json"}, {"name": "run 1/x.json"}, {"name": "/x.json"}]))
    ['a-b/run-1/x.json', 'run-1/x.json', 'x.json']
    """
    folders: dict[str, list[JsonObject]] = {}
    for file in files:
        *parents, _ = _SLASH.split(str(file["name"]))
        safe = [name for parent in parents if (name := _UNSAFE.sub("-", parent).strip(".-")[:MAX_SAFE_NAME])]
        folders.setdefault("".join(f"{name}/" for name in safe[-MAX_DEPTH:]), []).append(file)
    return {
        f"{folder}{name}": file for folder, inside in folders.items() for name, file in make_safe_names(inside).items()
    }


def get_encoding(version: Version) -> str:
    """Return the encoding of the data."""
    return str(version.record().get("encoding") or "utf-8")


def role_arguments(roles: JsonObject | None) -> JsonObject:
    """Return roles as arguments of `read`: none, if nothing is chosen, or a column or "none" for each role."""
    if not roles:
        return {}
    return {"text": roles["text"], **{role: roles.get(role) or "none" for role in ROLES}}


def name_dataset(version: Version) -> str:
    """Name the data as the user does, or after its file, or after the files of its parts."""
    record = version.record()
    return str(record.get("dataset") or "") or propose_name(version)


def propose_name(version: Version) -> str:
    """Return a name for the dataset, from the names of its files."""
    files = version.files("data") or version.files("logs", "scores", "votes", "verdicts") or version.files()
    names = [_SLASH.split(file["name"])[-1] for file in files]
    stems = list(dict.fromkeys(name.partition(".")[0] or name for name in names))
    return " + ".join(stems[:3]) or "data"


def read_systems(version: Version, data: Dataset | None) -> Predictions | None:
    """Read the predictions; a system that is named after its file gets the file's original name."""
    files = version.files("predictions")
    sources: list[Any] = [version.path(file) for file in files]
    if version.files("logs") and version.files("data"):
        sources.append(link_files(version, "logs"))
    if not sources:
        return None
    from assay.evaluation import read_predictions

    predictions = read_predictions(sources, data)
    return rename_systems(
        predictions, {file_system_name(file["file"]): file_system_name(file["name"]) for file in files}
    )


def read_score_table(version: Version) -> ScoreTable | None:
    """Read the table of scores, if there is one."""
    files = version.files("scores")
    if not files:
        return None
    from assay.discrimination import read_scores

    return read_scores(version.path(files[0]))


def find_table(version: Version, kind: str) -> Path | None:
    """Return the path of the table of votes or verdicts, if there is one."""
    files = version.files(kind)
    return version.path(files[0]) if files else None


def read_verdict_tables(version: Version) -> Verdicts | None:
    """Read the verdicts of judges; a second table of the same judges has the answers in the opposite order."""
    files = sorted(version.files("verdicts"), key=lambda file: str(file["name"]))
    if not files:
        return None
    from assay.judges import read_verdicts

    first, *others = [read_verdicts(version.path(file)) for file in files]
    if not others:
        return first
    if len(others) > 1 or others[0].judges != first.judges:
        raise UsageError(
            f"{files[0]['name']} and {files[1]['name']} are not verdicts of the same judges.",
            hint="Give one table of all judges, or two that show the answers in both orders.",
        )
    return read_verdicts(version.path(files[0]), swapped=version.path(files[1]))


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

    bare = _SLASH.split(name.replace("\0", ""))[-1]
    return (name_system(bare) if bare.strip(".") else "") or bare or name


def write_error(error: BaseException, version: Version) -> str:
    """Write an error on one line, with files under their original names."""
    message = write_without_options(error) if isinstance(error, AssayError) else describe_bug(error)
    names = {str(version.path(file)): file["name"] for file in version.files()}
    names |= {file["file"]: file["name"] for file in version.files()}
    names |= {file_system_name(file["file"]): file_system_name(file["name"]) for file in version.files()}
    return replace_names(" ".join(message.split())[:600], names)


def write_without_options(error: AssayError) -> str:
    """Write an error without hints that name options, which the page does not have.

    >>> write_without_options(AssayError("no label", place="a.csv", hint="Name it with {label}. Its columns: x, y."))
    'a.csv: no label. Its columns: x, y.'
    """
    hints = [sentence for sentence in _SENTENCE_END.split(error.hint) if "{" not in sentence]
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
