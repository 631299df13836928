"""What changed between two audits."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from assay.base.errors import AssayError
from assay.base.results import Result

SUBJECTS = ("token", "part", "dataset", "system", "oddity", "baseline", "side", "feature", "split")


@dataclass(frozen=True)
class Differences(Result):
    """Findings that came, went or changed, and whether the data itself is another."""

    new: list[dict[str, Any]]
    gone: list[dict[str, Any]]
    changed: list[dict[str, Any]]
    n_same: int
    same_data: bool
    sections: dict[str, list[str | None]]


def read_audit(path: str | Path) -> dict[str, Any]:
    """Read the result of an audit from its JSON file."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise AssayError(f"{path}: cannot be read: {error.strerror}.") from error
    except (json.JSONDecodeError, UnicodeDecodeError) as error:
        raise AssayError(f"{path}: not JSON: {error}.") from error
    result = content.get("result", content) if isinstance(content, dict) else None
    if not isinstance(result, dict) or "findings" not in result or "sections" not in result:
        raise AssayError(f"{path}: not an audit. Make one with: assay audit DATA --json FILE.")
    return result


def differences(old: dict[str, Any], new: dict[str, Any]) -> Differences:
    """Compare two audits, finding by finding: the same code about the same thing is the same finding.

    It changed when its severity did, or when its new value lies outside the old interval.
    """
    before, after = ({key(one): one for one in audit["findings"]} for audit in (old, new))
    both = [name for name in after if name in before]
    changed = [changes(before[name], after[name]) for name in both if differs(before[name], after[name])]
    status = {name: [_status(audit, name) for audit in (old, new)] for name in {**old["sections"], **new["sections"]}}
    return Differences(
        new=[after[name] for name in after if name not in before],
        gone=[before[name] for name in before if name not in after],
        changed=changed,
        n_same=len(both) - len(changed),
        same_data=old["data"]["fingerprint"] == new["data"]["fingerprint"],
        sections={name: ends for name, ends in status.items() if ends[0] != ends[1]},
    )


def key(finding: dict[str, Any]) -> tuple[str, ...]:
    """Name what a finding is about."""
    about = finding.get("evidence") or {}
    return finding["code"], *(f"{name}={about[name]}" for name in SUBJECTS if about.get(name) is not None)


def differs(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Tell whether a finding became graver or milder, or left its old interval.

    >>> one = {"severity": "note", "value": 0.5, "low": 0.4, "high": 0.6}
    >>> differs(one, {**one, "value": 0.55}), differs(one, {**one, "value": 0.7})
    (False, True)
    """
    if old["severity"] != new["severity"]:
        return True
    if old.get("value") == new.get("value"):
        return False  # also where the interval is that of chance, and the value beyond it
    low, high = old.get("low"), old.get("high")
    if low is None or high is None or new.get("value") is None:
        return True
    return not low <= new["value"] <= high


def changes(old: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return a finding with what it was before."""
    return {**new, "old_severity": old["severity"], "old_value": old["value"]}


def _status(audit: dict[str, Any], name: str) -> str | None:
    section = audit["sections"].get(name)
    return None if section is None else str(section["status"])
