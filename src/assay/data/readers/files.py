"""Files, folders and globs: which files belong to which part, and the tables they hold."""

from __future__ import annotations

import difflib
import glob
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

import polars as pl

from assay.base.errors import AssayError, MissingFileError, join_names
from assay.data.columns.parts import find_part_in_path, normalise_part, sort_parts
from assay.data.columns.table import EmptyTableError, RawTable, check_column_count, list_names
from assay.data.left_out import LeftOut
from assay.data.readers.compression import read_content
from assay.data.readers.encoding import to_utf8
from assay.data.readers.formats import describe_readable, detect_format, get_format_suffix, is_data_file
from assay.data.readers.label_files import find_label_file, join_label_file, list_unused_labels
from assay.system.json import read_json
from assay.system.links import check_links, check_relative, get_fixed_folder

# What Hugging Face and others keep next to the data.
_NOT_DATA = {
    "dataset_info.json",
    "dataset_infos.json",
    "dataset_dict.json",
    "state.json",
    "metadata.json",
    "requirements.txt",
}
Groups = dict[str, list[Path]]  # the files of each part
HEAD_BYTES = 1 << 18


@dataclass(frozen=True, eq=False)
class PartTables:
    """Tables that were read from files already, by part; a source of data like the files."""

    name: str
    tables: dict[str, RawTable]


def read_table(path: str | Path, *, encoding: str = "utf-8", quoting: str = "auto") -> pl.DataFrame:
    """Read a file, a folder or a glob of shards into a frame whose columns are all text."""
    return join_parts(read_parts(path, encoding=encoding, quoting=quoting))[0].frame


def read_file(path: Path, *, encoding: str = "utf-8", quoting: str = "auto") -> RawTable:
    """Read one file; raise if it has no rows."""
    if not path.exists():
        raise missing_file(path)
    content = read_content(path)
    file_format = detect_format(content, path)
    if file_format.is_text:
        content = to_utf8(content, encoding, path)
    table = file_format.read(content, path, quoting=quoting)
    check_column_count(table.frame.width, path)
    if not len(table.frame):
        names = list_names(table.frame.columns)
        fact = f"the file has a header ({names}) and no rows" if names else "the file is empty"
        raise EmptyTableError(fact, place=path)
    return table


def read_head(path: Path, *, encoding: str = "utf-8") -> RawTable:
    """Read the first rows of a file, enough to see what its columns are; all rows if they cannot be read alone."""
    content = read_content(path, HEAD_BYTES + 1)
    file_format = detect_format(content, path)
    end = content[:HEAD_BYTES].to_pybytes().rfind(b"\n") if len(content) > HEAD_BYTES else -1
    if not file_format.is_text or end <= 0:
        return read_file(path, encoding=encoding)
    try:
        return file_format.read(to_utf8(content[: end + 1], encoding, path), path)
    except AssayError:  # a JSON document, or a cell of several lines that is cut
        return read_file(path, encoding=encoding)


def group_paths(paths: Sequence[str | Path]) -> Groups:
    """Return files by the part that their names mention; under the empty name if none mentions one."""
    groups: Groups = {}
    for path in map(Path, paths):
        if not path.exists():
            raise missing_file(path)
        groups.setdefault(find_part_in_path(path) or "", []).append(path)
    if "" in groups and len(groups) > 1:
        hint = "Name every file after its part: train, dev or test."
        raise AssayError("the name mentions no part, and those of other files do", place=groups[""][0], hint=hint)
    return _sort_groups(groups)


def read_parts(
    source: str | Path, *, encoding: str = "utf-8", quoting: str = "auto", with_labels: bool = False
) -> dict[str, RawTable]:
    """Read a file, a folder or a glob into its parts; what has no part is under the empty name.

    With `with_labels`, files of labels next to the files of data are joined with them.
    """
    form: dict[str, Any] = {"encoding": encoding, "quoting": quoting, "with_labels": with_labels}
    try:
        groups, skipped = find_files(source)
        tables = {part: read_shards(files, **form) for part, files in groups.items()}
        if with_labels and Path(source).is_dir():
            counts = [len(table.frame) for table in tables.values()]
            skipped += list_unused_labels(Path(source), list(chain.from_iterable(groups.values())), counts)
    except AssayError:
        raise
    except (OSError, ValueError) as error:  # a name too long, a null in it, a disk that fails
        reason = getattr(error, "strerror", None) or str(error)
        raise AssayError(f"this cannot be read: {reason}", place=str(source)[:80]) from error
    first = next(iter(tables))
    tables[first] = _add_skipped(tables[first], skipped)
    return tables


