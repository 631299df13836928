"""Audits on disk: a folder with one subfolder per audit, which survives a restart."""

from __future__ import annotations

import json
import re
import secrets
import shutil
import threading
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.base.files import open_for_writing
from assay.web.responses import NotFoundError

ID_PATTERN = r"\d{8}-\d{6}-[0-9a-f]{6}"
# Uploaded files get names of our own on disk; the name from the browser is only shown.
STORED_NAME = re.compile(r"(data|predictions|scores)-\d{1,3}-[0-9a-f]{6}(\.[a-z]{1,8}){0,2}")
OUTPUTS = ("report.html", "audit.json", "items.tsv", "items.parquet", "card.md", "folds.tsv")
_RUN_FILES = (*OUTPUTS, "outcome.json", "progress.json")
_TYPES: dict[str, Any] = {
    "name": str,
    "created": str,
    "encoding": str,
    "files": list,
    "roles": dict | None,
    "options": dict | None,
}
_FILE_FIELDS = {"file", "kind", "name"}
_LOCK = threading.RLock()


@dataclass(frozen=True)
class Entry:
    """One audit in the store: its files, its options, and its results."""

    folder: Path

    @property
    def id(self) -> str:
        """Return the name of the subfolder."""
        return self.folder.name

    def record(self) -> dict[str, Any]:
        """Return name, time, files, roles and options; what is damaged is left out."""
        record = self.read("entry.json") or {}
        kept: dict[str, Any] = {name: value for name, value in record.items() if _has_type(name, value)}
        files = [file for file in kept.get("files", []) if isinstance(file, dict) and file.keys() >= _FILE_FIELDS]
        return {**kept, "files": files}

    def update(self, **values: Any) -> dict[str, Any]:
        """Change some values of the record."""
        with _LOCK:
            record = {**self.record(), **values}
            self.write("entry.json", record)
        return record

    def read(self, name: str) -> dict[str, Any] | None:
        """Return the content of one of our own JSON files; None if it is missing or damaged."""
        try:
            content = json.loads((self.folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        return content if isinstance(content, dict) else None

    def write(self, name: str, content: Any) -> None:
        """Write one of our own JSON files, completely or not at all."""
        with open_for_writing(self.folder / name) as file:
            json.dump(content, file, ensure_ascii=True, indent=1)

    def files(self, kind: str | None = None) -> list[dict[str, Any]]:
        """Return the uploaded files, of one kind or all."""
        return [file for file in self.record().get("files") or [] if kind in (None, file.get("kind"))]

    def path(self, file: dict[str, Any]) -> Path:
        """Return the path of an uploaded file."""
        name = str(file.get("file"))
        if not STORED_NAME.fullmatch(name):
            raise AssayError(f"is damaged: '{name[:80]}' is not a file of an audit.", place=self.folder / "entry.json")
        return self.folder / name

    def add_file(self, file: dict[str, Any]) -> None:
        """Record an uploaded file; the preview is made again."""
        with _LOCK:
            files = [*self.files(), file]
            data_name = next((file["name"] for file in files if file["kind"] == "data"), "")
            self.update(files=files, name=data_name or file["name"])
        self.discard_preview(roles=file["kind"] == "data")

    def remove_file(self, name: str) -> None:
        """Remove an uploaded file."""
        with _LOCK:
            removed = [file for file in self.files() if file["file"] == name]
            self.update(files=[file for file in self.files() if file["file"] != name])
        for file in removed:
            self.path(file).unlink(missing_ok=True)
        self.discard_preview(roles=any(file["kind"] == "data" for file in removed))

    def discard_preview(self, *, roles: bool = False) -> None:
        """Delete the preview and, when the data changed, the chosen roles."""
        (self.folder / "preview.json").unlink(missing_ok=True)
        if roles:
            self.update(roles=None)

    def start_run(self) -> None:
        """Delete the files of an earlier run, and record that one started."""
        for name in _RUN_FILES:
            (self.folder / name).unlink(missing_ok=True)
        self.update(started=current_time())

    @property
    def has_result(self) -> bool:
        """Tell whether there is a result."""
        return (self.folder / "audit.json").is_file()

    def outputs(self) -> dict[str, int]:
        """Return the output files with their sizes."""
        return {name: path.stat().st_size for name in OUTPUTS if (path := self.folder / name).is_file()}

    def delete(self) -> None:
        """Delete the audit with all its files."""
        shutil.rmtree(self.folder, ignore_errors=True)


class AuditStore:
    """All audits of a folder."""

    def __init__(self, folder: str | Path) -> None:
        """Create the folder if it does not exist."""
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise AssayError(f"audits cannot be stored there: {error.strerror}.", place=self.folder) from error

    def create(self, **values: Any) -> Entry:
        """Create an audit."""
        entry = Entry(self.folder / f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}")
        try:
            entry.folder.mkdir(mode=0o700)
        except OSError as error:
            raise AssayError(f"audits cannot be stored there: {error.strerror}.", place=self.folder) from error
        entry.write("entry.json", {"created": current_time(), "name": "", "files": [], **values})
        return entry

    def duplicate(self, old: Entry) -> Entry:
        """Create an audit with the files, roles and options of another."""
        values = {name: value for name, value in old.record().items() if name not in ("created", "started")}
        entry = self.create(**values)
        for file in entry.files():
            try:
                entry.path(file).hardlink_to(old.path(file))  # uploaded files never change
            except OSError:
                shutil.copyfile(old.path(file), entry.path(file))
        return entry

    def get(self, name: str) -> Entry:
        """Return an audit by its id."""
        entry = Entry(self.folder / name)
        known = re.fullmatch(ID_PATTERN, name) and not entry.folder.is_symlink()
        if not known or not (entry.folder / "entry.json").is_file():
            raise NotFoundError(f"There is no audit {name[:40]} in this folder.")
        return entry

    def entries(self) -> list[Entry]:
        """Return all audits, the newest first."""
        names = [path.name for path in self.folder.iterdir() if re.fullmatch(ID_PATTERN, path.name)]
        entries = [Entry(self.folder / name) for name in sorted(names, reverse=True)]
        return [entry for entry in entries if not entry.folder.is_symlink() and entry.read("entry.json") is not None]


def _has_type(name: str, value: Any) -> bool:
    return name not in _TYPES or isinstance(value, _TYPES[name])


def current_time() -> str:
    """Return the time as text."""
    return datetime.now().astimezone().isoformat(timespec="seconds")
