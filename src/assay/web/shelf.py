"""The folder of audits on disk: one subfolder an audit, which survives a restart."""

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
from assay.web.answers import NotFoundError

ID = r"\d{8}-\d{6}-[0-9a-f]{6}"
# The names of uploaded files on disk are ours; a name that came from outside is only ever shown.
STORED = re.compile(r"(data|predictions|scores)-\d{1,3}-[0-9a-f]{6}(\.[a-z]{1,8}){0,2}")
OUTPUTS = ("report.html", "audit.json", "items.tsv", "items.parquet", "card.md", "folds.tsv")
_OF_A_RUN = (*OUTPUTS, "outcome.json", "progress.json")
_LOCK = threading.RLock()


@dataclass(frozen=True)
class Entry:
    """One audit in the folder: its files, what was asked for, and what came out."""

    folder: Path

    @property
    def id(self) -> str:
        """Return the name of the subfolder."""
        return self.folder.name

    def about(self) -> dict[str, Any]:
        """Return what is known from the start: name, time, files, roles, options."""
        return self.json("entry.json") or {}

    def change(self, **values: Any) -> dict[str, Any]:
        """Change some of it."""
        with _LOCK:
            about = {**self.about(), **values}
            self.write("entry.json", about)
        return about

    def json(self, name: str) -> dict[str, Any] | None:
        """Return the content of one of our own JSON files; None where it is missing or broken."""
        try:
            found = json.loads((self.folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def write(self, name: str, content: Any) -> None:
        """Write one of our own JSON files, whole or not at all."""
        with open_for_writing(self.folder / name) as file:
            json.dump(content, file, ensure_ascii=True, indent=1)

    def files(self, kind: str | None = None) -> list[dict[str, Any]]:
        """Return the uploaded files, of one kind or all."""
        return [one for one in self.about().get("files") or [] if kind in (None, one.get("kind"))]

    def path(self, file: dict[str, Any]) -> Path:
        """Return where an uploaded file stands."""
        name = str(file.get("file"))
        if not STORED.fullmatch(name):
            raise AssayError(f"{self.folder / 'entry.json'} is damaged: '{name[:80]}' is not a file of an audit.")
        return self.folder / name

    def add(self, file: dict[str, Any]) -> None:
        """Note an uploaded file; the columns are to be looked at anew."""
        with _LOCK:
            files = [*self.files(), file]
            first = next((one["name"] for one in files if one["kind"] == "data"), "")
            self.change(files=files, name=first or file["name"])
        self.forget_look(roles=file["kind"] == "data")

    def remove(self, file: str) -> None:
        """Remove an uploaded file."""
        with _LOCK:
            gone = [one for one in self.files() if one["file"] == file]
            self.change(files=[one for one in self.files() if one["file"] != file])
        for one in gone:
            self.path(one).unlink(missing_ok=True)
        self.forget_look(roles=any(one["kind"] == "data" for one in gone))

    def forget_look(self, *, roles: bool = False) -> None:
        """Let the columns be looked at again, and with other files let the roles be found again."""
        (self.folder / "look.json").unlink(missing_ok=True)
        if roles:
            self.change(roles=None)

    def begin(self) -> None:
        """Clear what an earlier run left, and note that one started."""
        for name in _OF_A_RUN:
            (self.folder / name).unlink(missing_ok=True)
        self.change(started=now())

    @property
    def has_result(self) -> bool:
        """Tell whether something came out."""
        return (self.folder / "audit.json").is_file()

    def outputs(self) -> dict[str, int]:
        """Return the files that came out, with their sizes."""
        return {name: path.stat().st_size for name in OUTPUTS if (path := self.folder / name).is_file()}

    def delete(self) -> None:
        """Remove the audit with all its files."""
        shutil.rmtree(self.folder, ignore_errors=True)


class Shelf:
    """All audits of a folder."""

    def __init__(self, folder: str | Path) -> None:
        """Make the folder where it is missing."""
        self.folder = Path(folder)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise AssayError(f"{self.folder}: audits cannot be kept there: {error.strerror}.") from error

    def new(self, **about: Any) -> Entry:
        """Begin an audit."""
        entry = Entry(self.folder / f"{datetime.now():%Y%m%d-%H%M%S}-{secrets.token_hex(3)}")
        try:
            entry.folder.mkdir(mode=0o700)
        except OSError as error:
            raise AssayError(f"{self.folder}: audits cannot be kept there: {error.strerror}.") from error
        entry.write("entry.json", {"created": now(), "name": "", "files": [], **about})
        return entry

    def again(self, old: Entry) -> Entry:
        """Begin an audit with the files, roles and options of another."""
        about = {name: value for name, value in old.about().items() if name not in ("created", "started")}
        entry = self.new(**about)
        for file in entry.files():
            try:
                entry.path(file).hardlink_to(old.path(file))  # uploaded files never change
            except OSError:
                shutil.copyfile(old.path(file), entry.path(file))
        return entry

    def entry(self, name: str) -> Entry:
        """Return an audit by its id."""
        found = Entry(self.folder / name)
        if not re.fullmatch(ID, name) or found.folder.is_symlink() or not (found.folder / "entry.json").is_file():
            raise NotFoundError(f"There is no audit {name[:40]} in this folder.")
        return found

    def entries(self) -> list[Entry]:
        """Return all audits, the newest first."""
        names = [path.name for path in self.folder.iterdir() if re.fullmatch(ID, path.name)]
        found = [Entry(self.folder / name) for name in sorted(names, reverse=True)]
        return [one for one in found if not one.folder.is_symlink() and one.json("entry.json") is not None]


def now() -> str:
    """Return the time as text."""
    return datetime.now().astimezone().isoformat(timespec="seconds")
