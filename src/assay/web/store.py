"""Versions of datasets on disk: a folder with one subfolder per version, which survives a restart."""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.system.files import copy_file, delete_folder, open_for_writing, remove_leftovers
from assay.system.json import JsonObject
from assay.web.damage import USER_FILES, keep_damaged, read_json_object
from assay.web.errors import NotFoundError

ID_PATTERN = re.compile(r"\d{8}-\d{6}-[0-9a-f]{11}")
# Uploaded files get names of our own on disk; the name from the browser is only shown.
STORED_NAME = re.compile(r"(file|data|predictions|scores)-\d{1,3}-[0-9a-f]{6}(\.[a-z]{1,8}){0,2}")
OUTPUTS = ("report.html", "audit.json", "items.tsv", "items.parquet", "card.md", "folds.tsv")
_RUN_FILES = (
    *(*OUTPUTS, "outcome.json", "progress.json", "partial.json", "sections.json", "applied.json", "decisions.json"),
    *("browse.arrow", "browse.json", "blocks.arrow", "answers.arrow", "flagged.arrow"),
)
REPAIRED = ("repaired.tsv", "repaired.csv", "repaired.jsonl", "repaired.parquet")
REPAIR_FILES = (*REPAIRED, "changes.tsv")
_TYPES: dict[str, Any] = {
    "name": str,
    "dataset": str,
    "number": int,
    "created": str,
    "encoding": str,
    "task": str,
    "files": list,
    "roles": dict | None,
    "options": dict | None,
}
_FILE_FIELDS = {"file": str, "kind": str, "name": str, "bytes": int}
_LOCK = threading.RLock()
DELETED = ".deleted-"  # before the id of a version that can be put back


