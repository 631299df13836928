"""Findings as commands of GitHub's workflows."""

from __future__ import annotations

from typing import Any

LEVELS = {"error": "error", "warning": "warning", "note": "notice"}


def github(audit: dict[str, Any]) -> str:
    """Write an annotation for each finding."""
    lines = [
        f"::{LEVELS[one['severity']]} title={_property(one['code'])}::{_message(one['claim'] + ' ' + one['action'])}"
        for one in audit["findings"]
    ]
    return "".join(f"{line}\n" for line in lines)


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _message(text).replace(":", "%3A").replace(",", "%2C")
