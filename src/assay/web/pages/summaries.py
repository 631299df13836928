"""Summaries of versions for lists and headings."""

from __future__ import annotations

import re
from typing import Any

from assay.system.json import JsonObject
from assay.web.damage import LISTED, find_damage
from assay.web.server import Server
from assay.web.store import Version, make_key

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]+")

SEVERITIES = ("error", "warning", "note")


def summarise_version(server: Server, version: Version) -> JsonObject:
    """Return what a list shows of one version."""
    record, outcome = version.record(), version.read("outcome.json") or {}
    return {
        "id": version.id,
        "name": version.name,
        "number": version.number,
        "files": [file["name"] for file in record["files"]],
        "created": record.get("created", ""),
        "status": server.jobs.status(version),
        "rows": outcome.get("rows"),
        "error": outcome.get("error"),
        "damage": find_damage(version.folder, LISTED),
        "verdict": split_verdict(outcome)[0],
        "severities": count_severities(outcome.get("severities") or {}),
        "has_result": version.has_result,
    }


def summarise_versions(server: Server, versions: list[Version]) -> list[JsonObject]:
    """Return the rows of a list of versions."""
    return [summarise_version(server, version) for version in versions]


def group_datasets(server: Server) -> list[list[JsonObject]]:
    """Return the versions of each dataset, the newest first; the dataset that changed last comes first."""
    datasets: dict[str, list[dict[str, Any]]] = {}
    for row in summarise_versions(server, server.store.versions()):
        datasets.setdefault(make_key(row["name"]) if row["number"] else row["id"], []).append(row)
    return list(datasets.values())


def split_verdict(outcome: JsonObject) -> tuple[str, str]:
    """Return the first sentence of the verdict, and the rest; for a stopped run, first how far it got.

    >>> split_verdict({"status": "done", "verdict": "Trust it. Most serious: none."})
    ('Trust it.', 'Most serious: none.')
    >>> sections = {"profile": ["skipped", "Interrupted."]}
    >>> split_verdict({"status": "cancelled", "verdict": "Trust it.", "sections": sections})
    ('Stopped after 0 of 1 sections.', '')
    """
    lead, _, rest = str(outcome.get("verdict") or "").partition(". ")
    lead = f"{lead.rstrip('.')}." if lead else ""
    if not lead or outcome.get("status") != "cancelled":
        return lead, rest
    stopped = f"Stopped after {count_done(outcome)} of {len(outcome.get('sections') or {})} sections."
    return stopped, f"{lead} {rest}".strip() if count_done(outcome) else ""


def count_done(outcome: JsonObject) -> int:
    """Count the sections that were measured."""
    return sum(isinstance(state, list) and state[:1] == ["done"] for state in (outcome.get("sections") or {}).values())


def count_severities(severities: dict[str, int]) -> list[tuple[str, str]]:
    """Return each severity that occurs with its count in words.

    >>> count_severities({"note": 2, "error": 1})
    [('error', '1 error'), ('note', '2 notes')]
    """
    counts = [(severity, severities.get(severity, 0)) for severity in SEVERITIES]
    return [(severity, f"{n} {severity}{'' if n == 1 else 's'}") for severity, n in counts if n]


def make_download_name(version: Version) -> str:
    """Return a name for downloads: letters, digits and dashes."""
    name = _UNSAFE.sub("-", version.name.partition(".")[0]).strip("-")[:40]
    return name or "dataset"
