"""Parts: which rows are train, dev and test, by the names of files, folders or cells."""

from __future__ import annotations

import glob
import json
import re
from collections.abc import Iterable
from pathlib import Path

import polars as pl

from assay.base.errors import AssayError, join_names
from assay.data.cells import EmptyError, Table
from assay.data.formats import SUFFIXES, is_readable, unpacked_suffix
from assay.data.tables import read_file

PARTS = ("train", "dev", "test")
_PREFIXES = {"train": "train", "dev": "dev", "val": "dev", "test": "test"}
_FILE_TOKEN = re.compile(r"(train|dev|val|test)(ing|el|elopment|id|idation)?\d*")
# What Hugging Face and others leave beside the data.
_BESIDE = {
    "dataset_info.json",
    "dataset_infos.json",
    "dataset_dict.json",
    "state.json",
    "metadata.json",
    "requirements.txt",
}


def part_of(name: str) -> str:
    """Return train, dev or test for a name that begins so, other names as they are.

    >>> [part_of(name) for name in ("training", "dev_matched", "validation", "Test-2017", "unused")]
    ['train', 'dev', 'dev', 'test', 'unused']
    """
    bare = name.strip().lower()
    return next((part for prefix, part in _PREFIXES.items() if bare.startswith(prefix)), name)


def part_of_file(path: Path) -> str | None:
    """Return the part that a file's or folder's name tells, as a word of its own: first word, else any.

    >>> [part_of_file(Path(name)) for name in ("train-00000-of-00002.parquet", "sst2_dev.tsv.gz", "testimonials.csv")]
    ['train', 'dev', None]
    """
    words = re.split(r"[^a-z0-9]+", path.name.lower().partition(".")[0] if path.suffix else path.name.lower())
    words += re.split(r"[^a-z0-9]+", path.name.lower().partition(".")[2])
    found = [part_of(word) for word in words if _FILE_TOKEN.fullmatch(word)]
    return found[0] if found and (len(set(found)) == 1 or _FILE_TOKEN.fullmatch(words[0])) else None


def parts_of(names: pl.Series) -> pl.Series:
    """Return the part of every row from a column that names it; an empty cell is null."""
    distinct = names.unique().drop_nulls().to_list()
    known = {name: part_of(name) if name.strip() else None for name in distinct}
    return names.replace_strict(known, return_dtype=pl.String) if known else names


def read_files(source: str | Path, *, encoding: str = "utf-8", quoting: str = "auto") -> Table:
    """Read a file, a folder or a glob; rows of all parts one after the other."""
    return joined(read_parts(source, encoding=encoding, quoting=quoting))[0]


def read_parts(source: str | Path, *, encoding: str = "utf-8", quoting: str = "auto") -> dict[str, Table]:
    """Read a file, a folder or a glob into its parts; what has no part is under the empty name."""
    groups, notes = find_files(source)
    tables = {}
    for part, files in groups.items():
        tables[part] = _read_shards(files, encoding, quoting)
    first = next(iter(tables))
    tables[first] = Table(tables[first].frame, (*notes, *tables[first].notes), tables[first].odd)
    return tables


def _read_shards(files: list[Path], encoding: str, quoting: str) -> Table:
    """Read files of one part; empty ones are left out, unless all are."""
    shards, empty = {}, []
    for file in files:
        try:
            shards[file] = read_file(file, encoding=encoding, quoting=quoting)
        except EmptyError as error:
            empty.append(file.name)
            if len(empty) == len(files):
                raise AssayError(str(error)) from None
    table = _stacked(list(shards.values()), list(shards))
    notes = (f"left out, as they have no rows: {join_names(empty)}",) if empty else ()
    return Table(table.frame, (*notes, *table.notes), table.odd)


def find_files(source: str | Path) -> tuple[dict[str, list[Path]], tuple[str, ...]]:
    """Return the files of every part, in order, and notes on what was left out."""
    path = Path(source)
    if path.is_dir():
        return _folder(path)
    if path.exists() or not glob.has_magic(str(source)):
        return {"": [path]}, ()
    found = sorted(Path(name) for name in glob.glob(str(source), recursive=True))  # noqa: PTH207, absolute patterns too
    files = [file for file in found if file.is_file()]
    if not files:
        raise AssayError(f"No file matches {source}.")
    return _by_part(files, path)


