"""Findings as lines of text."""

from __future__ import annotations

from typing import Any


def text(audit: dict[str, Any]) -> str:
    """Write the verdict, and a line for each finding."""
    lines = [audit["verdict"]]
    lines += [f"{one['severity']:<7} {one['code']}  {one['claim']}" for one in audit["findings"]]
    return "\n".join(lines) + "\n"