@dataclass(frozen=True)
class Version:
    """One version of a dataset: its files, its options, and the results of its audit."""

    folder: Path
    kinds: Mapping[str, str] = field(default_factory=dict, compare=False)  # of files that the record does not know yet

    @property
    def id(self) -> str:
        """Return the name of the subfolder."""
        return self.folder.name

    def record(self) -> JsonObject:
        """Return name, dataset, files, roles and options; what is damaged is left out."""
        record = self.read("entry.json") or {}
        kept: dict[str, Any] = {name: value for name, value in record.items() if _has_type(name, value)}
        files = [file for file in kept.get("files", []) if _is_file_record(file)]
        return {**kept, "files": [_set_kind(file, self.kinds) for file in files]}

    def update(self, **values: object) -> JsonObject:
        """Change some values of the record."""
        with _LOCK:
            record = {**self.record(), **values}
            self.write("entry.json", record)
        return record

    def read(self, name: str) -> JsonObject | None:
        """Return the content of one of our own JSON files; None if it is missing or damaged."""
        return read_json_object(self.folder / name)

    def write(self, name: str, content: object, *, at_once: bool = False) -> None:
        """Write one of our own JSON files, completely or not at all."""
        if name in USER_FILES:
            keep_damaged(self.folder / name)
        with open_for_writing(self.folder / name, at_once=at_once) as file:
            json.dump(content, file, ensure_ascii=True, indent=1)

    @property
    def name(self) -> str:
        """Return the name of the dataset, or of the first file if it has none yet."""
        record = self.record()
        return str(record.get("dataset") or record.get("name") or ("damaged" if self.is_damaged else "no file yet"))

    @property
    def is_damaged(self) -> bool:
        """Return True if the record cannot be read."""
        return self.read("entry.json") is None

    @property
    def number(self) -> int:
        """Return the number of the version within its dataset; 0 if it is not known yet."""
        return int(self.record().get("number") or 0)

    def files(self, *kinds: str) -> list[JsonObject]:
        """Return the uploaded files, of some kinds or all."""
        return [file for file in self.record()["files"] if not kinds or file["kind"] in kinds]

    def path(self, file: JsonObject) -> Path:
        """Return the path of an uploaded file."""
        name = str(file.get("file"))
        if not STORED_NAME.fullmatch(name):
            fact = f"is damaged: '{name[:80]}' is not a file of a version."
            raise AssayError(fact, place=self.folder / "entry.json")
        return self.folder / name

    def add_file(self, file: JsonObject) -> None:
        """Record an uploaded file; the preview is made again."""
        with _LOCK:
            files = [*self.files(), file]
            self.update(files=files, name=self.record().get("name") or file["name"])
        self.discard_preview(roles=file["kind"] in ("auto", "data"))

    def remove_file(self, name: str) -> None:
        """Remove an uploaded file."""
        with _LOCK:
            removed = [file for file in self.files() if file["file"] == name]
            self.update(files=[file for file in self.files() if file["file"] != name])
        for file in removed:
            self.path(file).unlink(missing_ok=True)
        self.discard_preview(roles=any(file["kind"] == "data" for file in removed))

    def set_kinds(self, kinds: Mapping[str, str], *, chosen: bool = False) -> None:
        """Record what files are; without `chosen` only those that were not yet recognised."""
        with _LOCK:
            files = [
                _set_kind({**file, "kind": "auto"} if chosen and file["file"] in kinds else file, kinds)
                for file in self.files()
            ]
            if files != self.files():
                self.update(files=files)

    def discard_preview(self, *, roles: bool = False) -> None:
        """Delete the preview and, when the data changed, the chosen roles."""
        (self.folder / "preview.json").unlink(missing_ok=True)
        if roles:
            self.update(roles=None)

    def start_run(self) -> None:
        """Delete the files of an earlier run, and record that one started."""
        for name in _RUN_FILES:
            (self.folder / name).unlink(missing_ok=True)
        self.discard_repair()
        self.update(started=current_time())

    @property
    def has_result(self) -> bool:
        """Return whether there is a result."""
        return (self.folder / "audit.json").is_file()

    def outputs(self, names: Sequence[str] = OUTPUTS) -> dict[str, int]:
        """Return the output files with their sizes."""
        return {name: path.stat().st_size for name in names if (path := self.folder / name).is_file()}

    def discard_repair(self) -> None:
        """Delete the repaired data and its log."""
        for name in (*REPAIR_FILES, "repair.json"):
            (self.folder / name).unlink(missing_ok=True)

    def delete(self) -> None:
        """Delete the version; until another one is deleted or the server starts again, it can be put back."""
        for path in self.folder.parent.glob(f"{DELETED}*"):
            delete_folder(path)
        self.folder.rename(self.folder.with_name(DELETED + self.id))


