"""Croissant files as input: where the data is, and which of its columns hold labels, ids and parts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

from assay.base.errors import AssayError, join_names
from assay.data.metadata.description import Description
from assay.system.json import read_json
from assay.system.links import check_links, check_relative, get_fixed_folder

SUFFIXES = (".json", ".jsonld")
HEAD_BYTES = 1 << 16
Json = dict[str, Any]


def is_croissant(path: Path) -> bool:
    """Return whether a file is Croissant metadata, by its first bytes."""
    if path.suffix.lower() not in SUFFIXES:
        return False
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    return b"mlcommons.org/croissant" in head and b'"@context"' in head


def read_croissant(path: Path) -> Description:
    """Return the files that a Croissant file names, and the roles that its fields have.

    A field of type `cr:Label` is the label, one of type `cr:Split` the part, the key of the record set the id. If one
    text field remains, it is the text. Nothing is fetched: files must be next to the metadata.
    """
    content = _read_object(path)
    records = _choose_records(content, path)
    fields = [field for field in _as_list(records.get("field")) if isinstance(field, dict)]
    files = dict.fromkeys(file for file in map(_find_file_id, fields) if file)
    if not files:
        raise AssayError("its record set names no files", place=path)
    if len(files) > 1:
        hint = "Name the file to audit instead."
        raise AssayError(f"its record set joins several files ({join_names(files)})", place=path, hint=hint)
    columns = {_get_id(field): column for field in fields if (column := _find_column(field))}
    keys = [columns[_get_id(key)] for key in _as_list(records.get("key")) if _get_id(key) in columns]
    label = [columns[_get_id(field)] for field in fields if _has_type(field, "Label") and _get_id(field) in columns]
    split = [columns[_get_id(field)] for field in fields if _has_type(field, "Split") and _get_id(field) in columns]
    texts = [columns[_get_id(field)] for field in fields if _has_type(field, "Text") and _get_id(field) in columns]
    texts = [name for name in texts if name not in (*keys, *label, *split)]
    return Description(
        file=path,
        source=_find_data(content, next(iter(files)), path),
        text=texts[0] if len(texts) == 1 and label else None,
        label=label[0] if len(label) == 1 else None,
        id=keys[0] if len(keys) == 1 else None,
        split=split[0] if len(split) == 1 else None,
    )


def _read_object(path: Path) -> Json:
    content = read_json(path)
    if not isinstance(content, dict):
        raise AssayError("it cannot be read as Croissant: it is not JSON object", place=path)
    return content


def _choose_records(content: Json, path: Path) -> Json:
    """Return the record set with data in files; hubs add others that only list the parts."""
    sets = [records for records in _as_list(content.get("recordSet")) if isinstance(records, dict)]
    with_files = [records for records in sets if not records.get("data") and any(map(_find_file_id, _fields(records)))]
    if not with_files:
        raise AssayError("it has no record set with files", place=path)
    if len(with_files) > 1:
        names = join_names(str(records.get("name", _get_id(records))) for records in with_files)
        raise AssayError(f"it has several record sets ({names})", place=path, hint="Name the file to audit instead.")
    return with_files[0]


def _fields(records: Json) -> Iterator[Json]:
    return (field for field in _as_list(records.get("field")) if isinstance(field, dict))


def _find_file_id(field: Json) -> str | None:
    source = field.get("source")
    if not isinstance(source, dict):
        return None
    file = source.get("fileObject") or source.get("fileSet")
    return _get_id(file) if file else None


def _find_column(field: Json) -> str | None:
    """Return the column of a field in its file."""
    source = field.get("source")
    extract = source.get("extract") if isinstance(source, dict) else None
    if not isinstance(extract, dict):
        return None
    if extract.get("column"):
        return str(extract["column"])
    path = str(extract.get("jsonPath", ""))
    return path.removeprefix("$.").removesuffix("[*]") or None


def _has_type(field: Json, name: str) -> bool:
    types = [str(each) for each in _as_list(field.get("dataType"))]
    return any(each.rpartition(":")[2].rpartition("/")[2] == name for each in types)


def _find_data(content: Json, file_id: str, path: Path) -> Path:
    """Return the local path of a file or a set of files."""
    entries = {_get_id(entry): entry for entry in _as_list(content.get("distribution")) if isinstance(entry, dict)}
    entry = entries.get(file_id)
    if entry is None:
        raise AssayError(f"'{file_id}' is not among its files", place=path)
    patterns = [str(pattern) for pattern in _as_list(entry.get("includes"))]
    if patterns:
        if len(patterns) > 1:
            raise AssayError(f"'{file_id}' has several patterns", place=path, hint="Name the files to audit instead.")
        pattern = path.parent / check_relative(patterns[0], path)
        check_links([get_fixed_folder(pattern)], path.parent)
        return pattern
    address = str(entry.get("contentUrl", ""))
    name = PurePosixPath(address.partition("?")[0]).name if "://" in address else address
    if not name:
        raise AssayError(f"'{file_id}' has no contentUrl", place=path)
    file = path.parent / check_relative(name, path)
    check_links([file], path.parent)
    if not file.is_file():
        hint = "Download it first; nothing is fetched." if "://" in address else ""
        raise AssayError(f"its file {name} is not next to it", place=path, hint=hint)
    return file


def _as_list(value: object) -> list[object]:
    return [] if value is None else value if isinstance(value, list) else [value]


def _get_id(value: object) -> str:
    return str(value.get("@id") or value.get("name") or "") if isinstance(value, dict) else str(value)