def missing_file(path: Path) -> MissingFileError:
    """Return the error for a path that does not exist, with the closest one that does."""
    try:
        siblings = [sibling.name for sibling in path.parent.iterdir()] if path.parent.is_dir() else []
    except OSError:
        siblings = []
    close = difflib.get_close_matches(path.name, siblings, n=1, cutoff=0.75)
    hint = f"Did you mean '{path.parent / close[0]}'?" if close else ""
    if not path.parent.is_dir():
        hint = f"There is no folder {path.parent}."
    return MissingFileError("there is no such file or folder", place=path, hint=hint)


def find_files(source: str | Path) -> tuple[Groups, tuple[LeftOut, ...]]:
    """Return the files of every part, in order, and what was skipped."""
    path = Path(source)
    if path.is_dir():
        return _find_in_folder(path)
    if path.exists() or not glob.has_magic(str(source)):
        return {"": [path]}, ()
    matches = sorted(Path(name) for name in glob.glob(str(source), recursive=True))  # noqa: PTH207, absolute patterns
    files = [file for file in matches if file.is_file()]
    if not files:
        raise MissingFileError("no file matches", place=source)
    check_links(files, get_fixed_folder(path))
    return _group_by_part(files, path)


def merge_by_part(tables: Iterable[tuple[str, RawTable]]) -> dict[str, RawTable]:
    """Join tables whose names mean the same part: validation_matched and validation_mismatched are both dev."""
    groups: dict[str, list[RawTable]] = {}
    for name, table in tables:
        groups.setdefault(normalise_part(name), []).append(table)
    return {part: concatenate_tables(groups[part]) for part in sort_parts(groups)}


def join_parts(parts: dict[str, RawTable]) -> tuple[RawTable, pl.Series | None]:
    """Put parts one below the other; return the table and the part of every row, or None without parts."""
    table = concatenate_tables(parts.values())
    if list(parts) == [""]:
        return table, None
    names = [pl.repeat(part or None, len(each.frame), dtype=pl.String, eager=True) for part, each in parts.items()]
    return table, pl.concat(names).alias("part")


def read_shards(
    files: Sequence[Path], *, encoding: str = "utf-8", quoting: str = "auto", with_labels: bool = False
) -> RawTable:
    """Read the files of one part; empty ones are skipped, unless all are."""
    shards, empty = {}, []
    for file in files:
        try:
            table = read_file(file, encoding=encoding, quoting=quoting)
            shards[file] = join_label_file(table, file, encoding) if with_labels else table
        except EmptyTableError as error:
            empty.append(file.name)
            if len(empty) == len(files):
                raise AssayError(error.fact, place=error.place) from None
    _check_same_columns(shards)
    table = concatenate_tables(shards.values())
    skipped = (LeftOut("files", len(empty), f"they have no rows: {join_names(empty)}"),) if empty else ()
    return _add_skipped(table, skipped)


def _add_skipped(table: RawTable, skipped: tuple[LeftOut, ...]) -> RawTable:
    notes = tuple(f"skipped, as {entry.reason}" for entry in skipped)
    return replace(table, notes=(*notes, *table.notes), left_out=(*skipped, *table.left_out))


def _check_same_columns(shards: dict[Path, RawTable]) -> None:
    (first, table), *others = shards.items()
    for file, other in others:
        different = sorted(set(other.frame.columns) ^ set(table.frame.columns))
        if different:
            fact = f"its columns differ from those of {first.name} ({join_names(different)})"
            raise AssayError(fact, place=file, hint="Shards must have the same columns.")