class VersionStore:
    """All versions of all datasets of a folder."""

    def __init__(self, folder: str | Path) -> None:
        """Create the folder if it does not exist, and remove what processes that were killed left in it."""
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise AssayError(f"datasets cannot be stored there: {error.strerror}.", place=self.folder) from error
        remove_leftovers(self.folder, below=True)
        for path in self.folder.glob(f"{DELETED}*"):
            delete_folder(path)

    def create(self, **values: object) -> Version:
        """Create a version."""
        version = Version(self.folder / make_id())
        try:
            version.folder.mkdir(mode=0o700)
        except OSError as error:
            raise AssayError(f"datasets cannot be stored there: {error.strerror}.", place=self.folder) from error
        version.write("entry.json", {"created": current_time(), "name": "", "files": [], **values})
        return version

    def duplicate(self, old: Version) -> Version:
        """Create a version with the files, roles and options of another."""
        values = {name: value for name, value in old.record().items() if name not in ("created", "started", "number")}
        version = self.create(**values)
        for file in version.files():
            _link(old.path(file), version.path(file))
        self.assign_dataset(version, version.name)
        return version

    def take_data(self, version: Version) -> bool:
        """Give a version that adds predictions or the like to an older one the other files of that; True if it did.

        Files of the same name are replaced by the new ones.
        """
        files, old = version.files(), self.folder / str(version.record().get("of") or "")
        if not ID_PATTERN.fullmatch(old.name) or not has_files(old) or not files:
            return False
        if any(file["kind"] in ("data", "logs", "auto") for file in files):
            return False
        names = {(file["kind"], file["name"]) for file in files}
        single = {file["kind"] for file in files} - {"predictions", "corpus"}
        source = Version(old)
        kept = [
            file
            for file in source.files()
            if (file["kind"], file["name"]) not in names and file["kind"] not in single and source.path(file).is_file()
        ]
        for file in kept:
            _link(source.path(file), version.path(file))
        version.update(files=[*kept, *files], of=None, added_to=source.number, roles=source.record().get("roles"))
        version.discard_preview()
        return bool(kept)

    def assign_dataset(self, version: Version, name: str) -> None:
        """Make a version the next one of the dataset of that name."""
        with _LOCK:
            numbers = [other.number for other in self.versions_of(name) if other.id != version.id]
            version.update(dataset=name, number=max(numbers, default=0) + 1)

    def find_deleted(self) -> Version | None:
        """Return the version that was deleted last, if it can be put back."""
        return next(map(Version, self.folder.glob(f"{DELETED}*")), None)

    def restore(self) -> Version | None:
        """Put back the version that was deleted last."""
        deleted = self.find_deleted()
        if deleted is None:
            return None
        return Version(deleted.folder.rename(self.folder / deleted.id.removeprefix(DELETED)))

    def get(self, name: str) -> Version:
        """Return a version by its id."""
        version = Version(self.folder / name)
        if not ID_PATTERN.fullmatch(name) or not has_files(version.folder):
            raise NotFoundError(f"There is no version {name[:40]} in this folder.")
        return version

    def versions(self) -> list[Version]:
        """Return all versions, the newest first, also those whose record is damaged."""
        names = [path.name for path in self.folder.iterdir() if ID_PATTERN.fullmatch(path.name)]
        folders = [self.folder / name for name in sorted(names, reverse=True)]
        return [Version(folder) for folder in folders if has_files(folder)]

    def versions_of(self, name: str) -> list[Version]:
        """Return the versions of the dataset of that name, the newest first."""
        return [version for version in self.versions() if make_key(version.name) == make_key(name)]


def _link(source: Path, target: Path) -> None:
    """Give a file another name; uploaded files never change."""
    try:
        target.hardlink_to(source)
    except OSError:
        copy_file(source, target)


def make_id() -> str:
    """Return a new id, which sorts after earlier ones: the second, the microsecond in hexadecimal, and random digits.

    >>> ID_PATTERN.fullmatch(make_id()) is not None
    True
    """
    now = datetime.now()
    return f"{now:%Y%m%d-%H%M%S}-{now.microsecond:05x}{secrets.token_hex(3)}"


def make_key(name: str) -> str:
    """Return the name of a dataset without regard to case and spaces.

    >>> make_key(" My  Reviews")
    'my reviews'
    """
    return " ".join(name.casefold().split())


def has_files(folder: Path) -> bool:
    """Return True if a folder has files; an empty one is left by a process that was killed while it made a version."""
    return folder.is_dir() and not folder.is_symlink() and any(folder.iterdir())


def _set_kind(file: JsonObject, kinds: Mapping[str, str]) -> JsonObject:
    return {**file, "kind": kinds[file["file"]]} if file["kind"] == "auto" and file["file"] in kinds else file


def _is_file_record(file: object) -> bool:
    return isinstance(file, dict) and all(isinstance(file.get(name), kind) for name, kind in _FILE_FIELDS.items())


def _has_type(name: str, value: object) -> bool:
    return name not in _TYPES or isinstance(value, _TYPES[name])


def current_time() -> str:
    """Return the time as text."""
    return datetime.now().astimezone().isoformat(timespec="seconds")
