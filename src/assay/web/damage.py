"""Files of a version that cannot be read: which ones, what is lost, and what can be done."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.system.json import JsonObject, read_json

AGAIN = "Audit again to write it again."
RESTORE = "Put it back from a backup."
# File: what is lost with it, and what can be done.
LOSSES = {
    "entry.json": ("The name, the list of files and the options are lost.", f"{RESTORE} Or delete this version."),
    "decisions.json": ("The decisions on items are lost.", f"{RESTORE} A new decision keeps a copy of the file."),
    "review.json": ("The items of the review are lost.", f"{RESTORE} Or draw new items."),
    "verdicts.json": ("The verdicts of the reviewers are lost.", f"{RESTORE} A new verdict keeps a copy of the file."),
    "suppressed.json": ("No finding is suppressed.", f"{RESTORE} A new suppression keeps a copy of the file."),
    "outcome.json": ("The summary of the audit is lost.", AGAIN),
    "audit.json": ("The findings cannot be changed or compared.", AGAIN),
    "sections.json": ("The findings and sections cannot be shown.", AGAIN),
    "report.html": ("The report is cut off.", AGAIN),
    "items.parquet": ("It cannot be downloaded whole.", AGAIN),
    "browse.arrow": ("The items cannot be shown.", AGAIN),
    "browse.json": ("Filters have no values to choose from.", AGAIN),
    "blocks.arrow": ("Searching takes longer.", AGAIN),
    "answers.arrow": ("The answers of the systems cannot be shown.", AGAIN),
    "flagged.arrow": ("The items of a finding cannot be shown.", AGAIN),
    "applied.json": ("Whether the last suppression succeeded is not known.", "Suppress the finding again."),
    "repair.json": ("The summary of the repair is lost.", "Repair the data again."),
}
MAX_NUMBER = 1e15  # of times, shares and counts
LISTED = ("entry.json", "outcome.json")  # small files, which lists of versions read
USER_FILES = ("entry.json", "decisions.json", "verdicts.json", "suppressed.json")
# Types of the fields that pages read; a file with other types counts as damaged.
_OBJECT, _LIST, _TEXT = dict | None, list | None, str | None
_SHAPES: dict[str, dict[str, Any]] = {
    "outcome.json": {"status": str, "error": _TEXT, "verdict": _TEXT, "severities": _OBJECT, "sections": _OBJECT}
    | {"items": _OBJECT, "rows": int | None, "size": _TEXT, "systems": int | None, "notes": _LIST},
    "progress.json": {"section": str, "step": _TEXT, "share": int | float, "start": int | float, "sections": _LIST},
    "partial.json": {"findings": _LIST, "sections": _OBJECT},
    "preview.json": {"columns": list, "roles": dict, "rows": list, "error": _TEXT, "kinds": dict},
    "decisions.json": {"items": dict},
    "verdicts.json": {"items": dict},
    "review.json": {"items": list, "size": int, "seed": int, "labels": list, "notes": list, "error": _TEXT},
    "repair.json": {"error": _TEXT, "systems": _LIST, "notes": _LIST}
    | dict.fromkeys(("n_before", "n_after", "n_dropped", "n_relabelled"), int),
    "applied.json": {"error": _TEXT},
    "run.json": {"title": str, "commands": list, "status": str, "started": str},
    "browse.json": dict.fromkeys(("part", "label", "proposal", "reasons"), list),
}
# Types of the values inside those objects.
_VALUES: dict[str, dict[str, type]] = {"outcome.json": {"severities": int, "items": int, "sections": list}}


@dataclass(frozen=True)
class Damage:
    """A file that cannot be read."""

    file: str
    loss: str
    action: str


def read_json_object(path: Path) -> JsonObject | None:
    """Return the object in one of our JSON files; None if the file is missing or damaged."""
    try:
        content = read_json(path)
    except AssayError:
        return None
    shape = _SHAPES.get(path.name, {})
    is_whole = isinstance(content, dict) and all(
        isinstance(content[name], kind) and _has_size(content[name]) for name, kind in shape.items() if name in content
    )
    if not is_whole or not all(
        _has_values(content.get(name), kind) for name, kind in _VALUES.get(path.name, {}).items()
    ):
        return None
    return content


def _has_size(value: object) -> bool:
    return not isinstance(value, int | float) or abs(value) < MAX_NUMBER


def _has_values(values: Any, kind: type) -> bool:
    return not values or all(isinstance(value, kind) for value in values.values())


def find_damage(folder: Path, names: Iterable[str] = LOSSES) -> list[Damage]:
    """Return the files of a version that are there and cannot be read."""
    places = {name: folder.parent if name == "suppressed.json" else folder for name in names}
    damaged = [place / name for name, place in places.items() if is_damaged(place / name)]
    missing = [] if (folder / "entry.json").exists() else [folder / "entry.json"]
    return [Damage(path.name, *LOSSES[path.name]) for path in (*missing, *damaged)]


def is_damaged(path: Path) -> bool:
    """Return whether a file exists and cannot be read; what was found is kept until the file changes."""
    try:
        status = path.stat()
    except OSError:
        return False
    return _check_file(path, status.st_mtime_ns, status.st_size)


@lru_cache(maxsize=10_000)
def _check_file(path: Path, _changed: int, _size: int) -> bool:
    if path.suffix == ".arrow":
        return not _is_arrow(path)
    if path.suffix == ".json":
        return read_json_object(path) is None
    ends = {".html": b"</html>", ".parquet": b"PAR1"}
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 64))
            return not file.read().rstrip().endswith(ends[path.suffix])
    except OSError:
        return True


def _is_arrow(path: Path) -> bool:
    from assay.web.items.writing import map_arrow

    return map_arrow(path) is not None


def keep_damaged(path: Path) -> None:
    """Keep a copy of a damaged file with the user's own work before it is written again."""
    if is_damaged(path):
        path.replace(path.with_name(f"{path.name}.damaged"))