def _folder(path: Path) -> tuple[dict[str, list[Path]], tuple[str, ...]]:
    if (path / "dataset_dict.json").is_file():
        saved: dict[str, list[Path]] = {}
        for name in _json(path / "dataset_dict.json")["splits"]:
            saved.setdefault(part_of(name), []).extend(_saved(path / name))
        return _ordered(saved), ()
    if (path / "state.json").is_file():
        return {"": _saved(path)}, ()
    try:
        children = sorted(child for child in path.iterdir() if child.name[0] not in "._")
    except OSError as error:
        raise AssayError(f"{path} cannot be read: {error.strerror}.") from error
    files = [child for child in children if child.is_file() and is_readable(child) and child.name not in _BESIDE]
    files = [file for file in files if unpacked_suffix(file) != ".txt"] or files
    if files:
        return _by_part(files, path)
    return _subfolders([child for child in children if child.is_dir()], path)


def _subfolders(folders: list[Path], path: Path) -> tuple[dict[str, list[Path]], tuple[str, ...]]:
    named = [folder for folder in folders if part_of_file(folder)]
    if named:
        groups: dict[str, list[Path]] = {}
        for folder in named:
            for files in _folder(folder)[0].values():
                groups.setdefault(part_of_file(folder) or "", []).extend(files)
        return _ordered(groups), ()
    if (path / "data") in folders:  # a clone from the Hugging Face hub
        return _folder(path / "data")
    raise AssayError(f"{path} holds nothing readable. Readable are {', '.join(SUFFIXES)}, each also .gz or .zst.")


def _saved(path: Path) -> list[Path]:
    """Return the files of a dataset saved by Hugging Face `save_to_disk`."""
    try:
        return [path / Path(entry["filename"]).name for entry in _json(path / "state.json")["_data_files"]]
    except (KeyError, TypeError) as error:
        raise AssayError(f"{path / 'state.json'} names no data files; save the dataset again.") from error


def _json(path: Path) -> dict[str, list]:
    try:
        found: dict[str, list] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise AssayError(f"{path} cannot be read: {error}.") from error
    return found


def _by_part(files: list[Path], path: Path) -> tuple[dict[str, list[Path]], tuple[str, ...]]:
    groups: dict[str, list[Path]] = {}
    for file in files:
        groups.setdefault(part_of_file(file) or "", []).append(file)
    rest = groups.pop("", []) if len(groups) > 1 else []
    endings = {unpacked_suffix(file) for group in groups.values() for file in group}
    if len(endings) > 1:
        raise AssayError(
            f"{path} holds files of several kinds ({join_names(sorted(endings))}). "
            f"Name one, or a glob such as *{min(endings)}."
        )
    notes = (f"left out, as their names tell no part: {join_names(file.name for file in rest)}",) if rest else ()
    return _ordered(groups), notes


def _ordered(groups: dict[str, list[Path]]) -> dict[str, list[Path]]:
    return {part: groups[part] for part in sorted(groups, key=_order)}


def _order(part: str) -> int:
    return PARTS.index(part) if part in PARTS else len(PARTS)


def _stacked(shards: list[Table], files: list[Path]) -> Table:
    """Put shards one below the other; they must have the same columns."""
    first = shards[0].frame.columns
    for shard, file in zip(shards, files, strict=True):
        odd = sorted(set(shard.frame.columns) ^ set(first))
        if odd:
            raise AssayError(
                f"{file} and {files[0].name} differ in columns ({join_names(odd)}). Shards must have the same."
            )
    return _below(shards)


def _below(tables: Iterable[Table]) -> Table:
    tables = list(tables)
    frame = tables[0].frame if len(tables) == 1 else pl.concat([table.frame for table in tables], how="diagonal")
    odd = {name: kind for table in tables for name, kind in table.odd.items()}
    return Table(frame, tuple(dict.fromkeys(note for table in tables for note in table.notes)), odd)


def merged(named: Iterable[tuple[str, Table]]) -> dict[str, Table]:
    """Gather tables by the part their names tell: validation_matched and validation_mismatched are both dev."""
    groups: dict[str, list[Table]] = {}
    for name, table in named:
        groups.setdefault(part_of(name), []).append(table)
    return {part: _below(groups[part]) for part in sorted(groups, key=_order)}


def joined(parts: dict[str, Table]) -> tuple[Table, pl.Series | None]:
    """Put parts one below the other; return the table and every row's part, or None without parts."""
    table = _below(parts.values())
    if list(parts) == [""]:
        return table, None
    names = [pl.repeat(part or None, len(found.frame), dtype=pl.String, eager=True) for part, found in parts.items()]
    return table, pl.concat(names).alias("part")
