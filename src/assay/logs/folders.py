"""Read a folder of logs, whatever harness wrote them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from assay.base.errors import AssayError, MissingFileError, join_names
from assay.data.left_out import LeftOut
from assay.logs.formats import LOGS, LogReader
from assay.logs.notes import describe_tasks
from assay.logs.readers.files import list_files
from assay.logs.records import LogRecord
from assay.logs.response_store import ResponseStore
from assay.logs.runs import clean_records
from assay.logs.table import LogTable
from assay.logs.totals import TotalDifference, compare_totals, note_differences
from assay.system.collection import pause_collection
from assay.wording.sentences import choose_verb, count_noun

SUFFIXES = (".json", ".jsonl", ".eval", ".parquet")
# Files that harnesses write next to their logs.
_COMPANIONS = ("*.schema.json", "model_meta.json", "results_*.json", "logs.json", "eval-set.json", "package.json")
_RUN_MARK = "per_instance_stats.json"  # the other files of its folder describe the same run
MAX_WARNINGS = 10  # about logs that cannot be read
MAX_DETAIL = 200  # characters of the cause in an error message


@pause_collection()
def read_logs(
    path: str | Path, log_format: str | None = None, *, strict: bool = False, store: ResponseStore | None = None
) -> LogTable:
    """Read all logs under a folder, or one log file; of one format or of all known ones.

    A log that cannot be read is skipped, with a note and an entry of `left_out`; with `strict` it is an error. `store`
    takes the responses, to whose rows the records refer.
    """
    place = Path(path)
    if not place.exists():
        raise MissingFileError("there is no such file or folder", place=place)
    formats = list(LOGS) if log_format is None else [log_format]
    found = _Findings()
    for name in formats:
        reader = LOGS[name]()
        reader.store = store
        files = _find_files(place, reader)
        if files:
            _read_files(files, name, reader, found, place, strict=strict)
    notes = [*found.notes, *found.describe()]
    if not found.records and found.failures:
        raise found.failures[0]
    if not found.records:
        reason = f"; {notes[-1]}" if found.empty else f"; known formats are {join_names(formats, limit=10)}"
        raise AssayError(f"no logs were found{reason}", place=place)
    unread = find_unread(place)
    if unread:
        notes.append(f"{count_noun(len(unread), 'file')} not used, as of no known log format: {join_names(unread)}.")
    cleaned = clean_records(found.records)
    notes += [*cleaned.notes, *describe_tasks(cleaned.records)]
    left_out, differences = found.list_left_out(unread), tuple(found.differences) if found.n_totals else None
    return LogTable(cleaned.records, place.name, tuple(found.formats), tuple(notes), left_out, differences)


@dataclass
class _Findings:
    """The records in the files of all formats, and the files without records."""

    records: list[LogRecord] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    empty: list[str] = field(default_factory=list)
    failures: list[AssayError] = field(default_factory=list)
    differences: list[TotalDifference] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    n_copies: int = 0
    n_totals: int = 0

    def describe(self) -> Iterator[str]:
        """Yield notes on the files that are not used."""
        if self.n_copies:
            verb = choose_verb(self.n_copies, "is", "are")
            yield f"{count_noun(self.n_copies, 'copy', 'copies')} of a file that was read {verb} not used."
        for error in self.failures[:MAX_WARNINGS]:
            yield f"Warning: a log is skipped, as it cannot be read: {error}"
        if len(self.failures) > MAX_WARNINGS:
            yield f"Warning: {len(self.failures) - MAX_WARNINGS} more logs are skipped, as they cannot be read."
        yield from note_differences(self.differences)
        if self.empty:
            yield f"{count_noun(len(self.empty), 'file')} without a sample or a score: {join_names(self.empty)}."

    def list_left_out(self, unread: list[str]) -> tuple[LeftOut, ...]:
        """Return the files that are not used, by reason."""
        reasons = {
            f"cannot be read: {'; '.join(map(str, self.failures[:MAX_WARNINGS]))}": len(self.failures),
            f"no known log format: {join_names(unread)}": len(unread),
            f"no sample and no score: {join_names(self.empty)}": len(self.empty),
            "copies of a file that was read": self.n_copies,
        }
        return (*(LeftOut("files", n, reason) for reason, n in reasons.items() if n), *self.left_out)


def _read_files(
    files: list[Path], name: str, reader: LogReader, found: _Findings, place: Path, *, strict: bool
) -> None:
    """Add what the files of one format hold."""
    systems: set[str] = set()
    distinct = _drop_copies(files, reader)
    for file in distinct:
        try:
            reader.totals = []
            rows = _read_file(file, name, reader)
        except AssayError as error:
            if strict:
                raise
            found.failures.append(error)
            continue
        found.records += rows
        found.differences += compare_totals(rows, reader.totals)
        found.n_totals += len(reader.totals)
        systems |= {record.system for record in rows}
        found.empty += [] if rows else [file.name]
    found.formats.append(name)
    found.left_out += reader.left_out
    found.n_copies += len(files) - len(distinct)
    sizes = f"{count_noun(len(distinct), f'{name} file')}, {count_noun(len(systems), 'system')}"
    found.notes += [f"{place.name}: {sizes}.", *reader.notes, *reader.repeated.notes]


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


def find_unread(place: Path) -> list[str]:
    """Return the names of files that look like logs and are read by no format."""
    if not place.is_dir():
        return []
    used = {file for reader in LOGS.values() for file in reader().find_files(place)}
    return [path.name for path in list_files(place, SUFFIXES) if path not in used and not _is_companion(path, used)]


def _is_companion(path: Path, used: set[Path]) -> bool:
    if path.with_name(_RUN_MARK) in used or path.with_name(f"{path.stem}_samples.jsonl") in used:
        return True
    return any(path.match(pattern) for pattern in _COMPANIONS)