def concatenate_tables(tables: Iterable[RawTable]) -> RawTable:
    """Put tables one below the other."""
    tables = list(tables)
    if len(tables) == 1:
        return tables[0]
    frame = pl.concat([table.frame for table in tables], how="diagonal")
    nested = {name: content for table in tables for name, content in table.nested.items()}
    attachments = {name: attached for table in tables for name, attached in table.attachments.items()}
    notes = tuple(dict.fromkeys(note for table in tables for note in table.notes))
    left_out = tuple(dict.fromkeys(entry for table in tables for entry in table.left_out))
    return RawTable(frame, notes, nested, attachments, left_out)


def _find_in_folder(path: Path) -> tuple[Groups, tuple[LeftOut, ...]]:
    if (path / "dataset_dict.json").is_file():
        saved: Groups = {}
        for name in _read_list(path / "dataset_dict.json", "splits"):
            check_relative(str(name), path / "dataset_dict.json")
            saved.setdefault(normalise_part(str(name)), []).extend(_find_saved_files(path / str(name), path))
        if not saved:
            raise AssayError("the file names no splits", place=path / "dataset_dict.json")
        return _sort_groups(saved), ()
    if (path / "state.json").is_file():
        return {"": _find_saved_files(path, path)}, ()
    try:
        children = sorted(child for child in path.iterdir() if child.name[0] not in "._")
    except OSError as error:
        raise AssayError(f"the folder cannot be read: {error.strerror}", place=path) from error
    files = [child for child in children if child.is_file() and is_data_file(child) and child.name not in _NOT_DATA]
    files = [file for file in files if get_format_suffix(file) != ".txt"] or files
    labels = [find_label_file(file) for file in files]
    files = [file for file in files if file not in labels]
    if files:
        check_links(files, path)
        return _group_by_part(files, path)
    return _find_in_subfolders([child for child in children if child.is_dir()], path)


def _find_in_subfolders(folders: list[Path], path: Path) -> tuple[Groups, tuple[LeftOut, ...]]:
    part_folders = {folder: part for folder in folders if (part := find_part_in_path(folder))}
    if part_folders:
        check_links(part_folders, path)
        groups: Groups = {}
        for folder, part in part_folders.items():
            for files in _find_in_folder(folder)[0].values():
                groups.setdefault(part, []).extend(files)
        return _sort_groups(groups), ()
    if (path / "data") in folders:  # a clone from the Hugging Face hub
        check_links([path / "data"], path)
        return _find_in_folder(path / "data")
    raise AssayError("the folder holds nothing readable", place=path, hint=describe_readable())


def _find_saved_files(path: Path, folder: Path) -> list[Path]:
    """Return the files of a dataset saved by Hugging Face `save_to_disk`, of which `folder` holds all parts."""
    try:
        files = [path / Path(entry["filename"]).name for entry in _read_list(path / "state.json", "_data_files")]
        check_links([path / "state.json", *files], folder)
        return files
    except AssayError:
        raise
    except (KeyError, TypeError) as error:
        raise AssayError("it names no data files", place=path / "state.json", hint="Save the dataset again.") from error


def _read_list(path: Path, key: str) -> list[Any]:
    try:
        return list(read_json(path)[key])
    except AssayError:
        raise
    except (KeyError, TypeError) as error:
        raise AssayError(f"the list '{key}' cannot be read: {error}", place=path) from error


def _group_by_part(files: list[Path], path: Path) -> tuple[Groups, tuple[LeftOut, ...]]:
    groups: Groups = {}
    for file in files:
        groups.setdefault(find_part_in_path(file) or "", []).append(file)
    others = groups.pop("", []) if len(groups) > 1 else []
    suffixes = {get_format_suffix(file) for group in groups.values() for file in group}
    if len(suffixes) > 1:
        fact = f"the files have several formats ({join_names(sorted(suffixes))})"
        raise AssayError(fact, place=path, hint=f"Name one file, or a glob such as *{min(suffixes)}.")
    names = join_names(file.name for file in others)
    skipped = (LeftOut("files", len(others), f"their names mention no part: {names}"),) if others else ()
    return _sort_groups(groups), skipped


def _sort_groups(groups: Groups) -> Groups:
    return {part: groups[part] for part in sort_parts(groups)}
