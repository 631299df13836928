"""Findings of a dataset that its owner suppressed, with the reason; kept for all later versions."""

from __future__ import annotations

import json
import threading
from typing import TYPE_CHECKING

from assay.base.errors import UsageError
from assay.system.files import open_for_writing
from assay.system.json import JsonObject
from assay.web.damage import keep_damaged, read_json_object
from assay.web.store import Version, make_key

if TYPE_CHECKING:
    from pathlib import Path

    from assay.audits.ignore import IgnoreRule

FILE_NAME = "suppressed.json"
MAX_RULES = 200
MAX_REASON_LENGTH = 500
_LOCK = threading.Lock()


def load_ignore_rules(version: Version) -> list[IgnoreRule]:
    """Return the suppressed findings of the dataset of a version; rules that no longer exist are left out."""
    from assay.audits.ignore import IgnoreRule
    from assay.checks.findings import FINDINGS

    rows = _read_all(version.folder.parent).get(make_key(version.name), [])
    texts = [[str(row.get(name) or "") for name in ("code", "subject", "reason")] for row in rows]
    return [IgnoreRule(*row) for row in texts if row[0] in FINDINGS]


def add_rule(version: Version, code: str, subject: str, reason: str) -> None:
    """Suppress a finding, or change the reason why it is."""
    from assay.checks.findings import FINDINGS

    FINDINGS[code]  # raises an error that lists what exists
    if not reason.strip():
        raise UsageError("No reason is given.", hint="Say why the finding does not count; the report shows it.")
    rule = {"code": code, "subject": subject, "reason": " ".join(reason.split())[:MAX_REASON_LENGTH]}
    _change(version, [rule], code, subject)


def remove_rule(version: Version, code: str, subject: str) -> None:
    """Let a finding count again."""
    _change(version, [], code, subject)


def _change(version: Version, new: list[dict[str, str]], code: str, subject: str) -> None:
    folder, key = version.folder.parent, make_key(version.name)
    with _LOCK:
        datasets = _read_all(folder)
        kept = [row for row in datasets.get(key, []) if (row.get("code"), row.get("subject")) != (code, subject)]
        if len(kept) + len(new) > MAX_RULES:
            raise UsageError(f"At most {MAX_RULES} findings of a dataset can be suppressed.")
        datasets[key] = kept + new
        keep_damaged(folder / FILE_NAME)
        with open_for_writing(folder / FILE_NAME) as file:
            json.dump(datasets, file, ensure_ascii=True, indent=1)


def _read_all(folder: Path) -> dict[str, list[JsonObject]]:
    content = read_json_object(folder / FILE_NAME) or {}
    return {
        key: [row for row in rows if isinstance(row, dict)] for key, rows in content.items() if isinstance(rows, list)
    }
