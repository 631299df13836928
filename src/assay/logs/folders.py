"""Read a folder of logs, whatever harness wrote them."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path

from assay.base.collection import pause_collection
from assay.base.errors import AssayError, MissingFileError, join_names
from assay.base.wording import choose_verb, count_noun
from assay.logs.formats import LOGS, LogReader
from assay.logs.notes import describe_tasks
from assay.logs.records import LogRecord
from assay.logs.runs import clean_records
from assay.logs.table import LogTable
from assay.logs.unread import describe_unread

MAX_DETAIL = 200  # characters of the cause in an error message


@pause_collection()
def read_logs(path: str | Path, log_format: str | None = None) -> LogTable:
    """Read all logs under a folder, or one log file; of one format or of all known ones."""
    place = Path(path)
    if not place.exists():
        raise MissingFileError("there is no such file or folder", place=place)
    formats = list(LOGS) if log_format is None else [log_format]
    records: list[LogRecord] = []
    used, notes, empty = [], [], []
    for name in formats:
        reader = LOGS[name]()
        files = _find_files(place, reader)
        if not files:
            continue
        systems: set[str] = set()
        n_files = len(files)
        files = _drop_copies(files, reader)
        for file in files:
            rows = _read_file(file, name, reader)
            records += rows
            systems |= {record.system for record in rows}
            empty += [] if rows else [file.name]
        used.append(name)
        notes.append(f"{place.name}: {count_noun(len(files), f'{name} file')}, {count_noun(len(systems), 'system')}.")
        if n_copies := n_files - len(files):
            verb = choose_verb(n_copies, "is", "are")
            notes.append(f"{count_noun(n_copies, 'copy', 'copies')} of a file that was read {verb} not used.")
        notes += [*reader.notes, *reader.repeated.notes]
    if empty:
        notes.append(f"{count_noun(len(empty), 'file')} without a sample or a score: {join_names(empty)}.")
    if not records:
        reason = f"; {notes[-1]}" if empty else f"; known formats are {join_names(formats, limit=10)}"
        raise AssayError(f"no logs were found{reason}", place=place)
    notes += describe_unread(place)
    cleaned = clean_records(records)
    return LogTable(
        cleaned.records, place.name, tuple(used), (*notes, *cleaned.notes, *describe_tasks(cleaned.records))
    )


def has_logs(path: str | Path) -> bool:
    """Return whether a file is a log, or a folder holds logs, of any known format."""
    place = Path(path)
    try:
        if place.is_dir():
            return any(reader().find_files(place) for reader in LOGS.values())
        return place.is_file() and any(reader().accepts(place) for reader in LOGS.values())
    except AssayError:
        raise
    except (OSError, ValueError):  # a name that no path can have, a folder that cannot be read
        return False


def is_log(path: str | Path) -> bool:
    """Return whether a path is a folder, or a file that a log format recognises by its name or its first bytes."""
    place = Path(path)
    return place.is_dir() or any(reader().recognises(place) for reader in LOGS.values()) or has_logs(place)


def _find_files(place: Path, reader: LogReader) -> list[Path]:
    if place.is_dir():
        return reader.find_files(place)
    return [place] if reader.accepts(place) else []


def _drop_copies(files: list[Path], reader: LogReader) -> list[Path]:
    """Return files once each: not by a second link, and not as a copy of the same name and content."""
    real = {path.resolve(): path for path in reversed(files)}
    chosen = [path for path in files if path in set(real.values())]
    sizes = Counter((path.name, path.stat().st_size) for path in chosen if reader.has_unique_name(path))
    unique: dict[object, Path] = {}
    for path in chosen:
        key = (path.name, path.stat().st_size)
        unique.setdefault((*key, _hash_file(path)) if sizes[key] > 1 else path, path)
    return list(unique.values())


def _hash_file(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _read_file(path: Path, name: str, reader: LogReader) -> list[LogRecord]:
    """Return the records of one file; a file that is not as its format says is an error that names it."""
    try:
        return list(reader.read_records(path))
    except AssayError:
        raise
    except Exception as error:  # a damaged file can fail anywhere in a parser
        detail = " ".join(f"{type(error).__name__}: {error}".split())[:MAX_DETAIL]
        raise AssayError(f"this is not a valid log of {name} ({detail})", place=path.name) from error
